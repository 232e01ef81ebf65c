"""Who calls the page, and where others find it: this computer, or another address in the house."""

from __future__ import annotations

import ipaddress
import socket

OWN_ADDRESSES = ("127.0.0.1", "::1")
"""The addresses of this computer, by which the table's own screen calls it."""

ANYWHERE = ("0.0.0.0", "::", "")
"""Addresses of a server that all networks of this computer reach."""

OUTSIDE = "192.0.2.1"
"""An address that is never in the house (RFC 5737). The system says which network leads there; nothing is
sent."""


def is_own(address: str) -> bool:
    """Whether this is an address of this computer itself."""
    return address in OWN_ADDRESSES


def addresses_for_phones(host: str, port: int, called: str) -> list[str]:
    """The page's addresses for phones in the house, the surest first; [] if it serves this computer alone.

    host: the address that the server listens at. called: the Host header of the request, which works for the
    one who asks. A number comes before a name with .local, which some phones cannot look up.
    """
    if host not in ANYWHERE:
        return [] if _is_loopback(host) else [_address(host, port)]
    name = socket.gethostname()
    hosts = [called.rsplit(":", 1)[0], _number_in_the_house(), name if "." in name else f"{name}.local"]
    return list(dict.fromkeys(_address(each, port) for each in hosts if each and not _is_loopback(each)))


def _address(host: str, port: int) -> str:
    bracketed = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"http://{bracketed}:{port}/"


def _number_in_the_house() -> str:
    """The number by which this computer is known in its network; "" without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((OUTSIDE, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _is_loopback(host: str) -> bool:
    if host in ("localhost", "localhost.local"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
