"""Soviet artillery barrages (17.1)."""
