"""A match on the disk: its journal, its log, and the keys of its player."""


class JournalError(Exception):
    """A journal cannot be made, opened, read or written; nothing has changed.

    Attributes:
        code: ``missing``, ``in-use``, ``damaged``, ``older``, ``newer``, ``disk-full``, ``unwritable``, ``failed``,
            ``erased`` or ``other-key``.
        sentence: what happened, with the file.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
