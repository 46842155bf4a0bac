"""Every sentence about Fight for Olympus that a person reads."""
