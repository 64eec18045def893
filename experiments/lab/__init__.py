"""Bench equipment that the experiments share: one noun a module."""
