"""What the Settings page has, group by group: what a person would change, with what it costs."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from engine.export.harmless import plain
from engine.interfaces.keys import ApiKey, api_keys
from pages.widgets import collections, endpoint_form, model_form
from pages.widgets.buttons import button
from pages.widgets.messages import said, tried
from pages.widgets.services import library
from pages.widgets.setting_field import advanced, field, fields
from pages.widgets.texts import day, t


def model() -> None:
    """Draw the language model and what is asked of it."""
    with st.container(border=True):
        st.subheader(t("settings.model"), anchor=False)
        model_form.show()
        advanced(
            "llm.temperature", "llm.max_tokens", "llm.context_tokens", "llm.timeout", "llm.retries",
            "llm.price_prompt", "llm.price_completion",
        )  # fmt: skip
    with _group("endpoints"):
        endpoint_form.named()
    for group, section in (("indexing_model", "indexing"), ("summary_model", "summary"), ("vision", "vision")):
        with _group(group):
            endpoint_form.show(section, tested=True)


def reading() -> None:
    """Draw what becomes of a file that is added."""
    with _group("indexing"):
        field("indexing.strategy")
        _cost("indexing")
        fields("indexing.max_calls", "indexing.max_tokens")
        field("summary.with_model")
        _cost("summary")
    with _group("ocr"):
        field("ocr.enabled")
        if library().settings.ocr.enabled:
            field("ocr.model")
    with _group("reading"):
        fields("parsing.max_file_mb", "topics.max_topics_per_document")
        advanced(
            "parsing.max_pages", "parsing.timeout_seconds", "parsing.memory_mb",
            "topics.similarity_threshold",
        )  # fmt: skip


def search() -> None:
    """Draw how passages are found and ordered."""
    with st.container(border=True):
        st.subheader(t("settings.embedding"), anchor=False)
        for message in library().status().missing:
            st.warning(said(message), title=t("settings.missing"), icon=":material/warning:")
        field("embedding.enabled")
        with st.expander(t("set.embedding.endpoint"), type="compact"):
            st.caption(t("set.embedding.endpoint.help"))
            endpoint_form.show("embedding")
            field("embedding.dimension")
    with _group("ranking"):
        field("retrieval.top_k")
        fields("retrieval.fusion.dense", "retrieval.fusion.bm25f")
    with _group("rerank"):
        field("rerank.enabled")
        rerank = library().settings.rerank
        if rerank.enabled:
            field("rerank.method")
            _cost(f"rerank.{rerank.method}")
            if rerank.method == "endpoint":
                endpoint_form.show("rerank")
            else:
                field("rerank.model")
            fields("rerank.top_n", "rerank.relevance_threshold")
            field("rerank.adaptive")
        field("rerank.enable_summary")
        if rerank.enable_summary:
            _cost("rerank.summary")
            fields("rerank.summary_model", "rerank.max_summary_length")


def answering() -> None:
    """Draw how answers come about."""
    with _group("budget"):
        fields("llm.answer_tokens", "llm.answer_cost")
    with _group("agent"):
        fields("agent.max_iterations", "agent.tools.max_context_tokens")
        field("agent.quality_check.use_llm_judgment")
        field("agent.quality_check.use_reader")
        _cost("agent")
    with _group("web_search"):
        field("agent.enable_web_search")
        if library().settings.agent.enable_web_search:
            field("web_search.provider")
            endpoint_form.show("web_search")
            fields("web_search.max_results", "web_search.timeout")


def sharing() -> None:
    """Draw who may use the library, which is set where the app is started."""
    access = library().settings.access
    asks = "oidc" if access.named else "password" if access.password_hash else "open"
    with _group("sharing"):
        st.markdown(f":material/{'lock' if asks != 'open' else 'lock_open'}: {t(f'set.sharing.{asks}')}")
        if access.read_only:
            st.markdown(f":material/visibility: {t('access.read_only')}")
    if library().collections.all():
        with _group("collections"):
            collections.rights()
    with _group("keys"):
        for key in api_keys(library().folder).all():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f":material/key: {plain(key.name)} · {_may(key)} · {day(key.created_at)}")
                revoke = partial(tried, partial(api_keys(library().folder).revoke, key.key_id), gone=True)
                button(t("keys.revoke"), f"keys.revoke.{key.key_id}", "", revoke)


def _may(key: ApiKey) -> str:
    """Return what a key may do, and where."""
    names = {one.collection_id: one.name for one in library().collections.all()}
    bound = [names[one] for one in key.collections if one in names]
    may = t(f"keys.{key.scope}")
    return f"{may} · {plain(', '.join(bound) or t('keys.nothing'))}" if key.collections else may


@contextmanager
def _group(name: str) -> Iterator[None]:
    """Draw the frame of a group of settings, with its heading and what it is about."""
    with st.container(border=True):
        st.subheader(t(f"set.group.{name}"), anchor=False)
        st.caption(t(f"set.group.{name}.help"))
        yield


def _cost(group: str) -> None:
    st.caption(f":material/payments: {t(f'set.cost.{group}')}")
