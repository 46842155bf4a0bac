"""What the operating system has: processes that are started, and files and folders that somebody names."""
