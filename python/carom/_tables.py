"""Tables: pandas' where it is installed, else a dict of arrays. And what the parameter tables of the library say."""
import csv
import io
import math

import numpy

from . import _native


def table(columns):
    """A pandas.DataFrame of {name: array}, or, without pandas, the dict."""
    try:
        import pandas
    except ImportError:
        return {name: numpy.asarray(column) for name, column in columns.items()}
    return pandas.DataFrame(columns)


def _number(word):
    try:
        return float(word)
    except ValueError:
        return None


def column_of(words):
    """numbers where all words are (an empty one is nan), else texts"""
    numbers = [math.nan if word == "" else _number(word) for word in words]
    if any(number is None for number in numbers) or not any(words):
        return numpy.array(words, dtype=object)
    whole = all(word.lstrip("+-").isdigit() for word in words)
    return numpy.array([int(word) for word in words]) if whole else numpy.array(numbers)


def from_csv(text, called=str):
    """The table of a CSV text whose first line names its columns; `called` says what to call them."""
    rows = list(csv.reader(io.StringIO(text)))
    if not rows:
        return table({})
    head, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    return table({called(name): column_of([row[i] for row in body]) for i, name in enumerate(head)})


_READ = []


def tables():
    """{"laws": {name: {"text", "params"}}, "schemes": ..., "parts", "impacts", "frictions", "resistances", "machines",
    "probes"}: the tables that scenes are checked against."""
    if not _READ:
        _READ.append(_native.tables())
    return _READ[0]


def _range(row):
    low, high = row["low"], row["high"]
    words = []
    if 0 < low < 1e-300:
        words.append("> 0")
    elif low > -math.inf:
        words.append(f">= {low:g}")
    if high < math.inf:
        words.append(f"<= {high:g}")
    return " and ".join(words)


def describe_row(row):
    """One line on a parameter."""
    if row["choices"]:
        kind = " | ".join(row["choices"])
    else:
        kind = ", ".join(part for part in (row["type"], row["unit"] if row["unit"] != "1" else "", _range(row)) if part)
    default = row["default"]
    if default is None:
        usual = "must be given"
    elif row["choices"]:
        usual = f"usually {row['choices'][int(default)]}"
    else:
        usual = f"usually {default:g}"
    return f"{row['name']} ({kind}; {usual}): {row['text']}"


def describe(group):
    """What a group of tables holds ("laws", "schemes", ...), for people."""
    lines = []
    for name, kind in tables()[group].items():
        lines.append(f"{name}: {kind['text']}")
        lines += [f"    {describe_row(row)}" for row in kind["params"]]
    return "\n".join(lines)


def records(block):
    """A block of records as a structured array, where it lies."""
    raw, fields = numpy.asarray(block), block.fields
    if fields is None:
        return raw
    kind = numpy.dtype({"names": list(fields), "formats": [f[0] for f in fields.values()],
                        "offsets": [f[1] for f in fields.values()], "itemsize": raw.dtype.itemsize})
    return raw.view(kind)
