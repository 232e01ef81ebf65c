"""The benchmark: what reading, waiting, following and the rules cost on this machine.

It also measures the margins between rest and motion.

figures.py combines the measurements. Each cost is measured in a separate interpreter (isolation.py starts it,
__main__.py runs in it), so that the memory, threads and warm caches of other measurements do not count.
"""
