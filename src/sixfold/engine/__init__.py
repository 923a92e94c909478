"""Engine for any game that keeps the contract: game objects, batched playouts, records, series and shuffles."""
