"""A campaign by real mail: a bot with a mailbox for each chair, the daemon beyond, and a story left behind."""
