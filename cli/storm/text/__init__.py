"""The sentences of Storm over Olympus, a module for each subject; nothing here draws or decides."""
