"""The embedding model's layers in torch, with heads that read, and the way back to ONNX.

Weights come from ``model.onnx`` (8-bit layers, a 4-bit table of words) and go back in the same form: 8-bit weights by
column, static 8-bit activations whose outlying channels are evened out, as in that file. What stays as it was (the
table of words, the first layers) is stored once: ``reader.onnx`` points into ``model.onnx``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

WIDTH, HEADS, LAYERS = 384, 12, 12
# So many layers are as they were.
FROZEN = 3
_LINEAR = ("qkv", "ao", "fi", "fo")
_NORMS = ("aln", "oln")
_EPSILON = 1e-12
_NOWHERE = -1e4
# Tensors smaller than this are not worth pointing at.
_SHARED_BYTES = 100_000


class Layer(nn.Module):  # type: ignore[misc]  # torch is no dependency
    """A layer of the encoder: attention and a feed-forward part, each normalised after it is added."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.ao = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.fi, self.fo = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.aln, self.oln = nn.LayerNorm(WIDTH, eps=_EPSILON), nn.LayerNorm(WIDTH, eps=_EPSILON)

    def forward(self, x: Any, mask: Any) -> Any:
        """Return the tokens' vectors, shape (batch, tokens, width), after this layer."""
        batch, tokens, _ = x.shape
        parts = self.qkv(x).view(batch, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        near = (parts[0] @ parts[1].transpose(-1, -2)) * (WIDTH // HEADS) ** -0.5
        near = torch.softmax(near.masked_fill(~mask, _NOWHERE).float(), -1).to(parts.dtype)
        x = self.aln(x + self.ao((near @ parts[2]).transpose(1, 2).reshape(batch, tokens, WIDTH)))
        return self.oln(x + self.fo(functional.gelu(self.fi(x))))


class Reader(nn.Module):  # type: ignore[misc]
    """The encoder with a head for the first and last token of an answer and one for whether there is any."""

    def __init__(self, path: Path, verdicts: int = 1) -> None:
        """``path`` is that of ``model.onnx``, or of a ``reader.onnx`` beside it, which is trained on.

        With more than one of ``verdicts`` the last head is new, unless the file has it of that size.
        """
        super().__init__()
        stored = {tensor.name: tensor for tensor in onnx.load(str(path)).graph.initializer}

        def weight(name: str) -> Any:
            return torch.tensor(numpy_helper.to_array(stored[name]).astype(np.float32))

        self.register_buffer("words", torch.tensor(_words(stored), dtype=torch.bfloat16))
        self.register_buffer("positions", weight("pos"))
        self.register_buffer("norm", torch.stack([weight("emb.ln.w"), weight("emb.ln.b")]))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        for number, layer in enumerate(self.layers):
            for part in _LINEAR:
                key, linear = f"l{number}.{part}", getattr(layer, part)
                matrix = weight(f"{key}.q") * weight(f"{key}.s")
                if f"{key}.div" in stored:
                    matrix = matrix * weight(f"{key}.div").reshape(-1, 1)
                linear.weight.data, linear.bias.data = matrix.T.contiguous(), weight(f"{key}.b")
            for part in _NORMS:
                getattr(layer, part).weight.data = weight(f"l{number}.{part}.w")
                getattr(layer, part).bias.data = weight(f"l{number}.{part}.b")
        self.head_span = nn.Linear(WIDTH, 2)
        self.head_first, self.head_last = nn.Linear(2 * WIDTH, WIDTH), nn.Linear(WIDTH, verdicts)
        for name, head in self.named_heads():
            if f"{name}.w" in stored and stored[f"{name}.w"].dims[1] == head.out_features:
                head.weight.data, head.bias.data = weight(f"{name}.w").T.contiguous(), weight(f"{name}.b")

    def named_heads(self) -> Iterator[tuple[str, Any]]:
        """Yield each head with its name in ``reader.onnx``."""
        yield from (("span", self.head_span), ("v1", self.head_first), ("v2", self.head_last))

    def heads(self) -> Iterator[Any]:
        """Yield the parameters that are new."""
        for _, head in self.named_heads():
            yield from head.parameters()

    def forward(self, ids: Any, mask: Any, body: Any) -> tuple[Any, Any, Any]:
        """Return the logits of each token to begin and to end the answer (the first: none), and of the verdicts."""
        x = self.words[ids].float() + self.positions[: ids.shape[1]]
        x = functional.layer_norm(x, (WIDTH,), self.norm[0], self.norm[1], _EPSILON)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :].bool())
        able = body.clone()
        able[:, 0] = 1
        spans = self.head_span(x).float().masked_fill(~able.bool()[:, :, None], _NOWHERE)
        inside = body[:, :, None].to(x.dtype)
        mean = (x * inside).sum(1) / inside.sum(1).clamp(min=1)
        verdict = self.head_last(torch.tanh(self.head_first(torch.cat([x[:, 0], mean], -1))))
        return spans[:, :, 0], spans[:, :, 1], verdict.float()


