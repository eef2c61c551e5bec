"""Answers to exercise ``decoder_forward``, as learners write them."""

from answering import wrong


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
