"""The rules and the bots for a browser: a module of WebAssembly for each game, described, and checked to play alike."""
