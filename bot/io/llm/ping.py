"""Asks a model's server whether it is there and takes our key, without paying for an answer."""

from __future__ import annotations

from openai import APIConnectionError, APIStatusError, OpenAI

SECONDS = 15


def ping(base_url: str, key: str, model: str) -> str:
    """Empty when all is well; else what is wrong. A server need not list its models."""
    client = OpenAI(base_url=base_url, api_key=key or "none", timeout=SECONDS, max_retries=0)
    try:
        known = {row.id for row in client.models.list()}
    except APIConnectionError:
        return "The model's server does not answer"
    except APIStatusError as no:
        if no.status_code in (404, 405):
            return ""
        return f"The model's server answers {no.status_code}"
    return "" if not known or model in known else f"The model's server does not know {model}"
