"""Understanding a question: read once, by its own words, and told as one value to every later stage."""

from engine.answer.understand.kinds import Expects
from engine.answer.understand.question import Question, understand

__all__ = ["Expects", "Question", "understand"]
