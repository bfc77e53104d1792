"""What resembles tiles: playing cards, dice, keyboards, score sheets, and a scatter of such."""
