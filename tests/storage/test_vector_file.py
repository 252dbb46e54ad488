"""Vectors that nothing is linked to go, and are counted only where links have gone."""

import numpy as np

from storage.embedded.vectors import VectorFile


def test_unused_vectors_are_counted_once_after_links_went(tmp_path, monkeypatch):
    file = VectorFile(tmp_path, read_only=False)
    model = file.create("any", 2)
    texts = {bytes([n]) * 16: np.float32([1, 0]) for n in range(4)}
    file.add(model.id, texts, [(n, digest) for n, digest in enumerate(texts)])
    asked = []
    read = file.read
    monkeypatch.setattr(file, "read", lambda *given: asked.append(given) or read(*given))
    assert not file.forget_unused(1) and not file.forget_unused(1) and len(asked) == 1
    file.unlink([(0, 2)])
    assert file.forget_unused(1) and not file.forget_unused(1) and len(asked) == 2
    assert list(file.remembered(model.id, list(texts))) == [bytes([3]) * 16]
    file.close()
