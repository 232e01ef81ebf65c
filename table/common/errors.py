"""Every error Brehon raises on purpose: one root, each leaf also the builtin it is."""


class BrehonError(Exception):
    """Something a person can put right; its message says what was expected, what came and what to do."""


class IllegalAnswer(BrehonError, ValueError):
    """An answer that could be read, but that the rules do not allow here."""


class WouldDrop(IllegalAnswer):
    """A correction after which later answers would no longer fit; `drops` is how many."""

    def __init__(self, why: str, drops: int) -> None:
        super().__init__(why)
        self.drops = drops


class UnreadableAnswer(BrehonError, ValueError):
    """An answer that has not the shape the prompt asks for."""


class ReplayDiverged(BrehonError, RuntimeError):
    """A logged prompt differs from the one the rules ask now: the rules changed under a running match."""


class StaleAction(BrehonError, RuntimeError):
    """An action that answers a snapshot which is no longer the current one."""


class PictureUnreadable(BrehonError, ValueError):
    """A file that is no picture, or a picture that cannot be read as one of dice."""


class CameraUnavailable(BrehonError, OSError):
    """A camera that is not there, is in use, or stopped giving frames."""


class LogUnusable(BrehonError, OSError):
    """A log that cannot be opened, or was written by a newer Brehon."""


class LogDamaged(LogUnusable):
    """A log file that SQLite cannot make sense of."""


class CannotLearn(BrehonError, ValueError):
    """Dice colours that cannot be learned: not as they lie, or not under that name."""
