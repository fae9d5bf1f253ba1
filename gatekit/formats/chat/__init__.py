"""Chat messages in the shapes that are in use, read into one neutral form. See messages.py; a new shape is a row of a table here, or one module."""
