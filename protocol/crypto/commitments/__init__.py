"""Hidden values, in the two schemes ``hash`` and ``proved``."""
