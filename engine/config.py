"""The settings: one typed object, read once (:mod:`engine.settings_sources`) and passed in.

Names and defaults follow seed 003 section 11.1, seed 002 section 10 and seed 001.
"""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from engine.errors import UsageError
from engine.model import Manner, NextAction
from engine.search_settings import SearchSettings, WebSearchSettings
from engine.settings_section import AddressSettings, Names, Section


class DatabaseSettings(Section):
    """Where the library lives; an empty URL means the embedded backend in the library folder.

    With postgresql://… everything but the originals is in that database; they are in a folder that all servers see.
    """

    url: str = Field("", repr=False)
    originals: str = ""


class EndpointSettings(AddressSettings):
    """An OpenAI-compatible endpoint. An empty ``api_base`` and ``api_key`` means: no model."""

    model: str = ""

    @property
    def configured(self) -> bool:
        """True when an endpoint or a key is given."""
        return bool(self.api_base or self.api_key)


class LlmSettings(EndpointSettings):
    """The language model. An empty ``model`` takes the first one that the endpoint lists.

    ``language`` is that of answers, by its English name; "" is the question's. ``context_tokens`` is what the model
    takes at once, prompt and reply; with 0 it is unknown until the endpoint tells. The prices are for a million tokens,
    in any currency. ``answer_tokens`` and, where there are prices, ``answer_cost`` are the budget of an answer: once
    they are used up no further call is begun for it, and it is finished without the model; 0 is no limit.
    """

    temperature: float = Field(0.2, ge=0, le=2)
    max_tokens: int = Field(16384, ge=16)
    context_tokens: int = Field(0, ge=0)
    timeout: float = Field(60, gt=0)
    retries: int = Field(2, ge=0, le=10)
    system_prompt: str = ""
    language: str = Field("", max_length=40)
    price_prompt: float = Field(0, ge=0)
    price_completion: float = Field(0, ge=0)
    answer_tokens: int = Field(0, ge=0)
    answer_cost: float = Field(0, ge=0)


class OwnModelSettings(EndpointSettings):
    """A kind of work that may have a model of its own; what is empty is that of the language model."""

    def inheriting(self, llm: LlmSettings) -> LlmSettings:
        """Return the language model's settings with what differs for this kind of work.

        Another address gets neither the key nor the model that belong to the language model's; of another model
        neither the context nor the prices are known.
        """
        elsewhere = bool(self.api_base) and self.api_base != llm.api_base
        model = self.model or ("" if elsewhere else llm.model)
        changes: dict[str, str | int] = {
            "api_base": self.api_base or llm.api_base,
            "api_key": self.api_key or ("" if elsewhere else llm.api_key),
            "model": model,
        }
        if elsewhere or model != llm.model:
            changes |= {"context_tokens": 0, "price_prompt": 0, "price_completion": 0}
        return llm.model_copy(update=changes)


# By names as tables have in TOML and variables take. One without an address is none: so one is removed.
Endpoints = Annotated[
    dict[Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,40}$")], OwnModelSettings],
    AfterValidator(lambda given: {name: own for name, own in given.items() if own.api_base}),
]


class EmbeddingSettings(EndpointSettings):
    """The embedding model; without an endpoint the embedded multilingual model."""

    enabled: bool = True
    dimension: int = Field(384, ge=8, le=8192)


class StructureNormalizationSettings(Section):
    """Lengths that decide where structure is mended (seed 003, 5.1.3).

    They are in Chinese characters; a letter of another script counts two fifths (``engine.structure.terms``).
    """

    max_paragraph_length: int = Field(800, ge=50)
    paragraph_target_size: int = Field(400, ge=20)
    max_section_length: int = Field(3000, ge=100)
    min_section_length: int = Field(100, ge=0)
    enrich_meaningless_titles: bool = True


