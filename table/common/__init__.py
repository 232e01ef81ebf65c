"""Definitions that both vision/ and the table need. It imports no other part of Brehon."""
