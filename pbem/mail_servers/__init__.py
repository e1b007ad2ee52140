"""Between us and a mail server: where it is, what goes wrong there, how long to wait before trying again."""
