"""A match on the disk: its journal, its log, and the keys of its player."""

from protocol.errors import Failure


class JournalError(Failure):
    """A journal cannot be made, opened, read or written; nothing has changed.

    Attributes:
        code: ``missing``, ``in-use``, ``damaged``, ``older``, ``newer``, ``disk-full``, ``unwritable``, ``failed``,
            ``erased`` or ``other-key``.
        sentence: what happened, with the file.
    """
