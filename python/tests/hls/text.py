# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A reader of HLS C++: functions, loops, branches, statements and pragmas.

It knows C++ only as far as hardware descriptions use it, and nothing of the emitter: the lint and the scan built on it
check generated text as they would check a text written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<pragma>\#[^\n]*)
      | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[fFuUlL]*)
      | (?P<name>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
      | (?P<sign><<=|>>=|<=|>=|==|!=|&&|\|\||\+\+|--|[-+*/%&|^]=|->|<<|::|.)""",
    re.VERBOSE,
)


@dataclass
class Token:
    kind: str
    text: str
    line: int


@dataclass
class Pragma:
    """`#pragma HLS name option=value flag`, or another preprocessor line (then `name` is empty)."""

    line: int
    text: str
    name: str = ""
    options: dict[str, str] = field(default_factory=dict)


@dataclass
class Statement:
    line: int
    tokens: list[Token]

    @property
    def text(self) -> str:
        return join(self.tokens)


@dataclass
class Loop:
    """A `for`; `trips` is None unless it counts from 0 to a literal. `while` and `do` have no header to speak of."""

    line: int
    keyword: str
    header: list[Token]
    variable: str
    trips: int | None
    body: list[Node]

    @property
    def pragmas(self) -> list[Pragma]:
        return [node for node in self.body if isinstance(node, Pragma)]

    @property
    def unrolled(self) -> bool:
        return any(pragma.name == "unroll" for pragma in self.pragmas)


@dataclass
class Branch:
    """`if`, or without a condition `else` or a block of its own."""

    line: int
    condition: list[Token]
    body: list[Node]
    is_block: bool = False


@dataclass
class Function:
    line: int
    name: str
    parameters: list[Parameter]
    body: list[Node]
    exported: bool
    returns: str = "void"

    def walk(self) -> Iterator[tuple[Node, tuple[Node, ...]]]:
        """Every node below, with the loops and branches around it, outermost first."""
        yield from walk(self.body, ())

    def pragmas(self, name: str) -> list[Pragma]:
        return [node for node, _ in self.walk() if isinstance(node, Pragma) and node.name == name]


@dataclass
class Parameter:
    type: str
    name: str


Node = Pragma | Statement | Loop | Branch


@dataclass
class Source:
    functions: list[Function]
    aliases: dict[str, str]
    statements: list[Statement]
    directives: list[Pragma]

    def function(self, name: str) -> Function | None:
        short = name.rsplit("::", 1)[-1]
        return next((function for function in self.functions if function.name == short), None)


def walk(nodes: list[Node], around: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    for node in nodes:
        yield node, around
        if isinstance(node, Loop | Branch):
            yield from walk(node.body, (*around, node))


def join(tokens: list[Token]) -> str:
    """Tokens as text; spaces only where two words meet."""
    text = ""
    for token in tokens:
        if text and (text[-1].isalnum() or text[-1] == "_") and (token.text[0].isalnum() or token.text[0] == "_"):
            text += " "
        text += token.text
    return text


def strip_comments(text: str) -> str:
    """Comments become spaces; line numbers stay."""

    def blank(match: re.Match) -> str:
        found = match.group(0)
        return found if found.startswith(('"', "'")) else re.sub(r"[^\n]", " ", found)

    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', blank, text, flags=re.DOTALL)


def tokenise(text: str) -> list[Token]:
    tokens, line = [], 1
    for match in TOKEN.finditer(strip_comments(text)):
        if match.lastgroup != "space":
            tokens.append(Token(match.lastgroup, match.group(0), line))
        line += match.group(0).count("\n")
    return tokens


def read_pragma(token: Token) -> Pragma:
    words = token.text.split()
    if len(words) < 3 or words[0] != "#pragma" or words[1].upper() != "HLS":
        return Pragma(token.line, token.text)
    options = {}
    for word in words[3:]:
        key, _, value = word.partition("=")
        options[key] = value
    return Pragma(token.line, token.text, words[2].lower(), options)


class Reader:
    """Recursive descent over the tokens."""

    def __init__(self, text: str):
        self.tokens = tokenise(text)
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead].text if self.at + ahead < len(self.tokens) else ""

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def group(self, opening: str, closing: str) -> list[Token]:
        """What stands between a matching pair; the pair is consumed."""
        start, depth = self.at + 1, 0
        while self.at < len(self.tokens):
            text = self.take().text
            depth += (text == opening) - (text == closing)
            if depth == 0:
                break
        return self.tokens[start : self.at - 1]

    def block(self) -> list[Node]:
        """`{ nodes }` or a single node."""
        if self.peek() != "{":
            return [node for node in [self.node()] if node]
        self.take()
        nodes = []
        while self.at < len(self.tokens) and self.peek() != "}":
            if node := self.node():
                nodes.append(node)
        self.at += 1
        return nodes

    def node(self) -> Node | None:
        token = self.tokens[self.at]
        if token.kind == "pragma":
            return read_pragma(self.take())
        if token.kind == "name" and self.peek(1) == ":":  # a label
            self.at += 2
            return None
        if token.text in ("for", "while", "do"):
            return self.loop()
        if token.text == "if":
            self.take()
            condition = self.group("(", ")")
            return Branch(token.line, condition, self.block())
        if token.text in ("{", "else"):
            self.at += token.text == "else"
            return Branch(token.line, [], self.block(), is_block=token.text == "{")
        return self.statement()

    def loop(self) -> Loop:
        keyword = self.take()
        header = self.group("(", ")") if keyword.text != "do" else []
        body = self.block()
        variable, trips = "", None
        match = re.fullmatch(r"(?:int|unsigned|auto|long long) (\w+)=0;\1<(\d+);(?:\+\+\1|\1\+\+)", join(header))
        if keyword.text == "for" and match:
            variable, trips = match.group(1), int(match.group(2))
        return Loop(keyword.line, keyword.text, header, variable, trips, body)

    def statement(self) -> Statement | None:
        start, depth = self.at, 0
        while self.at < len(self.tokens):
            text = self.take().text
            depth += (text in "({[") - (text in ")}]") if len(text) == 1 else 0
            if text == ";" and depth == 0:
                break
        tokens = self.tokens[start : self.at]
        return Statement(tokens[0].line, tokens[:-1]) if len(tokens) > 1 else None

    def source(self) -> Source:
        source = Source([], {}, [], [])
        pending: list[Token] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.kind == "pragma":
                source.directives.append(read_pragma(self.take()))
            elif token.text == "{" and pending and pending[0].text == "namespace":
                self.take()
                pending = []
            elif token.text == "{" and pending and pending[-1].text == ")":
                source.functions.append(self.function(pending))
                pending = []
            elif token.text == ";":
                self.take()
                self.declare(source, pending)
                pending = []
            elif token.text == "}":
                self.take()
                pending = []
            else:
                pending.append(self.take())
        return source

    def function(self, head: list[Token]) -> Function:
        opening = next(i for i, token in enumerate(head) if token.text == "(")
        parameters = [read_parameter(part) for part in split(head[opening + 1 : -1], ",") if part]
        exported = any(token.text == '"C"' for token in head)
        returns = join([token for token in head[: opening - 1] if token.text not in ("extern", "static", '"C"')])
        return Function(head[0].line, head[opening - 1].text, parameters, self.block(), exported, returns)

    @staticmethod
    def declare(source: Source, tokens: list[Token]) -> None:
        if len(tokens) > 3 and tokens[0].text == "using" and tokens[2].text == "=":
            source.aliases[tokens[1].text] = join(tokens[3:])
        elif tokens:
            source.statements.append(Statement(tokens[0].line, tokens))


def split(tokens: list[Token], separator: str) -> list[list[Token]]:
    """Split at a separator outside of parentheses, brackets and template arguments."""
    parts, depth = [[]], 0
    for token in tokens:
        if len(token.text) == 1:
            depth += (token.text in "([{<") - (token.text in ")]}>")
        if token.text == separator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def read_parameter(tokens: list[Token]) -> Parameter:
    return Parameter(join(tokens[:-1]), tokens[-1].text)


@lru_cache(maxsize=2)  # a design is read by the lint and by who compares it with the machine
def read(text: str) -> Source:
    return Reader(text).source()
