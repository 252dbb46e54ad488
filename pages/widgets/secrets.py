"""Settings that come with the app's deployment: Streamlit's ``secrets.toml``."""

from collections.abc import Mapping
from typing import Any

import streamlit as st


def streamlit_secrets() -> Mapping[str, Any]:
    """Return Streamlit's secrets as a nested mapping; empty where there are none."""
    return st.secrets.to_dict() if st.secrets.load_if_toml_exists() else {}
