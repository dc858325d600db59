/* Arrays of VTK's XML files, see vtk_xml.h. */
#include "mesh/vtk_xml.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/inflate.h"
#include "base/memory.h"

enum { TAG = 1024 };

#define MOST ((size_t)1 << 31) /* bytes, blocks and what blocks hold */
#define SMALLER 1000           /* times, that zlib makes things at most */
#define UNSAID SIZE_MAX        /* a file that does not say how many */

struct xml {
    struct carom_source *s;
    bool polydata;
    size_t n;
    struct carom_vtk_xml_array *array;
    size_t points, cells; /* of the piece, as it says */
    const char *appended; /* the first byte of what is appended, or NULL */
    bool packed;          /* in base64? */
    bool deflated;        /* by zlib? */
    size_t header;        /* bytes of a length */
};

/* the next tag without its brackets, or a comment; false at the end, with what was begun there and its line */
static bool next_tag(struct carom_source *s, char tag[TAG])
{
    size_t length = 0;
    tag[0] = '\0';
    for (; s->at < s->end && *s->at != '<'; s->at++)
        s->line += *s->at == '\n' ? 1 : 0;
    if (s->at == s->end)
        return false;
    const bool comment = s->end - s->at > 4 && memcmp(s->at, "<!--", 4) == 0;
    const size_t line = s->line;
    for (s->at++; s->at < s->end && (*s->at != '>' || (comment && memcmp(s->at - 2, "-->", 3) != 0)); s->at++) {
        s->line += *s->at == '\n' ? 1 : 0;
        if (length + 1 < TAG)
            tag[length++] = *s->at;
    }
    tag[length] = '\0';
    if (s->at == s->end) {
        s->line = line;
        return false;
    }
    s->at++;
    return true;
}

/* name="value" of a tag; false if it is not there */
static bool attribute(const char *tag, const char *name, char *out, size_t room)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(tag, name); at; at = strstr(at + 1, name)) {
        if ((at > tag && at[-1] != ' ' && at[-1] != '\t' && at[-1] != '\n') || at[length] != '=' ||
            at[length + 1] != '"')
            continue;
        const char *from = at + length + 2, *to = strchr(from, '"');
        if (!to || (size_t)(to - from) >= room)
            return false;
        memcpy(out, from, (size_t)(to - from));
        out[to - from] = '\0';
        return true;
    }
    return false;
}

/* how many, by an attribute of a tag: UNSAID where it has none */
static bool read_count(const struct carom_source *s, const char *tag, const char *name, size_t *count)
{
    char text[256];
    *count = UNSAID;
    if (!attribute(tag, name, text, sizeof text))
        return true;
    if (*text == '\0' || strspn(text, "0123456789") != strlen(text) || strlen(text) > 15)
        return carom_source_wrong(s, "%s should be a whole number from 0 on, not '%.20s'", name, text);
    *count = (size_t)strtoull(text, NULL, 10);
    return true;
}

/* --- numbers --------------------------------------------------------------------------------------------------- */

/* a number of a type of VTK, and how many bytes it has: 0 where there is no such type */
static double raw_number(const char *at, const char *type, size_t *size)
{
#define RAW(name, kind)                                                 \
    if (strcmp(type, name) == 0) {                                      \
        kind x;                                                         \
        *size = sizeof x;                                               \
        memcpy(&x, at ? at : (const char *)"\0\0\0\0\0\0\0", sizeof x); \
        return (double)x;                                               \
    }
    RAW("Float64", double)
    RAW("Float32", float)
    RAW("Int64", int64_t)
    RAW("UInt64", uint64_t)
    RAW("Int32", int32_t)
    RAW("UInt32", uint32_t)
    RAW("Int16", int16_t)
    RAW("UInt16", uint16_t)
    RAW("Int8", int8_t)
    RAW("UInt8", uint8_t)
#undef RAW
    *size = 0;
    return 0.0;
}

/* Is x of that type? The largest of 64 bits are those to which a double rounds. */
static bool fits(double x, const char *type, size_t size)
{
    if (*type == 'F')
        return size == sizeof(double) || fabs(x) <= (double)FLT_MAX;
    const bool sign = *type == 'I';
    const double end = ldexp(1.0, 8 * (int)size - (sign ? 1 : 0));
    return floor(x) == x && x >= (sign ? -end : 0.0) && x <= end - 1.0;
}

static const char *title(const struct carom_vtk_xml_array *array)
{
    return array->name ? array->name : array->parent;
}

