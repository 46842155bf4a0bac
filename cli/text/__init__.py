"""Every sentence that a person reads, a module for each subject; nothing here draws or decides."""
