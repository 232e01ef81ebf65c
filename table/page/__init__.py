"""The page: what the table shows on its screen and on phones, and the HTTP interface behind it."""
