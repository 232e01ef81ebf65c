"""Computer vision: turns camera frames into Readings. It imports nothing of the games.

Start at `vision.pipeline`: Pipeline.process turns one frame into events. `capture` runs it in a thread.

cameras: sources of frames. settling: when the tray is at rest, and whether a hand is over it.
reading: the nets, and a picture's dice with faces and colours. tracking: what happened to each die since the
tray was last at rest. tray: where the tray is in the picture. colours: the learned dice colours of one table.
health: whether the camera shows the tray. simulation: a simulated tray, with a hand that throws.
"""
