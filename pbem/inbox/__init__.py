"""The inbox: fetching mail by IMAP and storing it before anything else happens to it."""
