"""What a player keeps on this machine: folder, identity, address book, choices, setups."""
