"""Files that a page sends to be kept."""

from __future__ import annotations

from typing import Final

from flask import Response

from webapp.exports.sheet_files import CSV_TYPE, PDF_TYPE, XLSX_TYPE

ZIP_TYPE: Final = "application/zip"
"""The MIME type of a ZIP file."""

JSON_TYPE: Final = "application/json"
"""The MIME type of a JSON file."""

TYPES: Final = {
    "csv": CSV_TYPE,
    "json": JSON_TYPE,
    "pdf": PDF_TYPE,
    "xlsx": XLSX_TYPE,
    "zip": ZIP_TYPE,
}
"""The MIME types of the files, by the endings of their names."""


def sent(data: bytes, name: str) -> Response:
    """Send data as a file, which the browser keeps under a name whose ending says what it is."""
    response = Response(data, content_type=TYPES[name.rpartition(".")[2]])
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
