"""How two programs find and reach each other, before a match and again when the line is lost."""
