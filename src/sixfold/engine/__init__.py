"""Any game by its contract: one as an object, many at once, on a card; chance, notation, record, series, shuffle."""
