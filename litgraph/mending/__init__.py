"""Writing records: new ones, repaired ones, renamed ones, and what a library file says of them.

Every part of this computes `Change`s first and writes nothing; a caller shows or applies them.
"""
