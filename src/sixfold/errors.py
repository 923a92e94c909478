"""Errors that the user can fix: the command line prints them as one line, never as a traceback."""


class UserError(ValueError):
    """Invalid input; the message says what is wrong, where, and what is allowed."""


class SetupError(UserError):
    """A game, table or command with invalid settings."""
