"""Who calls the page: the computer of the table itself, or another address in the house."""

from __future__ import annotations

OWN_ADDRESSES = ("127.0.0.1", "::1")
"""The addresses of this computer, by which the table's own screen calls it."""


def is_own(address: str) -> bool:
    """Whether this is an address of this computer itself."""
    return address in OWN_ADDRESSES
