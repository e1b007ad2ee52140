"""The procedures, a file for each chapter of the rulebook; case numbers stand where they act."""
