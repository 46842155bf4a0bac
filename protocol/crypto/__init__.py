"""What the promises rest on: hashing, keys, commitments, the group and its proofs."""
