"""How often deciding a deal as a whole repairs what was misread."""
