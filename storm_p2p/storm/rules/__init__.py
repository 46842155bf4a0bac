"""The rules as pipelines; each step names its rule (docs/rules.md)."""
