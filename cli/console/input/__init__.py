"""What keys, clicks and typed lines mean."""
