"""Runs the migrations on the connection of :func:`webapp.database.engine.open_database`."""

from __future__ import annotations

from alembic import context

from webapp.database.base import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
context.run_migrations()
