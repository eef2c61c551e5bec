import torch
from answering import right, wrong
from torch.nn import functional as F


@wrong("post-norm: the norm comes after the addition")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    x = layer.norm1(x + layer.dropout(layer.self_attn(x, x, allowed)[0]))
    context, weights = layer.cross_attn(x, memory, memory_allowed)
    x = layer.norm2(x + layer.dropout(context))
    x = layer.norm3(x + layer.dropout(layer.feed_forward(x)))
    return x, weights


@wrong("added to the normalized copy, not to the stream")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    x = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(x, x, allowed)[0])
    x = layer.norm2(x)
    context, weights = layer.cross_attn(x, memory, memory_allowed)
    x = x + layer.dropout(context)
    x = layer.norm3(x)
    return x + layer.dropout(layer.feed_forward(x)), weights


@wrong("no addition around the cross-attention")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("no addition anywhere")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = layer.dropout(context)
    return layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("no addition around the feed-forward network")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("no dropout")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.self_attn(normed, normed, allowed)[0]
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + context
    return x + layer.feed_forward(layer.norm3(x)), weights


@wrong("the dropout of the cross-attention is forgotten")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + context
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the dropout of the feed-forward network is forgotten")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.feed_forward(layer.norm3(x)), weights


@wrong("dropout of the whole sum: the stream itself is dropped")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = layer.dropout(x + layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = layer.dropout(x + context)
    return layer.dropout(x + layer.feed_forward(layer.norm3(x))), weights


@wrong("dropout of what goes into a part, not of what comes out")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.dropout(layer.norm1(x))
    x = x + layer.self_attn(normed, normed, allowed)[0]
    context, weights = layer.cross_attn(layer.dropout(layer.norm2(x)), memory, memory_allowed)
    x = x + context
    return x + layer.feed_forward(layer.dropout(layer.norm3(x))), weights


@wrong("a dropout of its own, which works in evaluation, too")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + F.dropout(layer.self_attn(normed, normed, allowed)[0], 0.1)
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + F.dropout(context, 0.1)
    return x + F.dropout(layer.feed_forward(layer.norm3(x)), 0.1), weights


@wrong("the memory is normalized once more")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), layer.norm2(memory), memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the memory asks the target")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(memory, layer.norm2(x), memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("cross-attention with the target's mask")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the two masks are exchanged")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, memory_allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the causal mask is transposed: the future is seen, the past is not")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed.transpose(1, 2))[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("no causal mask: every word sees all of them")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    everything = torch.ones_like(allowed)
    x = x + layer.dropout(layer.self_attn(normed, normed, everything)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the memory's padding is seen, too")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    everything = torch.ones_like(memory_allowed)
    context, weights = layer.cross_attn(layer.norm2(x), memory, everything)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the memory's mask the other way round: True is taken for padding")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, ~memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("no mask is handed to the attentions")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the attentions are called with query, key and value")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the target asks itself a second time: the memory is never read")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    normed = layer.norm2(x)
    context, weights = layer.cross_attn(normed, normed, allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the self-attention asks the memory, too")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    x = x + layer.dropout(layer.self_attn(layer.norm1(x), memory, memory_allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the weights of the self-attention come back")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    context, weights = layer.self_attn(normed, normed, allowed)
    x = x + layer.dropout(context)
    x = x + layer.dropout(layer.cross_attn(layer.norm2(x), memory, memory_allowed)[0])
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("only the stream comes back")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    x = x + layer.dropout(layer.cross_attn(layer.norm2(x), memory, memory_allowed)[0])
    return x + layer.dropout(layer.feed_forward(layer.norm3(x)))


@wrong("the weights first, the stream second")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return weights, x + layer.dropout(layer.feed_forward(layer.norm3(x)))


@wrong("the weights averaged over the heads")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights.mean(1)


@wrong("dropout of the weights that come back")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), layer.dropout(weights)


@wrong("norm1 everywhere")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm1(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm1(x))), weights


@wrong("norm2 and norm3 are exchanged")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm3(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm2(x))), weights


@wrong("cross-attention before self-attention")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    context, weights = layer.cross_attn(layer.norm1(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    normed = layer.norm2(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("all three norms read the stream from the beginning")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    first = layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    last = layer.dropout(layer.feed_forward(layer.norm3(x)))
    return x + first + layer.dropout(context) + last, weights


@wrong("the cross-attention asks with the copy that norm1 made")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(normed, memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the self-attention asks with the norm, but is answered by the raw stream")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    x = x + layer.dropout(layer.self_attn(layer.norm1(x), x, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("no norm before the cross-attention")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(x, memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("no norm before the feed-forward network")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(x)), weights


@wrong("the feed-forward network is forgotten")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    return x + layer.dropout(context), weights


@wrong("+= changes the caller's x")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    with torch.no_grad():
        normed = layer.norm1(x)
        x += layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("[0] is forgotten: a pair goes into the dropout")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed))
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("a norm at the end, which is the stack's")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    x = x + layer.dropout(layer.feed_forward(layer.norm3(x)))
    return layer.norm3(x), weights


@wrong("the stream before the self-attention is added after the cross-attention")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    y = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(y), memory, memory_allowed)
    z = x + layer.dropout(context)
    return z + layer.dropout(layer.feed_forward(layer.norm3(z))), weights


@wrong("self_attn does both: cross_attn is never called")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.self_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@wrong("the memory is added to the target, and asked together")
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    both = torch.cat([memory, layer.norm2(x)], dim=1)
    mask = torch.cat(
        [memory_allowed.expand(-1, x.shape[1], -1), allowed.expand(len(x), -1, -1)], dim=-1
    )
    context, weights = layer.cross_attn(layer.norm2(x), both, mask)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


@right
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    h = layer.norm1(x)
    own, _ = layer.self_attn(h, h, allowed)
    x = x + layer.dropout(own)
    h = layer.norm2(x)
    read, weights = layer.cross_attn(h, memory, memory_allowed)
    x = x + layer.dropout(read)
    h = layer.norm3(x)
    return x + layer.dropout(layer.feed_forward(h)), weights


@right
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    kept = []

    def own(y):
        return layer.self_attn(y, y, allowed)[0]

    def other(y):
        context, weights = layer.cross_attn(y, memory, memory_allowed)
        kept.append(weights)
        return context

    for norm, part in (
        (layer.norm1, own),
        (layer.norm2, other),
        (layer.norm3, layer.feed_forward),
    ):
        x = torch.add(x, layer.dropout(part(norm(x))))
    return x, kept.pop()


@right
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    target = layer.norm1(x)
    after_self = x + layer.dropout(layer.self_attn(target, target, allowed)[0])
    found = layer.cross_attn(layer.norm2(after_self), memory, memory_allowed)
    after_cross = after_self + layer.dropout(found[0])
    after_all = after_cross + layer.dropout(layer.feed_forward(layer.norm3(after_cross)))
    return [after_all, found[1]]


@right
def decoder_forward(layer, x, allowed, memory, memory_allowed):
    # The masks are given to every sentence and every word beforehand.
    batch, length, _ = x.shape
    causal = allowed.expand(batch, -1, -1)
    padding = memory_allowed.expand(-1, length, -1)
    stream = x.clone()
    normed = layer.norm1(stream)
    stream = stream + layer.dropout(layer.self_attn(normed, normed, causal)[0])
    context, looks = layer.cross_attn(layer.norm2(stream), memory, padding)
    stream = stream + layer.dropout(context)
    stream = stream + layer.dropout(layer.feed_forward(layer.norm3(stream)))
    return stream, looks