static bool read_text(struct carom_source *s, struct carom_vtk_xml_array *array, const char *type, size_t size)
{
    size_t room = 0;
    while (!carom_source_done(s) && *s->at != '<') {
        char word[64], *end;
        size_t length = 0;
        for (; s->at < s->end && *s->at != '<' && (unsigned char)*s->at > ' '; s->at++)
            if (length + 1 < sizeof word)
                word[length++] = *s->at;
        word[length] = '\0';
        const double x = strtod(word, &end);
        if (end == word || *end != '\0' || !(fabs(x) < HUGE_VAL))
            return carom_source_wrong(s, "a number of %s should stand here, not '%.40s'", title(array), word);
        if (*type != '\0' && !fits(x, type, size))
            return carom_source_wrong(s, "%.40s of %s is not a number of type %s", word, title(array), type);
        if (!carom_memory_room(&array->value, array->count, &room, 1024, sizeof x))
            return carom_source_memory(s);
        array->value[array->count++] = x;
    }
    if (!array->value)
        array->value = carom_memory_zeroed(1, sizeof *array->value);
    return array->value != NULL || carom_source_memory(s);
}

/* the first bytes of a text in base64, in which streams may follow each other; how many there are */
static size_t unpack(const char *at, const char *end, size_t want, unsigned char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t group = 0;
    unsigned bits = 0;
    size_t n = 0;
    for (; at < end && n < want; at++) {
        const char *digit = *at != '\0' ? strchr(digits, *at) : NULL;
        if (*at == '=')
            bits = 0;
        else if (digit) {
            group = group << 6 | (uint32_t)(digit - digits);
            bits += 6;
        } else if ((unsigned char)*at > ' ')
            break;
        if (bits >= 8)
            out[n++] = (unsigned char)(group >> (bits -= 8));
    }
    return n;
}

/* n bytes from the beginning of an array, raw or out of base64; to be freed. NULL: there are not as many */
static unsigned char *fetch(const struct xml *v, const char *at, bool packed, size_t n)
{
    const size_t left = (size_t)(v->s->end - at);
    unsigned char *out = n <= left ? carom_memory_zeroed(n + 1, 1) : NULL;
    if (n <= left && !out)
        carom_source_memory(v->s);
    if (out && !packed)
        memcpy(out, at, n);
    if (!out || !packed || unpack(at, v->s->end, n, out) == n)
        return out;
    carom_memory_free(out);
    return NULL;
}

/* word i of what stands before the bytes; too large ones are as large as can be */
static size_t head_word(const struct xml *v, const unsigned char *head, size_t i)
{
    uint64_t large = 0;
    memcpy(&large, head + v->header * i, v->header);
    return large < MOST ? (size_t)large : MOST;
}

/* what zlib has made smaller block by block: how many, their size, that of the last, if it is another, then how long
 * each has become */
static unsigned char *inflate(const struct xml *v, const char *at, bool packed, size_t *count)
{
    unsigned char *head = fetch(v, at, packed, 3 * v->header), *all = NULL, *out = NULL;
    const size_t blocks = head ? head_word(v, head, 0) : 0, size = head ? head_word(v, head, 1) : 0,
                 last = head && blocks > 0 && head_word(v, head, 2) > 0 ? head_word(v, head, 2) : size;
    size_t from = (3 + blocks) * v->header, whole = from;
    carom_memory_free(head);
    head = head && blocks < MOST && size < MOST && last < MOST ? fetch(v, at, packed, from) : NULL;
    for (size_t i = 0; head && i < blocks && whole < MOST; i++)
        whole += head_word(v, head, 3 + i);
    *count = blocks > 0 ? (blocks - 1) * size + last : 0;
    if (head && whole < MOST && *count / SMALLER <= whole) {
        all = fetch(v, at, packed, whole);
        out = all ? carom_memory_zeroed(*count + 1, 1) : NULL;
        if (all && !out)
            carom_source_memory(v->s);
    }
    bool good = out != NULL;
    for (size_t i = 0; good && i < blocks; i++) {
        const size_t length = head_word(v, head, 3 + i);
        good = carom_inflate_zlib(all + from, length, i + 1 < blocks ? size : last, out + i * size);
        from += length;
    }
    if (!good) {
        carom_memory_free(out);
        out = NULL;
    }
    carom_memory_free_all(head, all);
    return out;
}

