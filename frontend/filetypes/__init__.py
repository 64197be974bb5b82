"""File types: how each is read and written; `frontend/files.py` picks one by the extension."""
