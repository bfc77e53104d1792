"""An association's servers and workers, each a process of this machine."""
