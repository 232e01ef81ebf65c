"""The ground floor: what both the eyes (vision/) and the table need. It imports nothing else of Brehon."""