class SemanticChunkingSettings(Section):
    """Topic shifts in text without headings (seed 003, 5.1.2).

    One is where the embedding model finds the texts on both sides less alike than ``similarity_threshold``, as a share
    of the way from the least to the most alike in the document; 0 leaves it to the words that they share.
    """

    similarity_threshold: float = Field(0.5, ge=0, le=1)
    min_chunk_size: int = Field(100, ge=1)
    max_chunk_size: int = Field(1000, ge=50)


class ParsingSettings(Section):
    """Limits of the parsing worker and how structure is mended."""

    max_file_mb: int = Field(200, ge=1)
    max_pages: int = Field(5000, ge=1)
    timeout_seconds: float = Field(300, gt=0)
    memory_mb: int = Field(2048, ge=256)
    structure_normalization: StructureNormalizationSettings = StructureNormalizationSettings()
    semantic_chunking: SemanticChunkingSettings = SemanticChunkingSettings()


Strategy = Literal["recursive", "semantic", "sliding", "contextual", "hierarchical", "questions"]


class IndexingSettings(OwnModelSettings):
    """How texts are indexed where an upload does not say (seed 004, 3.2), by which model, and what it may cost.

    The model is asked in the background: for summaries, names, contexts, questions and topics of what is added.
    ``max_calls`` and ``max_tokens`` bound what a document is worth; the rest of it is indexed as without a model. What
    is queued is left to `dropqa indexer` where ``elsewhere`` is set. ``chunk_size`` is the length of a child in
    ``hierarchical``, measured as lengths of the structure are. ``dense_text`` is what is embedded of sections, tables
    and pictures: what they say, or one to three sentences of it alone (seed 002, 2). With ``relations`` the model also
    reads what texts say of names (seed 003, 10).
    """

    strategy: Strategy = "recursive"
    chunk_size: int = Field(90, ge=20, le=2000)
    dense_text: Literal["passage", "summary"] = "passage"
    relations: bool = False
    elsewhere: bool = False
    max_calls: int = Field(500, ge=0)
    max_tokens: int = Field(1_000_000, ge=0)


class OcrSettings(Section):
    """Optical character recognition. The tiny model is shipped; the others are downloaded when first used."""

    enabled: bool = True
    model: Literal["tiny", "small", "medium"] = "tiny"
    use_gpu: bool = False


class TopicSettings(Section):
    """Topic extraction (seed 003, 5.3)."""

    max_topics_per_document: int = Field(5, ge=1, le=5)
    similarity_threshold: float = Field(0.85, ge=0, le=1)


class WatchSettings(Section):
    """Folders that the library is kept in step with while the app runs.

    What matches a pattern of ``ignore`` or has none of the ``extensions`` (".md") is left out; a file is taken in when
    it has been quiet for ``quiet_seconds``. All is looked at every ``poll_seconds``: network drives tell no changes.
    With ``delete`` the document of a file that is gone is removed, else it is put away.
    """

    folders: Names = ()
    ignore: Names = ("~$*",)
    extensions: Names = ()
    quiet_seconds: float = Field(1.0, ge=0, le=3600)
    poll_seconds: float = Field(15.0, ge=1, le=86_400)
    delete: bool = False


class ServerSettings(Section):
    """The app and REST server; REST answers to loopback names and ``allowed_hosts``.

    Only of ``trusted_proxies`` (addresses or networks) is believed what they say of who asks (``X-Forwarded-For``).
    """

    host: str = "127.0.0.1"
    allowed_hosts: Names = ()
    trusted_proxies: Names = ()
    port: int = Field(8501, ge=1, le=65535)


