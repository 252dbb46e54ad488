from pages.widgets.shell import guard; guard()  # noqa: I001  # fmt: skip

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from engine.export.harmless import plain
from engine.interfaces.keys import api_keys
from pages.widgets import access, check_up, collections, model_form
from pages.widgets.buttons import button, tried
from pages.widgets.services import library
from pages.widgets.setting_field import advanced, field, fields
from pages.widgets.texts import day, said, t

st.title(t("settings.title"), anchor=False)
if not access.manages():
    text = "access.read_only" if access.read_only() else "access.owners_only"
    st.caption(f":material/visibility: {t(text)}")
    st.stop()

settings = library().settings
titles = [t(f"set.tab.{name}") for name in ("model", "reading", "search", "answers")]
tabs = st.tabs([*titles, t("settings.library")], key="settings.tab")


@contextmanager
def group(name: str) -> Iterator[None]:
    """Draw the frame of a group of settings, with its heading and what it is about."""
    with st.container(border=True):
        st.subheader(t(f"set.group.{name}"), anchor=False)
        st.caption(t(f"set.group.{name}.help"))
        yield


def cost(name: str) -> None:
    """Tell what a group of settings costs."""
    st.caption(f":material/payments: {t(f'set.cost.{name}')}")


with tabs[0]:
    with st.container(border=True):
        st.subheader(t("settings.model"), anchor=False)
        model_form.language_model()
        advanced(
            "llm.temperature", "llm.max_tokens", "llm.context_tokens", "llm.timeout", "llm.retries",
            "llm.price_prompt", "llm.price_completion",
        )  # fmt: skip
    with group("endpoints"):
        model_form.named()
    for name, section in {"indexing_model": "indexing", "summary_model": "summary", "vision": "vision"}.items():
        with group(name):
            model_form.show(section, tested=True)

with tabs[1]:  # what becomes of a file that is added
    with group("indexing"):
        field("indexing.strategy")
        cost("indexing")
        fields("indexing.max_calls", "indexing.max_tokens")
        field("indexing.relations")
        field("summary.with_model")
        cost("summary")
    with group("ocr"):
        field("ocr.enabled")
        if settings.ocr.enabled:
            field("ocr.model")
    with group("reading"):
        fields("parsing.max_file_mb", "topics.max_topics_per_document")
        advanced("parsing.max_pages", "parsing.timeout_seconds", "parsing.memory_mb", "topics.similarity_threshold")

with tabs[2]:  # how passages are found and ordered
    with st.container(border=True):
        st.subheader(t("settings.embedding"), anchor=False)
        for message in library().status().missing:
            st.warning(said(message), title=t("settings.missing"), icon=":material/warning:")
        field("embedding.enabled")
        with st.expander(t("set.embedding.endpoint"), type="compact"):
            st.caption(t("set.embedding.endpoint.help"))
            model_form.show("embedding")
            field("embedding.dimension")
    with group("ranking"):
        field("retrieval.top_k")
        fields("retrieval.fusion.dense", "retrieval.fusion.bm25f")
    with group("rerank"):
        field("rerank.enabled")
        if settings.rerank.enabled:
            field("rerank.method")
            cost(f"rerank.{settings.rerank.method}")
            if settings.rerank.method == "endpoint":
                model_form.show("rerank")
            else:
                field("rerank.model")
            fields("rerank.top_n", "rerank.relevance_threshold")
            field("rerank.adaptive")
        field("rerank.enable_summary")
        if settings.rerank.enable_summary:
            cost("rerank.summary")
            fields("rerank.summary_model", "rerank.max_summary_length")

with tabs[3]:
    with group("budget"):
        fields("llm.answer_tokens", "llm.answer_cost")
    with group("agent"):
        fields("agent.max_iterations", "agent.tools.max_context_tokens")
        field("agent.quality_check.use_llm_judgment")
        field("agent.quality_check.use_reader")
        cost("agent")
    with group("web_search"):
        field("agent.enable_web_search")
        if settings.agent.enable_web_search:
            field("web_search.provider")
            model_form.show("web_search")
            fields("web_search.max_results", "web_search.timeout")

with tabs[4]:
    with st.container(border=True):
        st.subheader(t("settings.library"), anchor=False)
        st.caption(t("settings.library.folder"))
        st.code(str(library().folder), language=None)
    asks = "oidc" if settings.access.named else "password" if settings.access.password_hash else "open"
    with group("sharing"):  # set where the app is started
        st.markdown(f":material/{'lock' if asks != 'open' else 'lock_open'}: {t(f'set.sharing.{asks}')}")
        if settings.access.read_only:
            st.markdown(f":material/visibility: {t('access.read_only')}")
        field("access.shared_links")
    if collected := {one.collection_id: plain(one.name) for one in library().collections.all()}:
        with group("collections"):
            collections.rights()
    with group("keys"):
        for key in api_keys(library().folder).all():
            told = [plain(key.name), t(f"keys.{key.scope}")]
            if key.collections:  # and where it may do so
                names = ", ".join(collected[one] for one in key.collections if one in collected)
                told.append(names or t("keys.nothing"))
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f":material/key: {' · '.join([*told, day(key.created_at)])}")
                revoke = partial(tried, partial(api_keys(library().folder).revoke, key.key_id), gone=True)
                button(t("keys.revoke"), f"keys.revoke.{key.key_id}", "", revoke)
    check_up.show()
