"""`python -m gatekit`; or `python path/to/gatekit`, the folder as a script, in a zip too: then the folder that the package lies in is made known first."""
import os
import sys


def _entry_of_folder():
    """The entry of the package that this file lies in."""
    folder = os.path.dirname(os.path.abspath(__file__))
    place, name = os.path.split(folder)
    if not name.isidentifier():
        sys.stderr.write(f"error: {name!a} is no name that Python can import: lay the package in a folder gatekit, and run python -m gatekit beside it\n")
        sys.exit(4)
    # Python has put the folder itself there; the modules in it would be found as if each were a package by itself.
    sys.path[:] = [place, *(way for way in sys.path if os.path.abspath(way) != folder)]
    return __import__(f"{name}.cli.main", fromlist=["main"]).main


if __name__ == "__main__":
    if __package__:
        from .cli.main import main
    else:
        main = _entry_of_folder()
    sys.exit(main())
