"""`python -m suffice`: the same as the `suffice` command."""

from suffice.app.main import main

if __name__ == "__main__":
    main()