def _words(stored: dict[str, Any]) -> np.ndarray:
    """Return the table of words, two 4-bit numbers of each byte times the scale of their block of 32."""
    rows, columns = stored["emb.q"].dims
    raw = np.frombuffer(stored["emb.q"].raw_data, np.uint8).reshape(rows, columns // 2)
    table = np.empty((rows, columns), np.float32)
    for place, half in ((0, raw & 15), (1, raw >> 4)):
        table[:, place::2] = (half.astype(np.int8) ^ 8) - 8
    return table * np.repeat(numpy_helper.to_array(stored["emb.s"]).astype(np.float32), 32, 1)


def export(model: Reader, base: Path, out: Path, batches: Sequence[dict[str, Any]]) -> None:
    """Write the trained model beside ``base``; the ranges of its activations are taken from ``batches``."""
    ranges = _ranges(model.eval(), batches)
    stored = onnx.load(str(base))
    graph = stored.graph
    new: dict[str, np.ndarray] = {}
    for number, layer in list(enumerate(model.layers))[FROZEN:]:
        new |= _quantized(f"l{number}.", layer, ranges)
    whole = base.read_bytes()
    for tensor in graph.initializer:
        if tensor.name in new:
            shape = numpy_helper.to_array(tensor).shape
            tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(new[tensor.name].reshape(shape)), tensor.name))
        elif len(tensor.raw_data) >= _SHARED_BYTES:
            _point_at(tensor, base.name, whole)
    _read_out(graph, model)
    del stored.metadata_props[:]
    stored.producer_name = "DropQA"
    onnx.save(stored, str(out))


