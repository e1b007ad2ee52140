"""The clock: what is owed, by when, and what happens then."""
