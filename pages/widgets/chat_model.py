"""How a conversation is answered (by which model, in which style and language) and how far a question is looked into.

Both are chosen beside the question's field.
"""

from typing import get_args

import streamlit as st

from engine.answer.answerer import PATHS
from engine.errors import ProviderError
from engine.export.harmless import plain
from engine.model import Manner, Style
from pages.widgets.services import library, owner
from pages.widgets.texts import t

_PATH, _REPORT, _MANNER = "chat.path", "report", "manner"
_ICONS = {"auto": "route", "direct": "bolt", "agent": "manage_search", _REPORT: "edit_note"}
_LONGEST = 2000
_KEPT_S = 300
# A list of models is waited for so long, in seconds.
_WAIT_S = 5
# By their English names, as a model is told them, each with its own.
_LANGUAGES = {
    "English": "English", "Chinese": "中文", "German": "Deutsch", "French": "Français", "Spanish": "Español",
    "Italian": "Italiano", "Portuguese": "Português", "Dutch": "Nederlands", "Polish": "Polski", "Russian": "Русский",
    "Turkish": "Türkçe", "Arabic": "العربية", "Hindi": "हिन्दी", "Japanese": "日本語", "Korean": "한국어",
}  # fmt: skip


def chosen(conversation: str | None) -> Manner:
    """Return how questions of a conversation are to be answered, None for a new one."""
    if conversation:
        return Manner.from_dict(library().conversations.chosen(owner(), conversation).get(_MANNER) or {})
    kept = st.session_state.get(_key(None))
    return kept if isinstance(kept, Manner) else Manner()


def carry(conversation: str) -> None:
    """Let a new conversation keep what was chosen before it was begun."""
    _keep(conversation, st.session_state.pop(_key(None), Manner()))


def _keep(conversation: str | None, manner: Manner) -> None:
    if conversation:
        library().conversations.choose(owner(), conversation, **{_MANNER: manner.to_dict()})
    else:
        st.session_state[_key(None)] = manner


def choose(conversation: str | None) -> None:
    """Draw the popover where a model is set up; its label says what differs from the usual."""
    settings, now, key = library().settings, chosen(conversation), _key(conversation)
    if not (settings.llm.configured or settings.endpoints):
        return
    usual = settings.llm.model or t("chat.model.usual")
    told = [now.model, now.style and t(f"chat.model.style.{now.style}"), _LANGUAGES.get(now.language, "")]
    label = ": ".join(filter(None, [t("chat.model"), plain(", ".join(filter(None, told)))]))
    with st.popover(label, type="tertiary", icon=":material/tune:"):
        wanted = _entered(now, key, usual)
    if wanted != now:
        _keep(conversation, wanted)
        st.rerun()


def _entered(now: Manner, key: str, usual: str) -> Manner:
    """Draw the fields and return what stands in them; ``usual`` is what the model that is set up is called."""
    offered, usual_temperature = _offered(now), library().settings.llm.temperature
    picked = st.selectbox(
        t("chat.model.label"), list(offered), key=f"{key}.model",
        index=list(offered.values()).index((now.endpoint, now.model)),
        format_func=lambda label: label or usual,
    )  # fmt: skip
    style = st.segmented_control(
        t("chat.model.style"), get_args(Style)[1:], default=now.style or None, key=f"{key}.style",
        format_func=lambda one: t(f"chat.model.style.{one}"),
    )  # fmt: skip
    language = st.selectbox(
        t("chat.model.language"), list(_LANGUAGES), key=f"{key}.language", placeholder=t("chat.model.language.own"),
        index=list(_LANGUAGES).index(now.language) if now.language in _LANGUAGES else None,
        format_func=lambda one: _LANGUAGES[one],
    )  # fmt: skip
    told = st.text_area(
        t("chat.model.instructions"), now.instructions, key=f"{key}.instructions", max_chars=_LONGEST,
        placeholder=t("chat.model.instructions.example"),
    )  # fmt: skip
    temperature = st.slider(
        t("chat.model.temperature"), 0.0, 2.0, key=f"{key}.temperature", step=0.1,
        value=usual_temperature if now.temperature is None else now.temperature,
        help=t("chat.model.temperature.help"),
    )  # fmt: skip
    endpoint, model = offered[picked]
    own = None if now.temperature is None and temperature == usual_temperature else temperature
    return Manner(endpoint, model, own, language or "", style or "", told or "")


def _offered(now: Manner) -> dict[str, tuple[str, str]]:
    """Return the models of all endpoints by what they are called; "" is the one that is set up."""
    settings = library().settings
    pairs = [("", model) for model in _models("", settings.llm.api_base)] if settings.llm.configured else []
    for name, own in settings.endpoints.items():
        pairs += [(name, model) for model in _models(name, own.api_base) or [own.model] if model]
    if now.model:
        pairs.append((now.endpoint, now.model))
    return {"": ("", "")} | {
        f"{model} · {endpoint}" if endpoint else model: (endpoint, model) for endpoint, model in pairs
    }


def _key(conversation: str | None) -> str:
    return f"chat.model.{conversation or ''}"


@st.cache_data(show_spinner=False, max_entries=16, ttl=_KEPT_S)
def _models(endpoint: str, address: str) -> list[str]:
    """Return the models that an endpoint lists; none where it cannot be reached soon."""
    from engine.providers.llm import open_llm

    settings = library().settings.llm_for(Manner(endpoint))
    llm = open_llm(settings.model_copy(update={"timeout": min(settings.timeout, _WAIT_S), "retries": 0}))
    try:
        return llm.models() if llm else []
    except ProviderError:
        return []


def path() -> str:
    """Return the path of the next question of this session: auto, direct or agent."""
    chosen = st.session_state.get(_PATH)
    return chosen if chosen in PATHS else "auto"


def wants_report() -> bool:
    """True where what is typed next is what a report is to be about; the choice holds for one."""
    return st.session_state.get(_PATH) == _REPORT and not library().rights


def begin_anew() -> None:
    """Go back to looking as far as a question needs."""
    st.session_state.pop(_PATH, None)


def choose_path() -> None:
    """Draw the popover of how far a question is looked into; its label says what is chosen."""
    offered = PATHS if library().rights else (*PATHS, _REPORT)  # a report draws on everything
    now = st.session_state[_PATH] = _REPORT if wants_report() else path()
    label = t("chat.path.report") if now == _REPORT else t("chat.path", path=t(f"chat.path.{now}"))
    with st.popover(label, type="tertiary", icon=f":material/{_ICONS[now]}:"):
        st.radio(
            t("chat.path.label"), offered, key=_PATH, persist_state="session",
            format_func=lambda name: t(f"chat.path.{name}"),
            captions=[t(f"chat.path.{name}.help") for name in offered],
        )  # fmt: skip
