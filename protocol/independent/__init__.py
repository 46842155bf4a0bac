"""The cryptography a second time, in plain Python (SPEC.md, sections "Points and scalars" and "Proofs").

Written from SPEC.md and the RFCs alone and sharing no line with the libraries or with the modules that use them, so
that a mistake in one of the two shows as a difference.  It needs nothing but the standard library.  It only checks:
its running time depends on what it computes, so nothing here may ever see a secret.
"""
