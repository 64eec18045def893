"""`python -m litgraph` is the `anthology` command."""

from litgraph.cli import main

if __name__ == "__main__":
    main()
