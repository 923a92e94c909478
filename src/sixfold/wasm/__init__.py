"""The rules and bots as WebAssembly: one module per game, with a manifest, verified against the native rules."""
