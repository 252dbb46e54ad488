"""The topics of one library: told from its documents, kept current, and changed by hand."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, count

import networkx

from engine.answer.events import OnEvent
from engine.config import Settings
from engine.enrich.asking import Asking, OnShare
from engine.errors import NotFoundError, ProviderError, UsageError
from engine.model import Answer, Document, Filters
from engine.providers.cancelling import Cancelled
from engine.providers.embedding import Embedder
from engine.providers.llm import Llm
from engine.summaries import Summarizer, Summary
from engine.topics.assign import FIRST, Assigned, Assignment
from engine.topics.by_model import tags_by_model
from engine.topics.entities import Named, Statement, most_named, said_in, said_of
from engine.topics.given_names import LONGEST_NAME
from engine.topics.known import VOTERS, KnownTopics, Topic, sentence_on
from engine.topics.library_graph import LibraryGraph
from engine.topics.likeness import Space
from engine.topics.names import NameIndex, fold
from engine.topics.profile import profile_of, state_of
from engine.topics.related import Related, related
from storage.base import Storage
from storage.topics import StoredTopic, TopicLink, TopicProfile, no_topic, resolved

MOST_CALLS = 2000
SUMMARISED = 8
# So many of a topic's documents are looked through for a sentence on it.
DESCRIBED_BY = 3
BY_MODEL_STEP = 0.08


@dataclass(eq=False)
class LibraryTopics:
    """Safe to call from several threads; what changes topics takes turns."""

    _storage: Storage
    _settings: Callable[[], Settings]
    _embedder: Callable[[], Embedder | None]
    _llm: Callable[[], Llm | None]
    _summaries: Callable[[], Summarizer]
    _graph: LibraryGraph
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _known: tuple[tuple[int, int], KnownTopics | None] = ((0, 0), None)
    _listed: tuple[object, list[Named]] = field(default_factory=lambda: (None, []))
    progress: float | None = None
    problem: str = ""

    # --- reading ------------------------------------------------------------------------------------

    def all(self) -> list[Topic]:
        """Return the topics that documents belong to, the largest first."""
        return list(self.known().topics)

    @property
    def state(self) -> tuple[int, int]:
        """What changes whenever topics or documents do; a cache key for anything derived from them."""
        return self._storage.snapshot().generation, self._storage.topics.changes

    def known(self) -> KnownTopics:
        """Return what is known now; the same object until topics or documents change."""
        state = self.state
        made, known = self._known
        if known is None or made != state:
            known = KnownTopics(self._storage.topics.list(), self._storage.topics.links(), self._storage.documents())
            self._known = (state, known)
        return known

    def described(self, topics: Sequence[Topic]) -> dict[str, tuple[str, str]]:
        """Return for topics, by id, a sentence that one of their surest documents says, and the id of that document."""
        about = {one.document_id: one.about for one in self._storage.topics.profiles()}
        stored = {one.topic_id: one.forms for one in self._storage.topics.list()}
        found: dict[str, tuple[str, str]] = {}
        for topic in topics:
            names = (topic.name, *stored.get(topic.topic_id, ()))
            alone = len(topic.documents) == 1 and topic.documents[0].confidence >= FIRST
            for one in topic.documents[:DESCRIBED_BY]:
                if said := sentence_on(names, about.get(one.document_id, ""), alone):
                    found.setdefault(topic.topic_id, (said, one.document_id))
        return found

    def get(self, reference: str) -> Topic:
        """Return a topic by id or name, the one that took it over where it was merged. Raises NotFoundError."""
        found = self._stored(reference)
        return self.known().by_id.get(found.topic_id) or Topic(found.topic_id, found.name, found.description)

    def of_document(self, document_id: str) -> list[tuple[Topic, float]]:
        """Return the topics of a document with their confidence, the surest first."""
        return self.known().of_document(document_id)

    def related(self, reference: str) -> list[Related]:
        """Return the documents related to one (id or name), the most related first. Raises NotFoundError."""
        document_id = self._storage.document(reference).document_id
        names = {one.document_id: one.name for one in self._storage.documents()}
        return related(document_id, self._graph.joined(document_id), names, self.known())

    def graph(self) -> networkx.MultiDiGraph:
        """Return the library's graph as it was last made, as far as it is seen; see ``library_graph``."""
        seen = {one.document_id for one in self._storage.documents()} | self.known().by_id.keys()
        return self._graph.get().subgraph(seen | {one.collection_id for one in self._storage.collections.list()})

    def names(self, query: str = "") -> list[Named]:
        """Return the names that tables and forms make known and that hold a query, those in most documents first."""
        made = self._graph.get(), self.state
        if self._listed[0] != made:
            self._listed = made, most_named(told for _, told in self._named())
        return [one for one in self._listed[1] if query.casefold() in one.name.casefold()]

    def _named(self) -> list[tuple[str, Mapping[str, Sequence[int]]]]:
        return [(key, said) for key, said in self.graph().nodes(data="said") if said]

    def said_of(self, name: str, filters: Filters = Filters()) -> list[Statement]:
        """Return what tables and forms say of a name, see ``entities``. Raises NotFoundError."""
        found = said_of(name, self._storage.snapshot(), filters)
        if found or not filters.empty:
            return found
        # The index finds too many places for a term that stands everywhere.
        knowing = (key for key, told in self._named() if fold(name) in map(fold, told))
        return next((said for key in knowing if (said := said_in(self._storage.tree(key), name))), [])

    def marked(self, question: str, answer: Answer) -> Answer:
        """Return an answer with the topics that its question is about (seed 003, 5.3.2)."""
        found = [source.document_id for source in answer.sources]
        return replace(answer, identified_topics=self.identify(question, found))

    def identify(self, question: str, documents: Sequence[str]) -> list[str]:
        """Return the names of up to three topics that a question is about, the surest first.

        What it names counts most; for the rest the documents vote (ids, the best first) in which it was looked for,
        where there are none those most alike to it in meaning (of 157 questions .89 to .92 right, .98 by the others).
        """
        voters = documents or [one for one, _ in self.alike(question)]
        return [topic.name for topic, _ in self.known().asked_for(question, voters)]

    def alike(self, question: str) -> list[tuple[str, float]]:
        """Return the documents (ids) whose vectors are most alike to that of a question, the most alike first."""
        if (embedder := self._embedder()) is None:
            return []
        there = {one.document_id for one in self._storage.documents()}
        vectors = {
            one.document_id: one.vector
            for one in self._storage.topics.profiles()
            if one.vector is not None and one.document_id in there and one.model == embedder.name
        }
        if not vectors:
            return []
        with suppress(ProviderError):
            space = Space(vectors | {"": embedder.query(question)}, embedder.spread)
            return [(one, value) for one, value in space.nearest("", VOTERS) if value > 0]
        return []

    def summary(self, reference: str, *, on_event: OnEvent | None = None) -> Summary:
        """Summarise the documents that belong to a topic most, with a place for every sentence.

        Raises NotFoundError, UsageError where there is no text; a failing model is told in the warnings.
        """
        topic = self.get(reference)
        surest = [one.document_id for one in topic.documents[:SUMMARISED]]
        return self._summaries().documents(surest, title=topic.name, on_event=on_event)

    def pending(self) -> list[Document]:
        """Return the documents whose topics are to be told: new or changed ones, all of whose vectors are there."""
        embedder = self._embedder()
        model = embedder.name if embedder else ""
        known = {p.document_id: p.state for p in self._storage.topics.profiles() if not _forgotten(p)}
        return [
            document
            for document in self._storage.documents()
            if known.get(document.document_id) != state_of(document, model)
            and (embedder is None or document.embedded >= document.retrievable)
        ]

    # --- telling ------------------------------------------------------------------------------------

    def refresh(self, on_progress: OnShare | None = None, stopped: Cancelled = lambda: False) -> int:
        """Tell the topics of new and changed documents; return how many were looked at. Others stay as they are.

        ``on_progress`` gets the share done. A model that fails is noted in ``problem``; topics are told without it.
        """
        with self._lock:
            there = {document.document_id for document in self._storage.documents()}
            known = {p.document_id for p in self._storage.topics.profiles() if not _forgotten(p)}
            if gone := sorted(known - there):
                self._storage.topics.forget(gone)
            documents, told = self.pending(), 0
            try:
                if documents:
                    self._report(0.0, on_progress)
                    told = self._tell(documents, on_progress, stopped)
            finally:
                self.progress = None
        self._graph.tell(stopped)
        return told

    def _report(self, share: float, on_progress: OnShare | None) -> None:
        self.progress = share
        if on_progress:
            on_progress(share)

    def _tell(self, documents: Sequence[Document], on_progress: OnShare | None, stopped: Cancelled) -> int:
        embedder = self._embedder()
        model = embedder.name if embedder else ""
        made = self._profiles(documents, embedder, on_progress, stopped)
        if stopped():
            return 0
        before, links = self._storage.topics.profiles(), self._links()
        changed = _changed(made, [p for p in before if p.document_id in links])
        there = [p for p in before if p.model == model and not _forgotten(p)]
        told = self._told({p.document_id: p for p in (*there, *made)}, changed, links, embedder, stopped)
        self._storage.topics.save(list(told.topics.values()), told.links, made)
        self._report(1.0, on_progress)
        return len(made)

    def _told(
        self, known: Mapping[str, TopicProfile], changed: Sequence[TopicProfile],
        links: Mapping[str, Sequence[TopicLink]], embedder: Embedder | None, stopped: Cancelled,
    ) -> Assigned:  # fmt: skip
        """Return the topics of changed documents: those that a model names, else those that fit among all ``known``."""
        settings = self._settings().topics
        topics = {topic.topic_id: topic for topic in self._storage.topics.list()}
        names = NameIndex(topics.values(), embedder, settings.similarity_threshold)
        tags = self._tags(changed, stopped)
        by_tags = self._by_tags(tags, topics, links, names)
        assignment = Assignment(
            list(known.values()), topics | by_tags.topics, {**links, **by_tags.links}, names,
            most=settings.max_topics_per_document, spread=embedder.spread if embedder else None,
        )  # fmt: skip
        found = assignment.run([p.document_id for p in changed if p.document_id not in by_tags.links])
        return Assigned(by_tags.topics | found.topics, by_tags.links | found.links)

    def _profiles(
        self, documents: Sequence[Document], embedder: Embedder | None, on_progress: OnShare | None, stopped: Cancelled
    ) -> list[TopicProfile]:
        """Return the profiles of documents, of those that come before a stop."""
        made: list[TopicProfile] = []
        for number, document in enumerate(documents, 1):
            if stopped():
                break
            with suppress(NotFoundError):  # removed meanwhile
                made.append(profile_of(document, self._storage, embedder))
                self._report(0.6 * number / len(documents), on_progress)
        return made

    def _tags(self, profiles: Sequence[TopicProfile], stopped: Cancelled) -> dict[str, list[str]]:
        """Return what a model says of each document, where one is set up, may see what is added, and replies."""
        self.problem = ""
        llm = self._llm() if self._settings().summary.with_model else None
        if llm is None:
            return {}
        try:
            asking = Asking(llm.model, self._storage.replies, MOST_CALLS)
        except ProviderError as error:  # a model that does not even tell its name
            self.problem = str(error)
            return {}
        most = self._settings().topics.max_topics_per_document
        found = {p.document_id: tags_by_model(p, llm, asking, most, stopped) for p in profiles if p.about.strip()}
        self.problem = asking.error
        return {document_id: tags for document_id, tags in found.items() if tags}

    def _by_tags(
        self, tags: Mapping[str, Sequence[str]], topics: Mapping[str, StoredTopic],
        before: Mapping[str, Sequence[TopicLink]], names: NameIndex,
    ) -> Assigned:  # fmt: skip
        """Link documents to the topics that a model named, new ones where none means the same (seed 003, 5.3.1)."""
        done = Assigned()
        for document_id in sorted(tags):
            links = done.links[document_id] = [link for link in before.get(document_id, ()) if link.by_hand]
            for rank, name in enumerate(tags[document_id]):
                found = names.find(name)
                if found is None:
                    new = names.new(name)
                    found, done.topics[new.topic_id] = new.topic_id, new
                topic = resolved(found, {**topics, **done.topics})
                if topic is not None and all(link.topic_id != topic.topic_id for link in links):
                    links.append(TopicLink(document_id, topic.topic_id, round(0.95 - BY_MODEL_STEP * rank, 3)))
        return done

    # --- by hand --------------------------------------------------------------------------------------

    def rename(self, reference: str, name: str) -> Topic:
        """Give a topic another name; what was said under the old one still leads to it.

        Raises NotFoundError, UsageError for an empty or long name, or one that another topic has.
        """
        with self._lock:
            topic, name = self._stored(reference), self._checked(name)
            other = self._exact(name)
            if other is not None and other.topic_id != topic.topic_id:
                raise UsageError(f"Another topic is called {other.name!r}. Merge the two, or choose another name.")
            # The former name and its vector go on leading to the topic: what is like it was meant by it.
            forms = tuple(dict.fromkeys([*topic.forms, topic.name, name]))
            self._storage.topics.save([replace(topic, name=name, forms=forms, by_hand=True)])
            return self.get(topic.topic_id)

    def merge(self, reference: str, other: str) -> Topic:
        """Put the documents of ``other`` into a topic, which keeps its name. Raises NotFoundError, UsageError."""
        with self._lock:
            topic, gone = self._stored(reference), self._stored(other)
            if topic.topic_id == gone.topic_id:
                raise UsageError("These are the same topic. Choose two.")
            links = self._links(gone.topic_id).items()
            changed = {one: _moved(its, gone.topic_id, topic.topic_id) for one, its in links}
            self._storage.topics.save([replace(gone, state="merged", into=topic.topic_id)], changed)
            return self.get(topic.topic_id)

    def split(self, reference: str, name: str, document_ids: Iterable[str]) -> Topic:
        """Move documents of a topic to a new one, or one that goes by that name already, and return that.

        They are kept out of the old one from now on. Raises NotFoundError, UsageError.
        """
        with self._lock:
            topic, name = self._stored(reference), self._checked(name)
            members = {one.document_id: one.confidence for one in self.get(topic.topic_id).documents}
            chosen = [one for one in dict.fromkeys(document_ids) if one in members]
            if not chosen:
                raise UsageError("Choose documents of this topic to move.")
            target = self._exact(name) or self._made(name)
            if target.topic_id == topic.topic_id:
                raise UsageError(f"The topic is called {name!r} itself. Choose another name.")
            links, both = self._links(), (topic.topic_id, target.topic_id)
            changed = {
                one: [
                    TopicLink(one, target.topic_id, max(members[one], FIRST), 1),
                    *(link for link in links[one] if link.topic_id not in both),
                    TopicLink(one, topic.topic_id, 0.0, -1),
                ]
                for one in chosen
            }
            self._storage.topics.save([target], changed)
            return self.get(target.topic_id)

    def delete(self, reference: str) -> Topic:
        """Delete a topic, not its documents; it does not come back by itself. Raises NotFoundError."""
        with self._lock:
            topic = self._stored(reference)
            was = self.get(topic.topic_id)
            links = self._links(topic.topic_id).items()
            changed = {one: [link for link in its if link.topic_id != topic.topic_id] for one, its in links}
            self._storage.topics.save([replace(topic, state="deleted")], changed)
            return was

    # --- inside ---------------------------------------------------------------------------------------

    def _links(self, topic_id: str = "") -> dict[str, list[TopicLink]]:
        """Return the links of the documents in a topic, refused ones too, or of all, by document."""
        links: dict[str, list[TopicLink]] = {}
        for link in self._storage.topics.links():
            links.setdefault(link.document_id, []).append(link)
        if not topic_id:
            return links
        return {key: of for key, of in links.items() if any(link.topic_id == topic_id for link in of)}

    def _stored(self, reference: str) -> StoredTopic:
        topics = {topic.topic_id: topic for topic in self._storage.topics.list()}
        found = resolved(reference, topics) or self._exact(reference)
        if found is None:
            raise no_topic(reference)
        return found

    def _exact(self, name: str) -> StoredTopic | None:
        wanted = name.strip().casefold()
        live = [topic for topic in self._storage.topics.list() if topic.state == "live"]
        return next((topic for topic in live if topic.name.casefold() == wanted), None)

    def _checked(self, name: str) -> str:
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not fold(name):
            raise UsageError(f"A topic's name has 1 to {LONGEST_NAME} characters, and a letter or digit.")
        return name

    def _made(self, name: str) -> StoredTopic:
        """Return a new topic; one that once had this name and is no more gives its id."""
        made = NameIndex((), self._embedder(), 1.0).new(name)
        taken = {topic.topic_id for topic in self._storage.topics.list() if topic.state != "deleted"}
        ids = chain([made.topic_id], (f"{made.topic_id}-{number}" for number in count(2)))
        return replace(made, topic_id=next(one for one in ids if one not in taken), by_hand=True)


def _forgotten(profile: TopicProfile) -> bool:
    return not profile.title and not profile.text


def _changed(made: Sequence[TopicProfile], before: Iterable[TopicProfile]) -> list[TopicProfile]:
    """Return the profiles that are not as before: what came back as it was stays where it was."""
    states = {profile.document_id: profile.state for profile in before}
    return [profile for profile in made if states.get(profile.document_id) != profile.state]


def _moved(links: Sequence[TopicLink], gone: str, into: str) -> list[TopicLink]:
    """Return a document's links with one topic in place of another; the surer link counts."""
    joined = [replace(link, topic_id=into) for link in links if link.topic_id in (gone, into)]
    surest = max(joined, key=lambda link: (link.by_hand, link.confidence))
    return [*(link for link in links if link.topic_id not in (gone, into)), surest]
