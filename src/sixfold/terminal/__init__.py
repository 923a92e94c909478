"""The table in a terminal: a full-screen one (Textual) for this computer's bots and people, or for a server's table."""
