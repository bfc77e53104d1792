"""The steps from one schema to the next, run by Alembic when the database is opened."""
