"""Replacements (8.0)."""
