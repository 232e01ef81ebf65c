"""Tests of exported score sheets."""
