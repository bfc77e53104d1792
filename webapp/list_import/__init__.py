"""Lists from outside: a spreadsheet's players, standings and results, shown before they come in."""
