"""A match while it is played, and as it is stored: session, journal, line and participant brought together."""
