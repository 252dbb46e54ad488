"""Who is here and what they may do: signing in by password or OIDC, signing out, reading only.

``asgi.py`` lets no stranger as far as a page where a password is asked for; where it does not run (plain
``streamlit run app.py``) the question is asked here. OIDC is always asked here.
"""

import logging
import time
from collections.abc import Callable
from urllib.parse import parse_qs, quote, unquote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAuthError

from engine.doctor import signing_in
from engine.export.harmless import plain
from engine.interfaces.gate import COOKIE, LOGOUT
from engine.interfaces.identity import GATE, may_enter
from engine.interfaces.login import TRIES, Attempts, new_session, password_matches, session_valid
from engine.interfaces.signed_out import signed_out
from engine.model import Document, Job
from pages.widgets import texts
from pages.widgets.buttons import button
from pages.widgets.fragments import component
from pages.widgets.places import PAGES
from pages.widgets.services import library, user
from pages.widgets.texts import remember, said, t, translate
from storage.collections import NONE

log = logging.getLogger(__name__)
LONGEST_GUESS = 1024
# Where a provider's users wanted to go is kept for as long as signing in may take.
CAME_FOR = "dropqa_came_for"
SIGNING_IN_SECONDS = 900
LONGEST_ADDRESS = 1500
_SESSION = "access.session"
_RETURNED = "access.returned"
_PROBLEM = "access.problem"
_GUESS = "access.password"
# Streamlit's own link would sign out in a new tab and leave this one as it is.
_link = component("access", "<a target='_self'></a>")


def admitted() -> bool:
    """Tell whether whoever is here may see the library."""
    access = library().settings.access
    if access.oidc:
        return bool(st.user.get("is_logged_in")) and may_enter(user(), access.allowed_users)
    if access.proxy_user:  # the gate lets nobody else as far as this
        return GATE.is_set() and may_enter(user(), access.allowed_users)
    if not access.password_hash:
        return True
    tokens = (st.context.cookies.get(COOKIE), st.session_state.get(_SESSION))
    ended = signed_out(library().folder)
    return any(session_valid(token, access.password_hash, time.time()) and token not in ended for token in tokens)


def show_login(page: str) -> None:
    """Draw the way in, with nothing else on the page; ``page`` is the one that was asked for."""
    with st.sidebar:
        texts.switch()
        translate()
    st.space("large")
    with st.container(horizontal_alignment="center"), st.container(border=True, width=400):
        st.markdown("![](app/static/mark.svg)", width="content")
        st.subheader(t("access.title"), anchor=False)
        if library().settings.access.proxy_user:
            st.markdown(t("access.by_proxy"))
        elif library().settings.access.oidc:
            _ask_provider(page)
        else:
            with st.form("access", border=False):
                st.text_input(t("access.password"), type="password", key=_GUESS)
                st.form_submit_button(t("access.in"), type="primary", width="stretch", on_click=_try)
        if problem := st.session_state.pop(_PROBLEM, None):
            st.error(problem)


def came_for() -> tuple[str, dict[str, list[str]]] | None:
    """Return, once, the page and parameters asked for at first: a provider sends everybody to the bare address."""
    if not library().settings.access.oidc or st.session_state.get(_RETURNED):
        return None
    st.session_state[_RETURNED] = True
    page, _, query = unquote(st.context.cookies.get(CAME_FOR) or "").partition("?")
    return (page, parse_qs(query)) if page in PAGES else None


def forget_what_one_came_for() -> None:
    """Have the browser forget it, too."""
    if st.session_state.get(_RETURNED) and st.context.cookies.get(CAME_FOR):
        remember(CAME_FOR, "", seconds=0)


def sign_out() -> None:
    """Draw the way out, where there was a way in."""
    access = library().settings.access
    if access.oidc:
        button(t("access.out"), "access.out", "logout", st.logout, help=_name() or None)
    elif access.password_hash and session_valid(st.context.cookies.get(COOKIE), access.password_hash, time.time()):
        _link({"label": t("access.out"), "href": LOGOUT}, "access.out")


def _name() -> str:
    return plain(str(st.user.get("email") or st.user.get("name") or ""))


def read_only() -> bool:
    """Tell whether nobody can change the library here."""
    return library().settings.access.read_only


def manages() -> bool:
    """Tell whether whoever is here may change settings, topics and collections: an owner of the library."""
    return library().rights is None and not read_only()


def changeable() -> Callable[[Document | Job | None], bool]:
    """Return what tells whether whoever is here may change a document or work on it; None: add one to no collection."""
    if (reads := read_only()) or (rights := library().rights) is None:
        return lambda _: not reads
    members = library().storage.collections.members()
    return lambda one: members.get(one.document_id if one else "", NONE) in rights.editable


def adds() -> bool:
    """Tell whether whoever is here may add documents somewhere."""
    rights = library().rights
    return not read_only() and (rights is None or bool(rights.editable))


@st.cache_resource(show_spinner=False)
def _attempts() -> Attempts:
    return Attempts()


def _try() -> None:
    guess = str(st.session_state.pop(_GUESS, "") or "")[:LONGEST_GUESS]
    source, kept = st.context.ip_address or "", library().settings.access.password_hash
    if wait := _attempts().wait(source):
        st.session_state[_PROBLEM] = t("access.wait", minutes=max(1, round(wait / 60)))
        return
    tries = _attempts().begin(source)
    time.sleep(_attempts().pause())
    if password_matches(guess, kept):
        _attempts().succeeded(source)
        st.session_state[_SESSION] = new_session(kept, time.time())
    else:
        log.warning("Wrong password from %r, try %d of %d in five minutes", source, tries, TRIES)
        st.session_state[_PROBLEM] = t("access.wrong")


def _ask_provider(page: str) -> None:
    if page in PAGES:
        given = {name: st.query_params.get_all(name) for name in st.query_params}
        address = f"{page}?{urlencode(given, doseq=True)}"
        if len(address) <= LONGEST_ADDRESS:
            remember(CAME_FOR, quote(address, safe=""), seconds=SIGNING_IN_SECONDS)
    if st.user.get("is_logged_in"):
        st.markdown(t("access.not_allowed", name=_name()))
        button(t("access.out"), "access.out", "logout", st.logout, type="secondary")
        return
    st.caption(t("access.oidc"))
    if missing := [check for check in signing_in(library().settings) if not check.ok]:
        st.error(f"{said(missing[0].detail)} {said(missing[0].fix)}")
        return
    button(t("access.in"), "access.in", "login", _sign_in, type="primary", width="stretch")


def _sign_in() -> None:
    try:
        st.login()
    except StreamlitAuthError as error:
        st.session_state[_PROBLEM] = said(error)
