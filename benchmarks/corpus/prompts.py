# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Twenty fixed prompts of 5 to 200 tokens, cut from one fixed text."""

from __future__ import annotations

from collections.abc import Callable

COUNT, SHORTEST, LONGEST = 20, 5, 200
TEXT = """A river does not wait until the lake above it is empty before it begins to flow, and a good machine for
streams does not wait either. The first stage takes a piece, works on it, and hands it to the second stage while it
already reaches for the next one. Between the two lies a small basin, just deep enough that neither has to stand still:
too shallow and the first stage must stop whenever the second one pauses, too deep and the basin costs more land than
the mill beside it. The art of the builder is to know, before anything is dug, how deep each basin has to be. In the
spring of that year the engineer walked along the valley with a notebook and measured everything twice. She wrote down
how many barrels an hour each wheel could lift, how long the carts needed from the quarry to the gate, and on which
days the wind came from the east. In the evening she drew the plan again from the beginning, because the order in which
the stones arrived was not the order in which the masons wanted them. Some had to be kept for a while and turned, and
for those she left a yard beside the road. Others could be passed from hand to hand without ever touching the ground.
"Why do you not simply build one large yard in the middle?" asked the miller. "Because," she answered, "everything
would have to be carried there first, and everything would have to be carried away again. Most of what we make is
needed only once, and it is needed next door." The miller thought about this for some time. He had always believed that
a larger barn was the answer to every question, and his father had believed it before him. But he could count, and when
he had counted the steps of his men between the barn and the wheel, he closed the barn and sold the door. What is the
capital of France? The capital of France is Paris. What is two plus two? Two plus two is four. Write a short story about
a fox that learns to swim. Once upon a time there was a fox who lived at the edge of a wide and quiet lake. Every
morning she saw the ducks glide over the water, and every morning she wished that she could follow them."""


def prompts(encode: Callable[[str], list[int]]) -> list[list[int]]:
    """Token ids: pieces of the text, their beginnings and lengths spread evenly."""
    ids = encode(" ".join(TEXT.split()))
    if len(ids) <= LONGEST:
        raise ValueError(f"the text has {len(ids)} tokens, but the longest prompt needs {LONGEST}")
    lengths = [SHORTEST + index * (LONGEST - SHORTEST) // (COUNT - 1) for index in range(COUNT)]
    starts = [index * (len(ids) - LONGEST) // (COUNT - 1) for index in range(COUNT)]
    return [ids[start : start + length] for start, length in zip(starts, lengths, strict=True)]
