"""What people look at: plots of runs, and the published pages."""
