"""OAuth2: a mailbox opened by its owner's consent instead of a password; consent asked for, kept and renewed."""