class AccessSettings(Section):
    """Who may use a library that is shared, and for what.

    ``password_hash`` (made by ``dropqa password``) asks everybody for one password. ``oidc`` lets a provider say
    who somebody is (Streamlit's ``[auth]`` secrets); ``allowed_users`` are then the addresses, or endings of
    addresses ("@example.org"), that may come in, none given: all whom the provider knows; ``owners`` are
    those of them, or their groups, who see every collection, say who else does, and change settings; while there are
    none, and no collection is kept from anybody, everyone is one. ``proxy_user`` is, instead, the header in which a
    trusted proxy says who has signed in there, ``proxy_groups`` the one with their groups. ``read_only`` lets nobody
    change the library through the app. ``shared_links`` lets people make links to conversations and answers for others
    to read; ``embed_from`` are the sites ("https://wiki.example.org") that may show the app within their pages.
    ``requests_per_minute`` is what each API key may ask, 0 for any number.
    """

    password_hash: str = Field("", repr=False, pattern=r"^(scrypt\$\d+\$\d+\$\d+\$[^$]+\$[^$]+)?$")
    oidc: bool = False
    allowed_users: Names = ()
    owners: Names = ()
    proxy_user: str = Field("", pattern=r"^[A-Za-z][\w-]*$|^$")
    proxy_groups: str = Field("", pattern=r"^[A-Za-z][\w-]*$|^$")
    read_only: bool = False
    shared_links: bool = False
    embed_from: tuple[Annotated[str, Field(pattern=r"^https?://[\w.:\[\]-]+$")], ...] = ()
    requests_per_minute: int = Field(600, ge=0)

    @property
    def shared(self) -> bool:
        """True when others than whoever runs the library come in."""
        return bool(self.password_hash) or self.named

    @property
    def named(self) -> bool:
        """True when it is known who somebody is."""
        return self.oidc or bool(self.proxy_user)

    @model_validator(mode="after")
    def _one_way_in(self) -> Self:
        if sum(map(bool, (self.password_hash, self.oidc, self.proxy_user))) > 1:
            raise ValueError("a password, OIDC and a proxy cannot be asked for together; keep one")
        return self


class LoggingSettings(Section):
    """What the running app writes to stderr: from which level on, as lines of text or of JSON."""

    format: Literal["text", "json"] = "text"
    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"


class FusionSettings(Section):
    """Weights of the views (seed 002, 6.3 and 10)."""

    dense: float = Field(0.45, ge=0, le=1)
    bm25f: float = Field(0.35, ge=0, le=1)
    tree_prior: float = Field(0.10, ge=0, le=1)
    intent_bonus: float = Field(0.10, ge=0, le=1)
    statement: float = Field(1.0, ge=0, le=1)
    # What a text that surely answers gains, by the reader that ships, on one that surely does not.
    reading: float = Field(0.3, ge=0, le=1)
    # What a question's words standing together in a text are worth, as a share of bm25f; 0 reads no text.
    together: float = Field(2 / 3, ge=0, le=1)


class FieldWeights(Section):
    """Weights of the sparse fields, applied to term frequencies before saturation (BM25F)."""

    title: float = Field(2.0, ge=0)
    caption: float = Field(1.5, ge=0)
    table_schema: float = Field(1.5, ge=0)
    labels: float = Field(2.0, ge=0)
    aliases: float = Field(0.5, ge=0)
    body: float = Field(1.0, ge=0)


class ExpansionSettings(Section):
    """Radii of the walk over the graph (seed 002, 6.4 and 10)."""

    parent: int = Field(1, ge=0)
    siblings: int = Field(2, ge=0)
    children: int = Field(2, ge=0)
    same_page: int = Field(8, ge=0)


class RetrievalSettings(Section):
    """Recall, fusion and expansion; ``window`` is how many neighbours on either side may come with a passage.

    They do where the widened block answers the question better (seed 004, 3.5); 0 lets none come. A section comes whole
    where most of its paragraphs were found, if it is no longer than ``parent_size``. The reader that ships
    reads the first ``k_read`` texts of a hybrid search, at most ``k_read_large`` where a large library takes long to
    search; 0: none. With ``formal_words`` what documents may write for a question's everyday words is looked for, too.
    """

    top_k: int = Field(10, ge=1, le=1000)
    k_dense: int = Field(200, ge=1)
    k_sparse: int = Field(200, ge=1)
    k_rerank: int = Field(40, ge=1)
    k_read: int = Field(48, ge=0, le=100)
    k_read_large: int = Field(6, ge=0, le=100)
    window: int = Field(1, ge=0, le=10)
    parent_size: int = Field(2000, ge=0)
    translate: bool = True
    formal_words: bool = True
    fusion: FusionSettings = FusionSettings()
    fields: FieldWeights = FieldWeights()
    expansion: ExpansionSettings = ExpansionSettings()


