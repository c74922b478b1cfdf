"""The server of the Space."""
