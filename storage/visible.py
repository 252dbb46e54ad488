"""What is beside the documents of a library, for somebody who may not read all of them.

Whatever tells of a document that is hidden is left out, and asking for it is answered as if there were none.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import NO_DOCUMENT, AccessError, NotFoundError
from engine.model import Conversation, Job, Message, SavedQuestion
from storage.collections import NONE, Collections, Rights, StoredCollection, named
from storage.conversations import Conversations
from storage.jobs import Jobs
from storage.questions import Questions
from storage.topics import StoredTopic, TopicLink, TopicProfile, Topics, no_topic, resolved

MOST_JOBS = 100_000
ONLY_READ = "You may read what is in this collection, and not change it."
OWNERS_ONLY = "Only an owner of the library may do this."


@dataclass(frozen=True)
class Sight:
    """What somebody sees and may change of a library's documents, as they are sorted now."""

    rights: Rights
    collections: Collections
    is_free: Callable[[str], bool]
    """Tells whether no document has an id."""

    def shows(self, document_id: str) -> bool:
        """Tell whether a document may be read."""
        return self.collections.members().get(document_id, NONE) in self.rights.readable

    def must_be_editable(self, document_id: str) -> None:
        """Raise AccessError for a document that may be read and not changed, NotFoundError for a hidden one."""
        if not self.shows(document_id):
            raise NotFoundError(NO_DOCUMENT.format(document_id))
        if self.collections.members().get(document_id, NONE) not in self.rights.editable:
            raise AccessError(ONLY_READ)


class _Part:
    """A part of a library of which some methods are narrowed; the others are the part's own."""

    def __init__(self, whole: Any, sight: Sight) -> None:
        self._whole = whole
        self._sight = sight

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)


class VisibleCollections(_Part):
    """The collections that somebody may read."""

    _whole: Collections

    def list(self) -> Sequence[StoredCollection]:
        """Return them by name; who else may see them is not told."""
        readable = self._sight.rights.readable
        return [replace(one, readers=(), editors=()) for one in self._whole.list() if one.collection_id in readable]

    def members(self) -> Mapping[str, str]:
        """Return the collection's id for each document that is in one of them."""
        readable = self._sight.rights.readable
        return {one: held for one, held in self._whole.members().items() if held in readable}

    @property
    def home(self) -> str:
        """Where a new document comes: into none, or into the only collection that may be edited."""
        editable = self._sight.rights.editable
        if NONE in editable:
            return NONE
        if len(editable) == 1:
            return next(iter(editable))
        raise AccessError("Name a collection that you may edit.")

    def save(self, _given: StoredCollection | str) -> None:
        """Raise AccessError."""
        raise AccessError(OWNERS_ONLY)

    remove = save

    def put(self, document_ids: Sequence[str], collection_id: str) -> None:
        """Put documents into a collection. Raises AccessError where either may not be edited."""
        if collection_id not in self._sight.rights.editable:
            raise AccessError(ONLY_READ)
        for one in document_ids:
            if not self._sight.is_free(one):
                self.must_be_editable(one)
        self._whole.put(document_ids, collection_id)

    def must_be_editable(self, document_id: str) -> None:
        """Raise AccessError for a document that may only be read, NotFoundError for one that is hidden."""
        self._sight.must_be_editable(document_id)

    def documents_of(self, references: Sequence[str]) -> Sequence[str]:
        """Return the ids of the documents in any of these. Raises NotFoundError."""
        return self._whole.documents_of([one.collection_id for one in named(references, self.list())])


