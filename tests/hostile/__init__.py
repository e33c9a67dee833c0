"""Submissions that lie, break out or break down, and honest ones: `python -m tests.hostile`.

What is in `cases/` is hostile on purpose. It is data: no tool of ours checks or imports it.
"""
