"""Measurements of token representations converging to rank 1 through depth."""