class SummarySettings(OwnModelSettings):
    """MMR summaries (seed 002, 5.1 and 10), and the model of those that somebody asks for.

    ``with_model`` lets the language model summarise sections and name those without a title (seed 003, 5.2.2).
    It is off unless asked for: a long document takes hundreds of calls, which may cost money.
    """

    with_model: bool = False
    k_section: int = Field(3, ge=1)
    k_section_long: int = Field(6, ge=1)
    k_image: int = Field(3, ge=1)
    k_table: int = Field(3, ge=1)
    k_leaf: int = Field(2, ge=1)
    mmr_lambda: float = Field(0.72, ge=0, le=1)


class AnnSettings(Section):
    """Vectors: scopes up to ``exact_limit`` of them are searched exactly; the rest shapes the index of larger ones.

    A new shape holds for what is made anew: the collections of a new model, and what is exported.
    """

    m: int = Field(32, ge=4, le=128)
    ef_construction: int = Field(100, ge=8)
    ef_search: int = Field(100, ge=8)
    exact_limit: int = Field(4000, ge=0)


class QualityCheckSettings(Section):
    """When a direct answer is not enough: with ``use_llm_judgment`` where the model that wrote it says so.

    ``use_reader`` lets the reader and the judge of statements that ship judge, too.
    """

    min_relevance_score: float = Field(0.7, ge=0, le=1)
    use_llm_judgment: bool = True
    use_reader: bool = True


class InfoDensitySettings(Section):
    """How full of answers the evidence is."""

    sufficient_threshold: float = Field(0.8, ge=0, le=1)
    low_threshold: float = Field(0.3, ge=0, le=1)


class FeedbackSettings(Section):
    """What the agent does next when a step disappoints."""

    empty_result_action: NextAction = "refine_query"
    low_relevance_action: NextAction = "explore_deeper"
    contradiction_action: NextAction = "verify_sources"


class StrategySettings(Section):
    """Bounds of the agent's exploration."""

    max_depth_exploration: int = Field(3, ge=0)
    query_refinement_attempts: int = Field(2, ge=0)
    enable_verification: bool = True


class ToolSettings(Section):
    """Bounds of the agent's tools."""

    search_top_k: int = Field(5, ge=1)
    max_context_tokens: int = Field(8000, ge=256)
    enable_summarize: bool = True


class AgentSettings(Section):
    """The agent loop (seed 003, chapter 6)."""

    max_iterations: int = Field(3, ge=1, le=20)
    enable_web_search: bool = False
    quality_check: QualityCheckSettings = QualityCheckSettings()
    info_density: InfoDensitySettings = InfoDensitySettings()
    feedback: FeedbackSettings = FeedbackSettings()
    strategy: StrategySettings = StrategySettings()
    tools: ToolSettings = ToolSettings()


class RerankSettings(EndpointSettings):
    """Reranking and summaries by a model (seed 001).

    ``method`` llm asks the language model, endpoint a cross-encoder at ``api_base`` (a ``/rerank`` address).
    ``model`` and ``summary_model``, where they are given or the address is OpenAI's, are asked instead of the language
    model and of the one for summaries, at the same address.
    With ``adaptive`` the threshold comes down when no node reaches it.
    """

    enabled: bool = False
    method: Literal["llm", "endpoint"] = "llm"
    adaptive: bool = False
    enable_summary: bool = False
    model: str = "gpt-4o-mini"
    summary_model: str = "gpt-4o-mini"
    top_n: int = Field(5, ge=1)
    relevance_threshold: float = Field(0.6, ge=0, le=1)
    max_summary_length: int = Field(500, ge=20)

    @property
    def asks_model(self) -> bool:
        """True where a model judges or condenses what was found."""
        return self.enabled or self.enable_summary


