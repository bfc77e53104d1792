"""How the page behaves for people: taps, time, load and durability."""
