"""What a rule can ask of one reading of a hand: its tiles, its sets, how they relate, the wait."""
