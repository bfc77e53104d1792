"""Tables and evenings: how they are kept, their forms, sheets and disputes."""
