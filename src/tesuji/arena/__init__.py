"""Matches and their statistics."""