def _ranges(model: Reader, batches: Sequence[dict[str, Any]]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return the least and greatest input of each linear part by channel, padding aside."""
    found: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    mask = torch.zeros(0)

    def watched(key: str) -> Callable[..., None]:
        def see(_module: Any, inputs: Any, _output: Any) -> None:
            seen = inputs[0].detach().float().reshape(-1, inputs[0].shape[-1])[mask]
            low, high = seen.min(0).values.numpy(), seen.max(0).values.numpy()
            if key in found:
                low, high = np.minimum(low, found[key][0]), np.maximum(high, found[key][1])
            found[key] = low, high

        return see

    for number, layer in enumerate(model.layers):
        for part in _LINEAR:
            getattr(layer, part).register_forward_hook(watched(f"l{number}.{part}"))
    with torch.no_grad():
        for batch in batches:
            mask = batch["mask"].reshape(-1).bool()
            model(**batch)
    return found


def _quantized(prefix: str, layer: Any, ranges: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, np.ndarray]:
    """Return a layer's tensors by name: 8-bit weights, and the step and zero of the activations they meet.

    What evens out the input of ``ao`` is folded into the values, which are a third of ``qkv``; elsewhere it divides.
    """
    found: dict[str, np.ndarray] = {}
    even = {part: _evened(*ranges[prefix + part]) for part in _LINEAR}
    for part in _LINEAR:
        linear, key = getattr(layer, part), prefix + part
        weight, bias = linear.weight.detach().numpy().copy(), linear.bias.detach().numpy().copy()
        if part == "qkv":
            weight[2 * WIDTH :] /= even["ao"][0][:, None]
            bias[2 * WIDTH :] /= even["ao"][0]
        divisor, low, high = even[part]
        weight *= divisor
        if part != "ao":
            found[f"{key}.div"] = (1 / divisor).astype(np.float32)
        step = (high - low) / 255
        scale = (np.maximum(np.abs(weight).max(1), 1e-9) / 127).astype(np.float32)
        found |= {
            f"{key}.as": np.array(step, np.float32), f"{key}.az": np.array(round(-low / step), np.uint8),
            f"{key}.q": np.rint(weight.T / scale).astype(np.int8), f"{key}.s": scale, f"{key}.b": bias,
        }  # fmt: skip
    for part in _NORMS:
        norm = getattr(layer, part)
        found |= {
            f"{prefix}{part}.w": norm.weight.detach().numpy(),
            f"{prefix}{part}.b": norm.bias.detach().numpy(),
        }
    return found


def _evened(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Return what each channel is divided by, and the least and greatest of all after that."""
    most = np.maximum(np.maximum(-low, high), 1e-4)
    divisor = np.sqrt(most / np.median(most)).astype(np.float32)
    return divisor, min(float((low / divisor).min()), 0.0), max(float((high / divisor).max()), 0.0)


def _point_at(tensor: Any, name: str, whole: bytes) -> None:
    """Let a tensor be read from another file, where it stands word for word."""
    at, length = whole.find(tensor.raw_data), len(tensor.raw_data)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", name), ("offset", str(at)), ("length", str(length))):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value


def _read_out(graph: Any, model: Reader) -> None:
    """Put the heads in the place of the mean that is the embedding."""
    pooling = {"maskf", "maskf3", "pool3", "pool", "embeddings"}
    kept = [node for node in graph.node if not pooling & set(node.output)]
    del graph.node[:]
    graph.node.extend(kept)

    def tensor(name: str, values: Any) -> None:
        graph.initializer.append(numpy_helper.from_array(np.array(values, order="C"), name))

    def node(operator: str, inputs: list[str], output: str, **attributes: Any) -> None:
        graph.node.append(helper.make_node(operator, inputs, [output], name=output, **attributes))

    for name, head in model.named_heads():
        tensor(f"{name}.w", head.weight.detach().numpy().T)
        tensor(f"{name}.b", head.bias.detach().numpy())
    tensor("least", np.ones(1, np.float32))
    tensor("zeroth", np.array(0, np.int64))
    hidden = "last_hidden_state"
    node("MatMul", [hidden, "span.w"], "span.m")
    node("Add", ["span.m", "span.b"], "spans")
    node("Cast", ["body_mask"], "body", to=TensorProto.FLOAT)
    node("Unsqueeze", ["body", "one"], "body3")
    node("MatMul", ["body3", hidden], "sum3")
    node("Squeeze", ["sum3", "one"], "sum")
    node("ReduceSum", ["body", "one"], "count", keepdims=1)
    node("Max", ["count", "least"], "count1")
    node("Div", ["sum", "count1"], "mean")
    node("Gather", [hidden, "zeroth"], "first", axis=1)
    node("Concat", ["first", "mean"], "both", axis=-1)
    node("Gemm", ["both", "v1.w", "v1.b"], "v1")
    node("Tanh", ["v1"], "v1.t")
    node("Gemm", ["v1.t", "v2.w", "v2.b"], "verdicts")
    graph.input.append(helper.make_tensor_value_info("body_mask", TensorProto.INT64, ["batch", "seq"]))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("spans", TensorProto.FLOAT, ["batch", "seq", 2]))
    graph.output.append(
        helper.make_tensor_value_info("verdicts", TensorProto.FLOAT, ["batch", model.head_last.out_features])
    )
