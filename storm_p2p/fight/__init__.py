"""Fight for Olympus, with a reconstructed set of cards: rules on public state, standard library only."""
