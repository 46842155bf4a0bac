"""The rules of *Storm over Olympus*.  Rule numbers (``HON-2``) and decisions (``A-17``) are those of docs/rules.md."""
