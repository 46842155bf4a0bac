"""What is said to routers and between machines about addresses, as values and bytes; nothing here opens a socket."""
