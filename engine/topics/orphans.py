"""Topics whose own documents are gone: what is left in them only resembled those, and is told anew."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.topics.assign import names_topic
from storage.topics import StoredTopic, TopicLink, TopicProfile


def orphaned_links(
    gone: Collection[str],
    topics: Mapping[str, StoredTopic],
    links: Mapping[str, Sequence[TopicLink]],
    profiles: Mapping[str, TopicProfile],
) -> dict[str, list[TopicLink]]:
    """Return the links, by document, that are left to documents of topics that lost their own ones.

    ``gone`` are the documents (ids) that were removed, ``links`` those of all documents, ``profiles`` of those that
    are there. A topic lost its own documents when one that was removed belonged to it and none that is there says its
    name. What a person made or decided stays.
    """
    touched = {link.topic_id for one in gone for link in links.get(one, ()) if link.by_hand >= 0}
    members: dict[str, list[str]] = {topic_id: [] for topic_id in touched}
    decided: set[str] = set()
    for document_id in profiles:
        for link in links.get(document_id, ()):
            if link.topic_id in touched and link.by_hand >= 0:
                members[link.topic_id].append(document_id)
            if link.by_hand > 0:
                decided.add(link.topic_id)
    lost = {
        topic_id
        for topic_id, documents in members.items()
        if topic_id not in decided
        and (topic := topics.get(topic_id)) is not None
        and not topic.by_hand
        and not any(_says(profiles[one], topic) for one in documents)
    }
    return {
        document_id: [link for link in links[document_id] if link.topic_id not in lost]
        for document_id in dict.fromkeys(one for topic_id in lost for one in members[topic_id])
    }


def _says(profile: TopicProfile, topic: StoredTopic) -> bool:
    return names_topic(topic, f"{profile.title}\n{profile.text}".casefold())
