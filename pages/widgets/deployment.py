"""What Streamlit is told, and asked, where the app runs."""

from collections.abc import Mapping
from typing import Any

import streamlit as st
from streamlit import net_util


def ask_nobody() -> None:
    """Have Streamlit take the machine for one without a public address.

    It would ask a server elsewhere for it, to tell whether an origin is its own. An app that only talks to itself asks
    nobody; ``asgi.py`` refuses foreign origins before the question comes up.
    """
    net_util.get_external_ip = lambda: None


def streamlit_secrets() -> Mapping[str, Any]:
    """Return the settings that come with the app's deployment, Streamlit's ``secrets.toml``; none where it is not."""
    return st.secrets.to_dict() if st.secrets.load_if_toml_exists() else {}
