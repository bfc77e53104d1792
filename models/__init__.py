"""The shipped models, and how they are trained, exported and measured."""
