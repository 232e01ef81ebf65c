"""The colours of dice: measured, learned for one table, and matched."""
