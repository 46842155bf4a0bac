"""Who may take a seat in a match of Fight for Olympus, beside a person."""
