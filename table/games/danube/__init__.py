"""The rules of Down the Danube that need no table: squares, pieces, and the steps that a throw allows."""
