"""The database engine and all its tables; the migrations lie in `webapp/migrations`."""
