"""What one seat sees: what it knows, what an action would cost, and pictures of it as text.  Pure."""
