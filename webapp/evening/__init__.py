"""Who is here on an evening: ticked at the door or checked in by their own phones."""
