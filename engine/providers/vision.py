"""Pictures in messages to models that see, and a test that only such a model passes.

Many endpoints take a picture and leave it out without a word: what a model reads in one is the only sign.
"""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

# A number that nobody guesses, drawn so large that the smallest models read it.
NUMBER = "7304"


def message_with(text: str, pictures: Sequence[tuple[str, bytes]]) -> dict[str, Any]:
    """Return a user's message with pictures (PNG or JPEG), each after the text that announces it, if any."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    for told, picture in pictures:
        kind = "image/png" if picture.startswith(b"\x89PNG") else "image/jpeg"
        address = f"data:{kind};base64,{base64.b64encode(picture).decode()}"
        content += [{"type": "text", "text": told}] if told else []
        content.append({"type": "image_url", "image_url": {"url": address}})
    return {"role": "user", "content": content if pictures else text}


def pictures_in(messages: Sequence[Mapping[str, Any]]) -> int:
    """Return how many pictures messages hold."""
    parts = (part for one in messages if isinstance(one.get("content"), list) for part in one["content"])
    return sum(part["type"] == "image_url" for part in parts)


def number_drawn() -> list[dict[str, Any]]:
    """Return messages that ask for the NUMBER in a picture."""
    from PIL import Image, ImageDraw, ImageFont

    sheet = Image.new("RGB", (320, 160), "white")
    ImageDraw.Draw(sheet).text((60, 40), NUMBER, "black", ImageFont.load_default(80))
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG")
    return [message_with("Which number does the picture show? Reply with its digits.", [("", buffer.getvalue())])]
