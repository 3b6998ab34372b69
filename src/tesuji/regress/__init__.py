"""Test positions: what an engine plays in them, and whether that is right."""
