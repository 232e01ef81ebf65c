"""All errors that Brehon raises on purpose: one base class; each subclass is also a builtin error."""


class BrehonError(Exception):
    """An error that a person can correct; its message says what was expected, what came and what to do."""


class Misused(BrehonError):
    """A command line asks for something that does not exist, or that does not fit the rest of it."""


class IllegalAnswer(BrehonError, ValueError):
    """An answer is readable, but the rules do not allow it here."""


class WouldDropAnswers(IllegalAnswer):
    """After a correction, later answers would no longer fit; drops: how many."""

    def __init__(self, why: str, drops: int) -> None:
        super().__init__(why)
        self.drops = drops


class UnreadableAnswer(BrehonError, ValueError):
    """An answer does not have the shape that the prompt requires."""


class ReplayDiverged(BrehonError, RuntimeError):
    """A logged prompt differs from the prompt of the rules now: the rules changed during a running match."""


class StaleAction(BrehonError, RuntimeError):
    """An action answers a snapshot that is no longer the current one."""


class PictureUnreadable(BrehonError, ValueError):
    """A file is not a picture, or a picture cannot be read as one of dice."""


class CameraUnavailable(BrehonError, OSError):
    """A camera is missing, is in use, or stopped giving frames."""


class LogUnusable(BrehonError, OSError):
    """A log cannot be opened, or was written by a newer Brehon."""


class LogDamaged(LogUnusable):
    """SQLite cannot read a log file."""


class CannotLearn(BrehonError, ValueError):
    """Dice colours cannot be learned: not as they lie, or not under that name."""
