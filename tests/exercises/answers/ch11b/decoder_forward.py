"""Answers to exercise ``decoder_forward``, as learners write them."""

from answering import right, wrong


@wrong("This is post-norm")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    found, _ = layer.self_attn(x, x, allowed)
    x = layer.norm1(x + layer.dropout(found))
    found, weights = layer.cross_attn(x, memory, memory_allowed)
    x = layer.norm2(x + layer.dropout(found))
    return layer.norm3(x + layer.dropout(layer.feed_forward(x))), weights


@wrong("Too many: norm2")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    n = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(n, n, allowed)[0])
    c, w = layer.cross_attn(layer.norm2(x), layer.norm2(memory), memory_allowed)
    x = x + layer.dropout(c)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), w


@wrong("but those of self_attn")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    n = layer.norm1(x)
    c, w = layer.self_attn(n, n, allowed)
    x = x + layer.dropout(c)
    x = x + layer.dropout(layer.cross_attn(layer.norm2(x), memory, memory_allowed)[0])
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), w


@wrong("but the stream as it came in")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    x = x + layer.dropout(layer.self_attn(layer.norm1(x), x, allowed)[0])
    c, w = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(c)
    x = x + layer.dropout(layer.feed_forward(layer.norm3(x)))
    return x, w


@right
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    weights = None

    def first(normed):
        return layer.self_attn(normed, normed, allowed)[0]

    def second(normed):
        nonlocal weights
        found, weights = layer.cross_attn(normed, memory, memory_allowed)
        return found

    parts = [(first, layer.norm1), (second, layer.norm2), (layer.feed_forward, layer.norm3)]
    for part, norm in parts:
        x = x + layer.dropout(part(norm(x)))
    return x, weights


@right
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    stream = x.clone()
    normed = layer.norm1.forward(stream)
    stream = layer.dropout(layer.self_attn(normed, normed, allowed)[0]) + stream
    across = layer.cross_attn(layer.norm2(stream), memory, memory_allowed)
    stream = stream + layer.dropout(across[0])
    inner = layer.feed_forward[0](layer.norm3(stream)).clamp(min=0)
    stream = stream + layer.dropout(layer.feed_forward[2](inner))
    return [stream, across[1]]