/* the bytes of an array, to be freed; NULL: they break off */
static unsigned char *find_bytes(const struct xml *v, const char *at, bool packed, size_t *count)
{
    if (v->deflated)
        return inflate(v, at, packed, count);
    unsigned char *head = fetch(v, at, packed, v->header);
    *count = head ? head_word(v, head, 0) : 0;
    carom_memory_free(head);
    unsigned char *out = head && *count < MOST ? fetch(v, at, packed, v->header + *count) : NULL;
    if (out)
        memmove(out, out + v->header, *count);
    return out;
}

static bool read_bytes(const struct xml *v, struct carom_vtk_xml_array *array, const char *type, size_t size,
                       const char *at, bool packed)
{
    const struct carom_source *s = v->s;
    size_t bytes = 0;
    unsigned char *from = find_bytes(v, at, packed, &bytes);
    bool good = from && bytes % size == 0;
    if (!good && s->error->status != CAROM_E_MEMORY)
        carom_source_wrong(s, "%s breaks off%s%s", title(array), packed ? ", or is not in base64" : "",
                           v->deflated ? ", or is not what zlib makes" : "");
    array->value = good ? carom_memory_zeroed(bytes / size + 1, sizeof(double)) : NULL;
    if (good && !array->value)
        good = carom_source_memory(s);
    for (size_t i = 0; good && i < bytes / size; i++) {
        array->value[i] = raw_number((const char *)from + i * size, type, &size);
        if (!(fabs(array->value[i]) < HUGE_VAL))
            good = carom_source_wrong(s, "number %zu of %s is not finite", i, title(array));
        array->count = i + 1;
    }
    carom_memory_free(from);
    return good;
}

static bool read_appended(const struct xml *v, struct carom_vtk_xml_array *array, const char *tag, const char *type,
                          size_t size)
{
    char offset[32] = "0";
    attribute(tag, "offset", offset, sizeof offset);
    if (!v->appended)
        return carom_source_wrong(v->s, "%s is appended, but there is no AppendedData", title(array));
    const uint64_t at = strtoull(offset, NULL, 10);
    if (at >= (uint64_t)(v->s->end - v->appended))
        return carom_source_wrong(v->s, "%s begins beyond the end of the file: it breaks off", title(array));
    return read_bytes(v, array, type, size, v->appended + at, v->packed);
}

/* --- the file -------------------------------------------------------------------------------------------------- */

static bool check_count(const struct xml *v, const struct carom_vtk_xml_array *array)
{
    const bool points = array->of == CAROM_VTK_XML_POINTS;
    const size_t n = points ? v->points : v->cells, wide = array->components;
    if (array->of == CAROM_VTK_XML_LIST || n == UNSAID || (array->count / wide == n && array->count % wide == 0))
        return true;
    return carom_source_wrong(v->s, "%s has %zu numbers, and %s=\"%zu\" asks for %zu each", title(array), array->count,
                              points ? "NumberOfPoints" : "NumberOfCells", n, wide);
}

static bool read_array(struct xml *v, const char *tag, const char *parent)
{
    char name[64] = "", format[32] = "ascii", type[32] = "";
    size_t k = 0, components, size;
    attribute(tag, "Name", name, sizeof name);
    attribute(tag, "format", format, sizeof format);
    attribute(tag, "type", type, sizeof type);
    raw_number(NULL, type, &size);
    while (k < v->n && (strncmp(parent, v->array[k].parent, strlen(v->array[k].parent)) != 0 ||
                        (v->array[k].name && strcasecmp(name, v->array[k].name) != 0)))
        k++;
    if (k == v->n)
        return true;
    struct carom_vtk_xml_array *array = &v->array[k];
    if (array->value)
        return carom_source_wrong(v->s, "%s stands twice in the file", title(array));
    if (!read_count(v->s, tag, "NumberOfComponents", &components))
        return false;
    if (components != UNSAID && components != array->components)
        return carom_source_wrong(v->s, "%s has NumberOfComponents=\"%zu\", it should have %zu", title(array),
                                  components, array->components);
    const bool text = strcmp(format, "ascii") == 0, appended = strcmp(format, "appended") == 0;
    if (!text && !appended && strcmp(format, "binary") != 0)
        return carom_source_wrong(v->s, "numbers in the form %.20s are not read: ascii, binary and appended ones are",
                                  format);
    if (size == 0 && (!text || *type != '\0'))
        return carom_source_wrong(v->s, "numbers of type %.20s are not read", type);
    return (text       ? read_text(v->s, array, type, size)
            : appended ? read_appended(v, array, tag, type, size)
                       : read_bytes(v, array, type, size, v->s->at, true)) &&
           check_count(v, array);
}

