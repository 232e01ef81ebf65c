"""Score sheets of played matches, from the log: as JSON, CSV and PDF."""
