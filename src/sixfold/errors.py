"""What whoever uses Sixfold can put right: the command line shows it as one line, never as a traceback."""


class UserError(ValueError):
    """Something that was given is wrong; the message says what, where, and what is allowed."""


class SetupError(UserError):
    """A game, table or command that cannot be set up like this."""
