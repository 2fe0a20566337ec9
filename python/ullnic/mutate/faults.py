# SPDX-FileCopyrightText: 2026 The ullnic authors
# SPDX-License-Identifier: Apache-2.0
"""The faults that one change of a SystemVerilog source can make.

They are those that people make: a limit off by one, a condition that lacks a term or is negated, a wrong operator, a
constant off by one, an assignment that is missing. slang parses; nothing is elaborated. Where the language wants a
constant (parameters, dimensions, part selects, generate constructs, cases) nothing is changed, so that a model can
contain many faults and choose one of them when it starts (schemata.py).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

try:
    from pyslang.syntax import SyntaxTree
except ImportError:  # before pyslang 12
    from pyslang import SyntaxTree

BINARY = {
    "<": ("<=",),
    "<=": ("<", "=="),
    ">": (">=",),
    ">=": (">", "=="),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
    "&": ("|",),
    "|": ("&",),
    "^": ("|",),
    "+": ("-",),
    "-": ("+",),
    "<<": (">>",),
    ">>": ("<<",),
}
ONE_TERM = ("&&", "||", "&", "|", "+", "-")  # also with one of the operands alone
IS_TRUE = ("&&", "||")  # an operand alone is true if any of its bits is
UNARY = {"~": "", "!": "|", "&": "|", "|": "&", "~|": "~&", "~&": "~|"}
NUMBER = re.compile(r"(?:(\d*)'([bdh]))?([0-9a-fA-F_]+)")
RADIX = {"b": 2, "d": 10, "h": 16}
SPECIFIER = {"b": "b", "d": "d", "h": "x"}
CONSTANT_CALLS = ("$bits", "$clog2", "$size")

# Where a constant is wanted.
CONSTANT = {
    "ElabSystemTask",
    "ParameterDeclaration",
    "ParameterDeclarationStatement",
    "ParameterValueAssignment",
    "SimpleRangeSelect",
    "TypedefDeclaration",
    "VariableDimension",
}
# Declarations and checks.
LEFT_OUT = CONSTANT | {
    "AnsiPortList",
    "AttributeInstance",
    "ConcurrentAssertionMember",
    "DataDeclaration",
    "EventControlWithExpression",
    "FinalBlock",
    "FunctionPrototype",
    "ImmediateAssertStatement",
    "ImmediateAssertionMember",
    "ImmediateAssumeStatement",
    "InitialBlock",
    "PackageImportDeclaration",
    "PropertyDeclaration",
    "SequenceDeclaration",
}
# Of these nodes only the named children are walked; the others are constants, or the left sides of assignments.
ONLY = {
    "AscendingRangeSelect": ("left",),
    "AssignmentExpression": ("right",),
    "CaseGenerate": ("items",),
    "CastExpression": ("right",),
    "DescendingRangeSelect": ("left",),
    "ForLoopStatement": ("statement",),
    "IfGenerate": ("block", "elseClause"),
    "LoopGenerate": ("block",),
    "MultipleConcatenationExpression": ("concatenation",),
    "NonblockingAssignmentExpression": ("right",),
    "StandardCaseItem": ("clause",),
}
# The child that names another module or package.
USES = {"HierarchyInstantiation": "type", "PackageImportItem": "package", "ScopedName": "left"}
UNUSED = "unused"
REMOVED = "(removed)"
CONDITIONAL = ("CaseStatement", "ConditionalStatement")


@dataclass(frozen=True)
class Fault:
    """The bytes from `start` to `end` of a file become `text`. Where they are a statement, `text` is empty."""

    file: str
    line: int
    start: int
    end: int
    old: str
    text: str

    @property
    def module(self) -> str:
        """Or the package: a file has one, and its name."""
        return PurePath(self.file).stem

    @property
    def is_removal(self) -> bool:
        return not self.text

    @property
    def code(self) -> str:
        return ";" if self.is_removal else f"({self.text})"

    def planted_in(self, source: str) -> str:
        text = source.encode()
        return (text[: self.start] + self.code.encode() + text[self.end :]).decode()

    @property
    def old_text(self) -> str:
        return " ".join(self.old.split())

    @property
    def new_text(self) -> str:
        return REMOVED if self.is_removal else " ".join(self.text.split())

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old_text}  ->  {self.new_text}"


class Source:
    """A parsed file; `name` is for people."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.text = text.encode()
        self.tree = SyntaxTree.fromText(text, name)

    def said(self, node) -> str:
        span = node.range if _is_token(node) else node.sourceRange
        return self.text[span.start.offset : span.end.offset].decode()

    @cached_property
    def modules(self) -> dict[str, set[str]]:
        """The modules of the file, and what each of them instantiates or imports."""
        found = {}
        for node in _nodes(self.tree.root):
            if _kind(node) in ("ModuleDeclaration", "PackageDeclaration"):
                name = self.said(node.header.name)
                inner = [
                    each for each in _nodes(node) if _kind(each) in ("HierarchyInstantiation", "PackageImportItem")
                ]
                used = {self.said(each.type if hasattr(each, "type") else each.package) for each in inner}
                scoped = {self.said(each.left) for each in _nodes(node) if _kind(each) == "ScopedName"}
                found[name] = used | scoped
        return found

    @cached_property
    def constant_names(self) -> set[str]:
        """All names that stand where a constant is wanted: functions among them must stay constant."""
        return {name for node in _constants(self.tree.root) for name in self._names(node)}

    @cached_property
    def functions(self) -> dict[str, set[str]]:
        """The functions of the file, and the names in each."""
        return {self.said(node.prototype.name): self._names(node) for node in self._functions}

    @cached_property
    def function_lines(self) -> dict[str, range]:
        """The numbers of their lines."""
        spans = {self.said(node.prototype.name): node.sourceRange for node in self._functions}
        return {name: range(self._line(span.start), self._line(span.end) + 1) for name, span in spans.items()}

    @cached_property
    def _functions(self) -> list:
        return [node for node in _nodes(self.tree.root) if _kind(node) == "FunctionDeclaration"]

    def _line(self, place) -> int:
        return self.text[: place.offset].count(b"\n") + 1

    def _names(self, node) -> set[str]:
        return {self.said(each) for each in _nodes(node) if _kind(each) == "Identifier"}

    def faults(self, constant_functions: Iterable[str]) -> list[Fault]:
        found = _faults(self, self.tree.root, set(constant_functions), ())
        return [each for each in dict.fromkeys(found) if each.old != each.text]

    def fault(self, node, text: str) -> Fault:
        span = node.sourceRange
        return Fault(self.name, self._line(span.start), span.start.offset, span.end.offset, self.said(node), text)


