"""The queue of photos: asking for a reading, the workers that answer, and figures of both."""