class ExportSettings(Section):
    """Files for other programs, written below ``folder`` (within the library folder, where it is no absolute path).

    With ``on_ingest`` the index artefacts of what is added (seed 002, 3), with ``on_question`` the nodes that each
    question finds (seed 000).
    """

    folder: str = Field("exports", min_length=1)
    on_ingest: bool = False
    on_question: bool = False


class Settings(Section):
    """All settings of one library."""

    database: DatabaseSettings = DatabaseSettings()
    llm: LlmSettings = LlmSettings()
    vision: EndpointSettings = EndpointSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    parsing: ParsingSettings = ParsingSettings()
    indexing: IndexingSettings = IndexingSettings()
    ocr: OcrSettings = OcrSettings()
    topics: TopicSettings = TopicSettings()
    watch: WatchSettings = WatchSettings()
    server: ServerSettings = ServerSettings()
    access: AccessSettings = AccessSettings()
    logging: LoggingSettings = LoggingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    summary: SummarySettings = SummarySettings()
    ann: AnnSettings = AnnSettings()
    search: SearchSettings = SearchSettings()
    agent: AgentSettings = AgentSettings()
    web_search: WebSearchSettings = WebSearchSettings()
    rerank: RerankSettings = RerankSettings()
    export: ExportSettings = ExportSettings()
    endpoints: Endpoints = Field({})

    @property
    def parsing_in_force(self) -> ParsingSettings:
        """How files are parsed: where embeddings are off, without the embedding model."""
        if self.embedding.enabled:
            return self.parsing
        by_words = self.parsing.semantic_chunking.model_copy(update={"similarity_threshold": 0.0})
        return self.parsing.model_copy(update={"semantic_chunking": by_words})

    def llm_for(self, manner: Manner) -> LlmSettings:
        """Return the model that answers where a conversation has chosen one. Raises UsageError for no such endpoint."""
        own = self.endpoints.get(manner.endpoint) if manner.endpoint else OwnModelSettings()
        if own is None:
            raise UsageError(f"No endpoint is named {manner.endpoint}, but: {', '.join(self.endpoints)}.")
        llm = own.model_copy(update={"model": manner.model or own.model}).inheriting(self.llm)
        told = {"temperature": manner.temperature, "language": manner.language or None}
        return llm.model_copy(update={name: value for name, value in told.items() if value is not None})

    @property
    def vision_llm(self) -> LlmSettings:
        """The model that describes pictures."""
        return LlmSettings(**self.vision.model_dump(), temperature=0)

    @property
    def indexing_llm(self) -> LlmSettings:
        """The model that is asked about what is added."""
        return self.indexing.inheriting(self.llm)

    @property
    def summary_llm(self) -> LlmSettings:
        """The model of the summaries that somebody asks for."""
        return self.summary.inheriting(self.llm)

    @property
    def rerank_llm(self) -> LlmSettings:
        """The model that judges what was found, where a model does."""
        return self._named(self.llm, "model")

    @property
    def found_summary_llm(self) -> LlmSettings:
        """The model that condenses what was found."""
        return self._named(self.summary_llm, "summary_model")

    def _named(self, llm: LlmSettings, field: Literal["model", "summary_model"]) -> LlmSettings:
        """The default is a model of OpenAI's: elsewhere, unless it is given, the language model is asked."""
        there = not llm.api_base or urlsplit(llm.api_base).hostname == "api.openai.com"
        named: str = getattr(self.rerank, field) if there or field in self.rerank.model_fields_set else ""
        return OwnModelSettings(model=named).inheriting(llm)
