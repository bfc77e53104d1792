"""Every sentence of the photo reader in English, by the id of its message.

A place in braces is named after what is put there. After a colon stands what that is: ``tile`` or
``seat`` for a code that is shown by its name, ``word`` for one that a page translates as it is,
and, where there are several, how they are joined (one of :data:`JOINTS`); a number with decimals
has the format of Python. ``!r`` puts a text into quotation marks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

JOINTS: Final[Mapping[str, str]] = MappingProxyType({"comma": ", ", "and": " and "})
"""What goes between several values in one place, by the word after the colon."""

_PHOTO: Final = {
    "photo.empty": "The file is empty. Take the photo again or choose another file.",
    "photo.not_a_photo": "This is {kind}, not a photo. {advice}",
    "photo.damaged": (
        "The {format} file is damaged or cut short. Send it again or take the photo again."
    ),
    "photo.costly": (
        "Reading this {format} file would take too long, because of how it was saved. Open the "
        "photo, save it again as an ordinary JPEG and send that one."
    ),
    "photo.too_large": (
        "This {format} picture is too large for Kongbox to open as it was saved. Open the photo, "
        "save a smaller copy as an ordinary JPEG and send that one."
    ),
    "photo.unusual": (
        "This is {kind}, which Kongbox cannot read. Open the photo, save it again as an ordinary "
        "JPEG and send that one."
    ),
    "photo.strange_colours": (
        "This {format} picture stores its colours in a way that Kongbox cannot read. Open the "
        "photo, save it again as an ordinary JPEG and send that one."
    ),
    "photo.no_heic": (
        "This is an iPhone photo in the HEIC format, which the computer that runs Kongbox cannot "
        "open. On the iPhone choose Settings, Camera, Formats, Most Compatible, and take the photo "
        "again; or share the photo as JPEG."
    ),
    "photo.no_avif": (
        "This is an AVIF picture, which the computer that runs Kongbox cannot open. Save it as "
        "JPEG and send that one."
    ),
    "photo.of_another_type": "A photo is needed, as bytes or as an array, not {type}.",
    "photo.file_too_large": (
        "The file is {megabytes:.0f} MB; the limit is {most} MB. Send a smaller copy of the photo."
    ),
    "photo.too_small": (
        "The photo is {width} x {height} pixels; each side needs at least {least}. Choose the "
        "photo itself, not its thumbnail."
    ),
    "photo.too_long": (
        "The photo is {width} x {height} pixels; the longest side may have at most {most}. Send a "
        "smaller copy of the photo."
    ),
    "photo.too_many_pixels": (
        "The photo has {millions:.0f} million pixels; the limit is {most} million. Set the camera "
        "to a smaller size, or send a smaller copy."
    ),
    "photo.array_type": "A photo's array must hold uint8 values, not {type}.",
    "photo.array_shape": (
        "A photo's array must have shape (height, width), (height, width, 3) or "
        "(height, width, 4), not {shape}."
    ),
    "photo.animated": "The file is an animation: only its first picture was read.",
    "photo.cut_short": (
        "The file is cut short: only {share:.0%} of the photo is there. Send it again if tiles are "
        "missing."
    ),
    "photo.mirrored": (
        "The photo is mirrored and was read from its mirror image: switch off mirroring in the "
        "camera."
    ),
    "photo.dark": "The photo is dark: switch on a lamp or move the tiles to the light.",
    "photo.small_tiles": (
        "The tiles are small in the photo: come closer, or use a larger picture size."
    ),
    "photo.blurred": (
        "The photo is blurred: hold still, tap the tiles to focus, and take it again."
    ),
    "photo.too_bright": (
        "The photo is too bright: turn away from the light, or tap the tiles to set the brightness."
    ),
    "photo.glare": ("There is glare on the tiles: move the lamp, or take the photo from an angle."),
    "photo.no_tiles": (
        "No mahjong tiles were found in the photo. Lay the tiles face up on the table and take the"
        " photo from above in good light, close enough for them to fill it."
    ),
    "photo.no_tiles_because": (
        "No mahjong tiles were found in the photo. Lay the tiles face up on the table and take the"
        " photo from above in good light, close enough for them to fill it. {fault}"
    ),
    "photo.too_many_tiles": (
        "The photo seems to show {count} tiles, more than any game has. Lay the tiles on a plain "
        "surface and photograph one player's tiles at a time, from close up."
    ),
}
_FILE_KINDS: Final = {
    "file.gif": "a GIF animation",
    "file.tiff": "a TIFF or raw camera file",
    "file.bmp": "a BMP picture",
    "file.pdf": "a PDF document",
    "file.zip": "a zip archive or office document",
    "file.jpeg_deep": "a JPEG with {bits} bits per colour",
    "file.jpeg_arithmetic": "a JPEG with arithmetic coding",
    "file.jpeg_lossless": "a lossless JPEG",
    "file.jpeg_hierarchical": "a JPEG in several layers",
    "file.jpeg_2000": "a JPEG 2000 picture",
    "file.jpeg_xl": "a JPEG XL picture",
    "file.photoshop": "a Photoshop document",
    "file.openexr": "an OpenEXR picture",
    "file.video": "a video",
    "file.svg": "an SVG or XML drawing",
    "file.web_page": "a web page",
    "file.text": "a text file",
    "file.unknown": "a file of an unknown kind",
    "file.advice": (
        "Kongbox reads JPEG, PNG, WebP and AVIF photos, and those of iPhones (HEIC): take or "
        "choose one of those."
    ),
}
_READING: Final = {
    "tiles.is": "1 tile is",
    "tiles.are": "{count} tiles are",
    "tiles.was": "1 tile was",
    "tiles.were": "{count} tiles were",
    "tiles.one": "1 tile",
    "tiles.several": "{count} tiles",
    "reading.doubtful": "{tiles} hard to read: check what is marked.",
    "reading.unknown_set": (
        "Kongbox does not know this tile set. If the photo is sharp, teach it the set with a photo"
        " of one tile of each kind."
    ),
    "reading.strange": "{tiles} blank or not mahjong tiles: say what each one is.",
    "reading.surplus": "{count} tiles are read as {label:tile}, more than the set has: check them.",
    "reading.strays": "{tiles} near the hand but not counted as part of it: {shown:tile comma}.",
    "reading.no_hand": (
        "No hand is laid out in this photo: lay the tiles of a hand side by side in one row, away "
        "from the discards and walls, and take the photo again."
    ),
    "reading.of_player": "{player}: {fault}",
    "player.near": "The player in front",
    "player.right": "The player on the right",
    "player.far": "The player opposite",
    "player.left": "The player on the left",
    "hand.hidden_kong": "A kong is face down: say which tile it is.",
    "hand.face_down": "{tiles} face down in the hand: say what each one is, or turn it over.",
    "hand.too_few": (
        "{tiles_were} found, but a hand has 13, or 14 after going out (each kong counts as three):"
        " check whether a tile is hidden in the photo. If not, the player has too few: perhaps no "
        "tile was drawn for a kong or a flower."
    ),
    "hand.too_many": (
        "{tiles_were} found, but a hand has 13, or 14 after going out (each kong counts as three):"
        " check whether another player's tiles are with them. If not, the player has too many: "
        "perhaps no tile was discarded after a replacement."
    ),
    "part.bonus_near": "Flowers and seasons are near the hand.",
    "part.bonus_among": "Flowers and seasons cannot form sets, so they count as bonus tiles.",
    "part.hand_one": "One tile is not part of a set laid apart, so it counts as in hand.",
    "part.hand": (
        "{tiles} tiles are together but do not form sets laid apart, so they count as in hand."
    ),
    "part.unseen": "{hand} {backs} of them cannot be seen.",
    "part.hidden_kong": (
        "Four face-down tiles are together: a concealed kong whose tile is not shown."
    ),
    "part.concealed_one": "One is face down among identical tiles: a concealed {kind:word}.",
    "part.concealed": "{backs} are face down among identical tiles: a concealed {kind:word}.",
    "part.exposed": "{what} are set apart, face up: an exposed {kind:word}.",
    "part.chow": "Three tiles in sequence",
    "part.pung": "Three identical tiles",
    "part.kong": "Four identical tiles",
    "part.no_meld": "{tiles} tiles are set apart, but {shown} do not make a set: check them.",
}
_DECISION: Final = {
    "decision.winning_hand": (
        "So {player:seat}'s tiles make a winning hand; as the camera read them they do not."
    ),
    "decision.laid_apart": "The tiles of a set laid apart are identical or in sequence.",
    "decision.surplus": "{count} tiles were read as {face:tile}; the set has {limit}.",
    "decision.hand_size": ("So {player:seat}'s hand has {size} tiles, counting each set as three."),
    "decision.other_repairs": "It follows from the other corrections.",
    "problem.surplus": (
        "{count} tiles are read as {face:tile}, but the set has {limit}: check them."
    ),
    "problem.hand_size": (
        "{player:seat} shows {count} tiles instead of {size}, counting each set as three: check "
        "that every tile can be seen in the photo, and that none belongs to another player."
    ),
    "problem.no_winning_hand": (
        "{player:seat}'s tiles as they are read do not make a winning hand: check them."
    ),
}
_SEVERAL_PHOTOS: Final = {
    "photos.too_many": "{count} photos of one hand are too many: send at most {most}.",
    "photos.numbered": "Photo {number} of {count}: {fault}",
    "photos.stranger": (
        "Photo {number} of {count} does not seem to show the same tiles as photo 1. Each must "
        "share at least three tiles with another photo; send other hands separately."
    ),
    "photos.strangers": (
        "Photo {numbers:and} of {count} do not seem to show the same tiles as photo 1. Each must "
        "share at least three tiles with another photo; send other hands separately."
    ),
    "photos.hidden": "One photo does not show {tiles} that another shows: check there.",
}
_TILE_SETS: Final = {
    "set.no_tiles": "No mahjong tiles were found in the photo of the set.",
    "set.too_many_tiles": (
        "The photos show {count} tiles; lay out one of each face, or one box of at most {most}."
    ),
    "set.unknown_label": "{label!r} is not a tile code.",
    "set.label_twice": "{label} was given to two tiles; each face appears only once.",
    "profile.foreign_tile": "A set profile cannot hold the tile {label!r}.",
    "profile.copies": "A set cannot have {count} of the tile {label!r}.",
    "profile.too_many_pictures": "A set profile holds at most {most} pictures.",
    "profile.pictures": "A set profile holds 1 to {most} pictures, not {count}.",
    "profile.name": (
        "A set cannot be called {name!r}: use up to 40 letters, digits, spaces and - . ' "
        "beginning with a letter or digit."
    ),
    "profile.name_kept": (
        "A set cannot be called {name!r}: Windows reserves this name. Add a word to it."
    ),
    "profile.of_another_classifier": (
        "The set profile {name} was made with classifier {version}, and its pictures do not suit "
        "version {now}. Add the set again."
    ),
    "profile.source": "The set profile",
    "profile.form": "{source} is not a set profile of Kongbox ({where}: {fault}).",
    "profile.damaged": "{source} is damaged: {fault}",
    "profile.directions": "{source} is damaged: its directions differ in length.",
    "profile.picture_unwritten": "The picture of {label} could not be written.",
    "profile.picture_too_large": "the picture of {label} has more than {most} pixels a side",
    "profile.picture_not_jpeg": "the picture of {label} is not a JPEG",
    "profile.not_base64": "the picture of {label!r} is not base64",
    "profile.no_direction": "the direction of {label!r} is none",
    "profile.unwritten": "{path} cannot be written: {fault}.",
    "profile.too_large": "{path} is too large for a set profile.",
    "profile.unknown": (
        "There is no set profile {name!r}; known are: {known:comma}. "
        "Show it to Kongbox first, in a photo of one tile of each face."
    ),
    "profile.none": "none",
    "profile.unread": "{path} cannot be read: {fault}.",
    "profile.missing": "There is no set profile {name!r}.",
    "profile.not_deleted": "{path} cannot be deleted: {fault}.",
}
_FORMS: Final = {
    "form.missing": "Field required",
    "form.extra_forbidden": "Extra inputs are not permitted",
    "form.model_type": "Input should be an object",
    "form.dict_type": "Input should be a valid dictionary",
    "form.list_type": "Input should be a valid list",
    "form.string_type": "Input should be a valid string",
    "form.int_type": "Input should be a valid integer",
    "form.literal_error": "Input should be {expected}",
    "form.string_pattern_mismatch": "String should match pattern '{pattern}'",
    "form.string_too_long": "String should have at most {max_length} characters",
    "form.json_invalid": "Invalid JSON: {error}",
}
_MODELS: Final = {
    "model.unlisted": "{registry} does not list the model {name!r}. Install Kongbox again.",
    "model.no_list": "The list of models, {registry}, is missing. Install Kongbox again.",
    "model.damaged_list": "The list of models, {registry}, is damaged: {fault}",
    "model.no_table": "{registry}: {name} must be a table with file, sha256 and version.",
    "model.no_text": "{registry}: {name} needs {key} as text.",
    "model.no_checksum": "{registry}: {name} needs sha256 as 64 hexadecimal digits.",
    "model.missing": "The model file {file} is missing. Install Kongbox again.",
    "model.damaged": (
        "The model file {file} is damaged or not version {version}. Install Kongbox again."
    ),
    "weights.no_table": "The fitted numbers lack the table {table}. Install Kongbox again.",
    "weights.no_number": (
        "The fitted numbers need {name} of {table} as a number. Install Kongbox again."
    ),
    "weights.damaged": "The fitted numbers, {file}, are damaged: {fault}",
    "model.inputs": "The {name} takes {wanted} inputs, not {count}.",
    "model.failed": "The {name} could not run: {fault}",
    "model.unopened": "The model file {file} cannot be opened: {fault}",
    "model.description": "{file}: its description is not JSON: {fault}",
    "model.other_tiles": "{file} was not made for these tiles.",
    "model.no_threshold": "{file} does not say its threshold and stride.",
    "model.counts": "{found} tiles were found but {read} read.",
    "model.no_opencv": (
        "OpenCV, which reads the photos, cannot start on this computer ({fault}). "
        "On Debian or Ubuntu install what it needs with: sudo apt-get install {packages}"
    ),
}
_CAMERAS: Final = {
    "camera.scheme": (
        "Addresses that begin with {scheme}:// cannot be read. Use one that begins with "
        "{known:comma}."
    ),
    "camera.no_host": "{address} has no computer name after {scheme}://.",
    "camera.folder": "{path} is a folder. Name one video file in it.",
    "camera.no_file": (
        "There is no file {path}. Give a camera's number such as 0, an address such as "
        "rtsp://192.168.1.20/stream, or a video file."
    ),
    "camera.no_video": (
        "{path} is not a video that can be read here, or it is damaged. MP4, MOV, AVI, MKV and "
        "WebM files can be read."
    ),
    "camera.no_answer": (
        "{address} does not answer or sends no video. Is the camera switched on and on the same "
        "network, and are the address, name and password right?"
    ),
    "camera.unopened": (
        "Camera {number} cannot be opened. {there} Another program may be using it, or you may not"
        " be allowed to use cameras (on Debian and Ubuntu, join the group video)."
    ),
    "camera.known": "Cameras here: {numbers:comma}.",
    "camera.none": "No camera is connected.",
    "camera.no_pictures": "{path} has no pictures that can be read.",
    "camera.ends_early": "The video ends after {seconds:.1f} s: its file is cut short.",
    "camera.number": "Camera {number}",
    "camera.silent": "{camera} has sent no picture for {seconds:.0f} s.",
    "camera.unplugged": (
        "{camera} stopped sending pictures: was it unplugged? Connect it and start again."
    ),
    "camera.trying": "{camera} stopped sending pictures; trying again ({number} of {count}).",
    "camera.back": "The camera is back.",
    "camera.lost": (
        "{camera} stopped sending pictures and can no longer be reached. Is it switched on?"
    ),
}

ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {
        **_PHOTO,
        **_FILE_KINDS,
        **_READING,
        **_DECISION,
        **_SEVERAL_PHOTOS,
        **_TILE_SETS,
        **_FORMS,
        **_MODELS,
        **_CAMERAS,
    }
)
"""The templates by the ids of their messages."""
