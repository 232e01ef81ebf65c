"""The page on the table's screen and on phones, and its HTTP API."""
