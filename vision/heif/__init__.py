"""Pictures that lie in boxes, as iPhones store them: what is in the file, and its pixels."""
