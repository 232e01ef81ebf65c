"""The benchmark: what reading, waiting, following and the rules cost on this machine, and how surely rest is told from motion.

figures.py puts the measurements together. Each measurement of costs runs in an interpreter of its own (apart.py starts it, __main__.py
is what it runs), so that no other measurement's memory, threads or warm caches count.
"""
