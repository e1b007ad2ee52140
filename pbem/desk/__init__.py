"""The desk: where an admitted mail is attended to."""