/* where bytes begin: behind the underscore after the tag */
static bool find_appended(struct xml *v)
{
    static const char mark[] = "<AppendedData";
    const struct carom_source *s = v->s;
    const char *at = s->at;
    while (at && (at = memchr(at, '<', (size_t)(s->end - at))) && (size_t)(s->end - at) > sizeof mark &&
           memcmp(at, mark, sizeof mark - 1) != 0)
        at++;
    if (!at || (size_t)(s->end - at) <= sizeof mark)
        return true;
    const char *close = memchr(at, '>', (size_t)(s->end - at));
    if (!close)
        return true;
    char tag[TAG], encoding[32] = "";
    snprintf(tag, sizeof tag, "%.*s", (int)(close - at < TAG - 1 ? close - at : TAG - 1), at);
    attribute(tag, "encoding", encoding, sizeof encoding);
    v->packed = strcmp(encoding, "base64") == 0;
    if (!v->packed && strcmp(encoding, "raw") != 0)
        return carom_source_wrong(s, "appended numbers are read raw or in base64, not in '%.20s'", encoding);
    const char *underscore = memchr(close, '_', (size_t)(s->end - close));
    v->appended = underscore ? underscore + 1 : NULL;
    return true;
}

static bool read_head(struct xml *v, const char *tag)
{
    char text[64];
    if (!attribute(tag, "type", text, sizeof text) ||
        (strcmp(text, "UnstructuredGrid") != 0 && (!v->polydata || strcmp(text, "PolyData") != 0)))
        return carom_source_wrong(v->s, "the file holds no UnstructuredGrid%s", v->polydata ? " or PolyData" : "");
    v->deflated = attribute(tag, "compressor", text, sizeof text);
    if (v->deflated && strcmp(text, "vtkZLibDataCompressor") != 0)
        return carom_source_wrong(v->s, "the file is compressed by %.40s: save it without, or by vtkZLibDataCompressor",
                                  text);
    if (attribute(tag, "byte_order", text, sizeof text) && strcmp(text, "LittleEndian") != 0)
        return carom_source_wrong(v->s, "numbers are read in the order LittleEndian, not %.20s", text);
    v->header = attribute(tag, "header_type", text, sizeof text) && strcmp(text, "UInt64") == 0 ? 8 : 4;
    return true;
}

/* What breaks off has no end; searched for from behind, as raw bytes may stand before it. */
static bool check_end(const struct carom_source *s, const char *from)
{
    static const char mark[] = "</VTKFile>";
    const size_t length = sizeof mark - 1;
    for (size_t left = (size_t)(s->end - from); left >= length; left--)
        if (memcmp(from + left - length, mark, length) == 0)
            return true;
    return carom_source_wrong(s, "the file breaks off: it does not end with </VTKFile>");
}

bool carom_vtk_xml(struct carom_source *s, bool polydata, size_t n, struct carom_vtk_xml_array *array)
{
    struct xml v = {
        .s = s, .polydata = polydata, .n = n, .array = array, .points = UNSAID, .cells = UNSAID, .header = 4};
    char tag[TAG], parent[64] = "";
    bool headed = false, piece = false, inside = false; /* inside: what stands in an array, such as ParaView's keys */
    const char *const from = s->at;
    while (next_tag(s, tag)) {
        if (strncmp(tag, "VTKFile", 7) == 0) {
            if (!read_head(&v, tag) || !find_appended(&v))
                return false;
            headed = true;
        } else if (strncmp(tag, "Piece", 5) == 0) {
            if (piece)
                return carom_source_wrong(s, "the file has several pieces: one is read");
            piece = true;
            if (!read_count(s, tag, "NumberOfPoints", &v.points) || !read_count(s, tag, "NumberOfCells", &v.cells))
                return false;
        } else if (strncmp(tag, "DataArray", 9) == 0) {
            if (headed && !read_array(&v, tag, parent))
                return false;
            inside = tag[strlen(tag) - 1] != '/';
        } else if (strncmp(tag, "AppendedData", 12) == 0) {
            break;
        } else if (strcmp(tag, "/DataArray") == 0) {
            inside = false;
        } else if (!inside && strncmp(tag, "!--", 3) != 0) {
            snprintf(parent, sizeof parent, "%.60s", tag);
        }
    }
    if (strncmp(tag, "!--", 3) == 0)
        return carom_source_wrong(s, "this comment is never closed with -->");
    return (headed || carom_source_wrong(s, "the file is not a VTKFile")) && check_end(s, from);
}
