"""For ``make check``: words that the repository does not use (CONTRIBUTING, 'Words').

A phrase is searched in everything that people read: code, comments, tests, documents, and styles.
A name is searched among the identifiers of Python; ``id-denylist`` in ui/eslint.config.js does the
same for TypeScript. Add what you do not want to see again. Docstrings begin with a short line.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_FOLDERS = ("app", "docs", "packaging", "seeds", "tests", "ui/src", "ui/scripts")
_SUFFIXES = {".py", ".ts", ".tsx", ".css", ".md", ".mjs", ".sh", ".sql"}
_EXEMPT = (
    "app/server/schema/migrations",  # Frozen: a revision never changes.
    "app/server/schema/baseline.sql",
    "seeds/reference/LOINC-NOTICE.md",  # A third-party text.
    "tests/tools/words.py",
)
_GENERATED = re.compile(r"\.generated\.ts$|/node_modules/|/__pycache__/")

_PUBLISHED = re.compile(r'build_router\(.*, "catalogue"\)')
"""A tag of the published API, with the spelling that clients may know."""

PHRASES = {
    r"can not\b": "cannot",
    r"whoever|whomever|whosoever": "name the person, or use a plural",
    r"that (?:is|are) none": "say what it is",
    r"again and again|for good\b|is no error|on (?:its|their) way\b": "say what happens",
    r"one's own|\w*the[ _]own(?:_|\b)|takes? (?:it |them )?away": "use plain words",
    r"(?:is|was|are|were) told": "use plain words",
    r"wins? over|nothing but|merely|seldom|now and then": "overrides, only, rarely",
    r"also if\b(?! you agreed)": "even if",
    r"those who run|for sure|became of\b": "operators, certainly, the outcome",
    r"(?:code|date|edition|index|name|one|percentage|role|screen|unit|version) counts\b(?! as)": (
        "is used, is valid, or matters"
    ),
    r"(?:was|were) decided on\b": "accepted",
    r"(?:go|goes|went|gone) out\b(?! of)": "is sent or is released",
    r"whilst|amongst|thereof|therein|whence|thence|hereby|thereby|lest": "use today's English",
    r"behaviour|colour|favour|honour|centre|grey": "American spelling",
    r"catalogue|licence|cancell(?:ed|ing)(?!error)|labell(?:ed(?!by)|ing)": "American spelling",
    r"(?:normal|sanit|initial|recogn|organ|author|serial|summar)is(?:e|es|ed|ing|ation)\b": (
        "American spelling"
    ),
    r"capitalis(?:e|es|ed|ing|ation)\b": "American spelling",
}
NAMES = {
    "found": "name the record",
    "kept": "stored or saved, with a noun",
    "taken": "name the value",
    "settled": "is_saved, completed, or another word with one meaning",
    "wanted": "requested or expected, with a noun",
    "told": "notified, with a noun",
    "asked": "requested, with a noun",
    "refused": "rejected (by the server) or denied (by a permission)",
    "heard": "received, with a noun",
    "takes": "accepts",
    "keeps": "is_persistent, or another question",
    "meet": "show_conflict",
}
_FIRST_LINE_MAX = 89
_WITH_DOCSTRING = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def find_unwanted_words() -> Iterator[str]:
    """Yield a line for each unwanted phrase and name, with its file and line."""
    phrases = [(re.compile(rf"\b(?:{bad})", re.IGNORECASE), good) for bad, good in PHRASES.items()]
    for path in _list_files():
        place = path.relative_to(_ROOT)
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, good in phrases:
                if (match := pattern.search(line)) and not _PUBLISHED.search(line):
                    yield f"{place}:{number}: '{match[0]}': {good}"
        if path.suffix == ".py":
            for number, name in _list_names(text):
                if good := NAMES.get(name.lstrip("_")):
                    yield f"{place}:{number}: the name '{name}': {good}"
            for name in _list_long_docstrings(text):
                yield f"{place}: the docstring of {name} has a first line of 90 characters or more"


def _list_files() -> Iterator[Path]:
    yield from sorted(_ROOT.glob("*.md"))
    yield _ROOT / "ui" / "README.md"
    for folder in _FOLDERS:
        for path in sorted((_ROOT / folder).rglob("*")):
            place = path.relative_to(_ROOT).as_posix()
            if path.suffix not in _SUFFIXES or _GENERATED.search(place):
                continue
            if not place.startswith(_EXEMPT):
                yield path


def _list_names(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and identifier of each name in a Python file, without texts and comments."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string


def _list_long_docstrings(source: str) -> Iterator[str]:
    """Yield the names of definitions whose docstring has too long a first line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _WITH_DOCSTRING):
            first_line = (ast.get_docstring(node) or "").partition("\n")[0]
            if len(first_line) > _FIRST_LINE_MAX:
                yield getattr(node, "name", "the module")


if __name__ == "__main__":
    lines = list(find_unwanted_words())
    for line in lines:
        sys.stderr.write(line + "\n")
    sys.exit(1 if lines else 0)
