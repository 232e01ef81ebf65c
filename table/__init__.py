"""The table: the rules, the referee, the log and the page."""
