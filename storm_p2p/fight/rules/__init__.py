"""The rules as small pure steps; each names its rule (docs/fight-rules.md)."""
