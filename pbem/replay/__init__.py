"""A campaign to look at again: one page that plays it, and a short film for the mail."""
