"""Runs the migrations on the connection that :func:`webapp.database.open_database` opened."""

from __future__ import annotations

from alembic import context

from webapp.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
context.run_migrations()
