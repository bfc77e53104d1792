"""The pages of a deal before its score: photos, tiles, questions, and who went out."""
