"""A model behind the Writer port. It holds no token and cannot reach GitHub."""

from bot.io.llm.purse import Price
from bot.io.llm.writer import LlmWriter

__all__ = ["LlmWriter", "Price"]
