"""Many logs at once: what each proves in one flat row, worked out on one machine or several (SPEC.md, "Archives").

Of the libraries of the extras ``archive`` and ``cluster`` nothing is imported before it is needed: pyarrow in
:mod:`protocol.archive.parts`, duckdb in :mod:`protocol.archive.stats`, distributed in :mod:`protocol.archive.cluster`.
"""
