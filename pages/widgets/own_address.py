"""Streamlit asks a server elsewhere for this machine's public address, to tell whether an origin is its own.

An app that only talks to itself asks nobody; ``asgi.py`` refuses foreign origins before the question comes up.
"""

from streamlit import net_util


def ask_nobody() -> None:
    """Have Streamlit take the machine for one without a public address."""
    net_util.get_external_ip = lambda: None
