"""The console: what is known of a match, what keys and words change in it, and pictures of it."""
