"""How Storm is drawn on the full screen."""
