"""A campaign by real mail: a bot with a mailbox for each chair, the daemon at the other end, and a story left behind."""
