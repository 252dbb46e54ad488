"""Every error DropQA raises on purpose.

A message is one or two sentences: what is wrong, and what to do. It is shown to users as it stands.
"""


class DropQAError(Exception):
    """Base of all expected failures; its text is meant for the user."""


class UsageError(DropQAError):
    """An argument is missing, malformed or contradicts another."""


class ConfigError(UsageError):
    """A setting is unknown, has the wrong type or is out of range; the message names it."""


class AccessError(DropQAError):
    """The caller may not do this: nobody has signed in, or the library is shared for reading only."""


NO_DOCUMENT = "There is no document {} in the library. `dropqa list` lists them."
READING_ONLY = "This library is shared for reading only. Whoever runs it can change it."


class NotFoundError(DropQAError):
    """The document, version, node, job or conversation does not exist (or not for this user)."""


class UnreadableFileError(DropQAError):
    """The file cannot be turned into a document."""


class UnsupportedFormatError(UnreadableFileError):
    """No parser takes this kind of content."""


class EncryptedFileError(UnreadableFileError):
    """The file is protected by a password."""


class EmptyFileError(UnreadableFileError):
    """The file holds no bytes, no pages or no text."""


class LimitExceededError(UnreadableFileError):
    """The file, or parsing it, exceeds a limit on size, pages, time or memory."""


class StorageError(DropQAError):
    """The library folder cannot be read or written."""


class LibraryLockedError(StorageError):
    """Another process owns the library folder; the message names it."""


class NotALibraryError(StorageError):
    """The folder holds other things and was left as it is; the message names some."""


class CatalogLostError(StorageError):
    """The library's catalog is missing, empty or damaged; `dropqa repair` makes a new one."""


class DamagedOriginalError(StorageError):
    """A stored original is not what its SHA-256 says, so it was not read; adding the file again replaces it."""


class DiskFullError(StorageError):
    """There is no room on the disk for a file and what is made of it, so it was not taken."""


class ProviderError(DropQAError):
    """A model or service answered with an error or with garbage."""


class ProviderUnavailableError(ProviderError):
    """A model or service is not configured, cannot be reached or refuses the key."""


class ProviderBusyError(ProviderError):
    """A model or service is overloaded or too slow at the moment."""


class ContextExceededError(ProviderError):
    """A prompt, with the room for its reply, is longer than the model's context."""

    def __init__(self, message: str, limit: int | None) -> None:
        """``limit`` is the context in tokens, None where the endpoint does not tell it."""
        super().__init__(message)
        self.limit = limit


class ToolsRefusedError(ProviderError):
    """A model's endpoint cannot call tools."""


class BudgetSpentError(ProviderError):
    """What an answer may use of models is used up; the settings llm.answer_tokens and llm.answer_cost say how much."""


class BusyError(DropQAError):
    """Too many questions wait already; ``seconds`` tells when it is worth another try."""

    def __init__(self, message: str, seconds: int = 1) -> None:
        """``message`` tells the seconds, too."""
        super().__init__(message)
        self.seconds = seconds


class CancelledError(DropQAError):
    """The user stopped the work."""