def constant_functions(sources: Iterable[Source]) -> set[str]:
    """The functions that are called where a constant is wanted, and those that they call."""
    functions = {name: uses for source in sources for name, uses in source.functions.items()}
    return reached({name for source in sources for name in source.constant_names}, functions)


def reached(names: set[str], uses: Mapping[str, set[str]]) -> set[str]:
    """Of the keys of `uses`, these and all that they use, at whatever distance."""
    found, new = set(), names & uses.keys()
    while new:
        found |= new
        new = {use for name in new for use in uses[name] & uses.keys()} - found
    return found


def _kind(node) -> str:
    return node.kind.name


def _is_token(node) -> bool:
    return not hasattr(node, "sourceRange")


def _children(node) -> list:
    if names := ONLY.get(_kind(node)):
        return [child for name in names if (child := getattr(node, name)) is not None]
    return list(node)


def _nodes(node) -> Iterator:
    """The node and all below it, tokens too."""
    yield node
    if not _is_token(node):
        for child in node:
            yield from _nodes(child)


def _is_constant(node) -> bool:
    is_call = _kind(node) == "InvocationExpression"
    return str(node.left).strip() in CONSTANT_CALLS if is_call else _kind(node) in CONSTANT


def _is_sink(source: Source, node) -> bool:
    """Whether it only shows tools that signals are meant to be unused."""
    kind = _kind(node)
    if kind == "Declarator":
        return source.said(node.name).startswith(UNUSED)
    return kind == "AssignmentExpression" and source.said(node.left).startswith(UNUSED)


def _constants(node) -> Iterator:
    """The nodes in whose place a constant is wanted."""
    kind = _kind(node)
    if _is_constant(node):
        yield node
    elif not _is_token(node):
        walked = [child.sourceRange for child in _children(node) if not _is_token(child)]
        for child in node:
            if _is_token(child) or child.sourceRange in walked:
                yield from _constants(child)
            elif not kind.endswith("AssignmentExpression"):
                yield child


def _faults(source: Source, node, constant: set[str], above: tuple[str, ...]) -> Iterator[Fault]:
    kind = _kind(node)
    if _is_token(node) or _is_constant(node) or kind in LEFT_OUT or _is_sink(source, node):
        return
    if kind == "FunctionDeclaration" and source.said(node.prototype.name) in constant:
        return
    # Outputs can be connected to one element; its index must then be constant.
    if kind == "ElementSelect" and "NamedPortConnection" in above:
        return
    yield from _of(source, node, above)
    for child in _children(node):
        yield from _faults(source, child, constant, (*above, kind))


def _of(source: Source, node, above: tuple[str, ...]) -> Iterator[Fault]:
    """The faults of the node itself."""
    kind = _kind(node)
    if kind == "ExpressionStatement":
        assigned = _kind(node.expr)
        conditional = any(each in CONDITIONAL for each in above)
        # Without its first assignment a variable of always_comb keeps its value: nobody makes such a latch.
        if assigned == "NonblockingAssignmentExpression" or (assigned == "AssignmentExpression" and conditional):
            yield source.fault(node, "")
    elif kind == "ConditionalPredicate":
        said = source.said(node)
        yield from (source.fault(node, text) for text in (f"!({said})", "1'b1", "1'b0"))
    elif hasattr(node, "operatorToken") and hasattr(node, "left") and not kind.endswith("AssignmentExpression"):
        yield from (source.fault(node, text) for text in _binary(source, node))
    elif kind.startswith("Unary") and (operator := source.said(node.operatorToken)) in UNARY:
        yield source.fault(node, f"{UNARY[operator]}{source.said(node.operand)}")
    elif kind in ("IntegerLiteralExpression", "IntegerVectorExpression", "UnbasedUnsizedLiteralExpression"):
        yield from (source.fault(node, text) for text in _literals(source.said(node)))


def _binary(source: Source, node) -> Iterator[str]:
    operator = source.said(node.operatorToken)
    left, right = source.said(node.left), source.said(node.right)
    for other in BINARY.get(operator, ()):
        yield f"({left}) {other} ({right})"
    if operator in ONE_TERM:
        yield from (f"|({each})" if operator in IS_TRUE else f"({each})" for each in (left, right))


def _literals(said: str) -> Iterator[str]:
    """A constant off by one, or with each bit inverted where that is one bit or all of them."""
    said = said.replace(" ", "")
    if said in ("'0", "'1"):
        yield {"'0": "'1", "'1": "'0"}[said]
    elif match := NUMBER.fullmatch(said):
        size, base, digits = match.groups()
        radix = RADIX[base or "d"]
        value = int(digits.replace("_", ""), radix)
        for near in (value + 1, value - 1):
            if near >= 0 and not (size and near >> int(size)):
                yield f"{size or ''}'{base}{near:{SPECIFIER[base]}}" if base else str(near)
