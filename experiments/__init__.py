"""Measurements that test what the records claim; `lab` is the bench they share."""
