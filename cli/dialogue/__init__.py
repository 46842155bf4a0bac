"""What a person may type, what it means, and what is answered, on both consoles."""
