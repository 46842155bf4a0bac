"""The full-screen console: a pure model and its reducer, pure drawing, and one application around them."""