class VisibleTopics(_Part):
    """The topics that documents belong to which somebody may read."""

    _whole: Topics

    @property
    def changes(self) -> int:
        """A number that becomes another with topics, links, and what is hidden."""
        return self._whole.changes + self._sight.collections.changes

    def list(self) -> Sequence[StoredTopic]:
        """Return them, and those that were merged into them."""
        topics = {topic.topic_id: topic for topic in self._whole.list()}
        there = {link.topic_id for link in self.links() if link.by_hand >= 0}
        standing = {one: resolved(one, topics) for one in topics}
        return [topics[one] for one, into in standing.items() if into is not None and into.topic_id in there]

    def links(self) -> Sequence[TopicLink]:
        """Return the links of documents that may be read."""
        return [link for link in self._whole.links() if self._sight.shows(link.document_id)]

    def profiles(self) -> Sequence[TopicProfile]:
        """Return the profiles of documents that may be read."""
        return [one for one in self._whole.profiles() if self._sight.shows(one.document_id)]

    def documents_of(self, references: Sequence[str]) -> Sequence[str]:
        """Return the documents in any of these topics that may be read. Raises NotFoundError."""
        found = set()
        for reference in references:
            those = {one for one in self._whole.documents_of([reference]) if self._sight.shows(one)}
            if not those:
                raise no_topic(reference)
            found |= those
        return sorted(found)


class VisibleJobs(_Part):
    """The work on documents that somebody may read."""

    _whole: Jobs

    def list(self, states: Sequence[str] = (), owner: str | None = None, limit: int = 100) -> Sequence[Job]:
        """Return jobs, newest first."""
        found = self._whole.list(states, owner, MOST_JOBS)
        return [job for job in found if self._shown(job)][:limit]

    def get(self, job_id: str) -> Job:
        """Return a job. Raises NotFoundError."""
        job = self._whole.get(job_id)
        if not self._shown(job):
            raise NotFoundError(f"There is no job {job_id}.")
        return job

    def cancel(self, job_id: str) -> bool:
        """Cancel a job; False when it is over, or none of those."""
        return self._known(job_id) and self._whole.cancel(job_id)

    def retry(self, job_id: str) -> bool:
        """Queue a failed or cancelled job again."""
        return self._known(job_id) and self._whole.retry(job_id)

    def dismiss(self, job_id: str) -> bool:
        """Forget a job that is over; False when it is none of those."""
        return self._known(job_id) and self._whole.dismiss(job_id)

    def _known(self, job_id: str) -> bool:
        try:
            self._sight.must_be_editable(self.get(job_id).document_id)
        except NotFoundError:
            return False
        return True

    def _shown(self, job: Job) -> bool:
        return self._sight.shows(job.document_id)


class VisibleConversations(_Part):
    """Conversations without the answers that rest on documents which somebody may not read (any more)."""

    _whole: Conversations

    def get(self, owner: str, conversation_id: str) -> tuple[Conversation, Sequence[Message]]:
        """Return a conversation with its messages in order. Raises NotFoundError."""
        talk, messages = self._whole.get(owner, conversation_id)
        return talk, [self._shown(message) for message in messages]

    def _shown(self, message: Message) -> Message:
        if all(map(self._sight.shows, _documents_in(message.answer))):
            return message
        return replace(message, text="", answer=None, state="withheld")


class VisibleQuestions(_Part):
    """Saved questions, of which none expects what somebody may not read."""

    _whole: Questions

    def list(self, owner: str) -> Sequence[SavedQuestion]:
        """Return the owner's questions, the newest first."""
        return [
            one for one in self._whole.list(owner) if all(self._sight.shows(node.document_id) for node in one.expected)
        ]


# What a view has in place of these parts of a library.
PARTS: Mapping[str, Callable[[Any, Sight], _Part]] = {
    "collections": VisibleCollections,
    "topics": VisibleTopics,
    "jobs": VisibleJobs,
    "conversations": VisibleConversations,
    "questions": VisibleQuestions,
}


def _documents_in(value: Any) -> Iterator[str]:
    """Yield the ids of all documents that an answer's JSON names, wherever in it."""
    if isinstance(value, Mapping):
        if isinstance(value.get("document_id"), str):
            yield value["document_id"]
        for part in value.values():
            yield from _documents_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from _documents_in(part)
