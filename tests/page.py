"""What the tests of pages share: reading the numbers of a page, as its own script does."""
import base64
import json
import re
import zlib

import numpy

TYPES = {"f64": "<f8", "f32": "<f4", "i16": "<i2", "i32": "<i4", "u32": "<u4", "u8": "u1"}


class Page:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', self.text, re.S).group(1),
                               parse_constant=lambda word: 1 / 0)
        self.blobs = dict(re.findall(r'<script type="application/octet-stream" id="blob-(\d+)">(.*?)</script>', self.text))
        self.entries = self.data["entries"]

    def array(self, ref):
        data, size = base64.b64decode(self.blobs[str(ref["blob"])]), numpy.dtype(TYPES[ref["type"]]).itemsize
        if ref.get("packed"):
            data = numpy.frombuffer(zlib.decompress(data, -15), "u1").reshape(size, -1).T.tobytes()
        values = numpy.frombuffer(data, TYPES[ref["type"]])
        assert len(values) == ref["count"], "an array is not as long as said"
        if ref["type"] == "i16":
            values = numpy.where(values == -32768, numpy.nan, ref["offset"] + ref["scale"] * values.astype(float))
        return values

    def item(self, path, entry=0):
        return next(item for item in self.entries[entry]["items"] if item["path"] == path)
