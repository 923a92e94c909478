"""A full-screen terminal client (Textual) for tables on this computer and on a server."""
