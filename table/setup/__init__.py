"""What the household sets once at a running table: its dice colours and the place of its tray."""
