"""A match as one web page that checks itself (SPEC.md, "Web page")."""
