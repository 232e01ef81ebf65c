"""The table: rules core, referee, log and page."""
