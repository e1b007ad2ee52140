"""A campaign by real mail: two bots with mailboxes, the daemon between them, and a story left behind."""
