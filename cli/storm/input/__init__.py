"""What lines, clicks and setups mean in Storm."""
