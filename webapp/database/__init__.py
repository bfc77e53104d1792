"""The database engine and all tables; the migrations are in ``webapp/migrations``."""
