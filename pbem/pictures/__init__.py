"""Pictures: a position, or what happened to it, as shapes; and painters that make files of them."""
