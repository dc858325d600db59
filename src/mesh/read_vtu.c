/* VTK's XML files of unstructured grids (.vtu), numbers in ASCII or appended as raw bytes; one piece. Numbers in base64
 * or compressed are refused. Points with the same coordinates are one node, so that cells that were drawn apart hang
 * together again. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/read.h"

enum { ARRAYS = CAROM_READ_ARRAYS, TAG = 1024 };

/* the arrays of a mesh, in this order */
enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, FACES, FACEOFFSETS };
static const char *const mesh[ARRAYS] = {"Points", "connectivity", "offsets", "types", "faces", "faceoffsets"};
static const size_t mesh_components[ARRAYS] = {3, 1, 1, 1, 1, 1};

#define UNSAID SIZE_MAX /* a file that does not say how many */

struct vtu {
    struct carom_source *s;
    struct carom_draft *d;
    const char *const *name; /* of the arrays that are wanted; NULL: no more of them */
    const size_t *components;
    const char *parent;   /* where they stand: Cells or CellData */
    size_t points, cells; /* of the piece, as it says */
    size_t count[ARRAYS];
    double *value[ARRAYS]; /* whole numbers up to 2^53 are exact */
    const char *appended;  /* the first byte of what is appended, or NULL */
    size_t header;         /* bytes of a length */
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

static bool read_text(struct vtu *v, int which, const char *type)
{
    struct carom_source *s = v->s;
    size_t room = 0, count = 0, size;
    double *value = NULL;
    raw_number(NULL, type, &size);
    if (*type != '\0' && size == 0)
        return carom_source_wrong(s, "numbers of type %.20s are not read", type);
    while (!carom_source_done(s) && *s->at != '<') {
        char word[64], *end;
        size_t length = 0;
        for (; s->at < s->end && *s->at != '<' && (unsigned char)*s->at > ' '; s->at++)
            if (length + 1 < sizeof word)
                word[length++] = *s->at;
        word[length] = '\0';
        const double x = strtod(word, &end);
        bool good = end != word && *end == '\0' && fabs(x) < HUGE_VAL;
        if (!good)
            carom_source_wrong(s, "a number of %s should stand here, not '%.40s'", v->name[which], word);
        else if (!(good = *type == '\0' || fits(x, type, size)))
            carom_source_wrong(s, "%.40s of %s is not a number of type %s", word, v->name[which], type);
        if (!good || !(carom_memory_room(&value, count, &room, 1024, sizeof *value) || carom_source_memory(v->s))) {
            carom_memory_free(value);
            return false;
        }
        value[count++] = x;
    }
    v->value[which] = value ? value : carom_memory_zeroed(1, sizeof *value);
    v->count[which] = count;
    return v->value[which] != NULL || carom_source_memory(v->s);
}

static bool read_raw(struct vtu *v, int which, const char *type, const char *offset)
{
    struct carom_source *s = v->s;
    uint64_t bytes = 0;
    size_t size;
    raw_number(NULL, type, &size);
    if (!v->appended)
        return carom_source_wrong(s, "%s is appended, but there is no AppendedData of raw bytes", v->name[which]);
    const uint64_t left = (uint64_t)(s->end - v->appended), at = strtoull(offset, NULL, 10);
    if (size == 0)
        return carom_source_wrong(s, "numbers of type %.20s are not read", type);
    if (at >= left || left - at < v->header)
        return carom_source_wrong(s, "%s begins beyond the end of the file: it breaks off", v->name[which]);
    if (v->header == 8) {
        memcpy(&bytes, v->appended + at, 8);
    } else {
        uint32_t small;
        memcpy(&small, v->appended + at, 4);
        bytes = small;
    }
    if (bytes > left - at - v->header || bytes % size != 0)
        return carom_source_wrong(s, "%s goes beyond the end of the file: it breaks off", v->name[which]);
    v->count[which] = (size_t)bytes / size;
    v->value[which] = carom_memory_zeroed(v->count[which] + 1, sizeof(double));
    if (!v->value[which])
        return carom_source_memory(v->s);
    for (size_t i = 0; i < v->count[which]; i++) {
        v->value[which][i] = raw_number(v->appended + at + v->header + i * size, type, &size);
        if (!(fabs(v->value[which][i]) < HUGE_VAL))
            return carom_source_wrong(s, "number %zu of %s is not finite", i, v->name[which]);
    }
    return true;
}

/* --- the file -------------------------------------------------------------------------------------------------- */

/* as many numbers as there are points or cells; connectivity and faces have as many as they like */
static bool check_count(const struct vtu *v, int which)
{
    const bool points = v->d && which == POINTS, any = v->d && !points && which != OFFSETS && which != TYPES;
    const size_t n = points ? v->points : v->cells, wide = v->components[which], count = v->count[which];
    if (any || n == UNSAID || (count / wide == n && count % wide == 0))
        return true;
    return carom_source_wrong(v->s, "%s has %zu numbers, and %s=\"%zu\" asks for %zu each", v->name[which], count,
                              points ? "NumberOfPoints" : "NumberOfCells", n, wide);
}

static bool read_array(struct vtu *v, const char *tag, const char *parent)
{
    char name[64] = "", format[32] = "ascii", type[32] = "", offset[32] = "0";
    attribute(tag, "Name", name, sizeof name);
    attribute(tag, "format", format, sizeof format);
    attribute(tag, "type", type, sizeof type);
    attribute(tag, "offset", offset, sizeof offset);
    int which = v->d && strcmp(parent, "Points") == 0 ? POINTS : ARRAYS;
    for (int k = 0; k < ARRAYS && v->name[k] && strncmp(parent, v->parent, strlen(v->parent)) == 0; k++)
        which = strcmp(name, v->name[k]) == 0 ? k : which;
    if (which == ARRAYS)
        return true;
    if (v->value[which])
        return carom_source_wrong(v->s, "%s stands twice in the file", v->name[which]);
    size_t components;
    if (!read_count(v->s, tag, "NumberOfComponents", &components))
        return false;
    if (components != UNSAID && components != v->components[which])
        return carom_source_wrong(v->s, "%s has NumberOfComponents=\"%zu\", it should have %zu", v->name[which],
                                  components, v->components[which]);
    if (strcmp(format, "ascii") == 0)
        return read_text(v, which, type) && check_count(v, which);
    if (strcmp(format, "appended") == 0)
        return read_raw(v, which, type, offset) && check_count(v, which);
    return carom_source_wrong(v->s, "numbers in the form %.20s are not read: ascii and appended ones are", format);
}

/* where raw bytes begin: behind the underscore after the tag */
static bool find_appended(struct vtu *v)
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
    if (!attribute(tag, "encoding", encoding, sizeof encoding) || strcmp(encoding, "raw") != 0)
        return carom_source_wrong(s, "appended numbers are read raw, not in '%.20s'", encoding);
    const char *underscore = memchr(close, '_', (size_t)(s->end - close));
    v->appended = underscore ? underscore + 1 : NULL;
    return true;
}

static bool read_head(struct vtu *v, const char *tag)
{
    char text[64];
    if (!attribute(tag, "type", text, sizeof text) || strcmp(text, "UnstructuredGrid") != 0)
        return carom_source_wrong(v->s, "the file holds no UnstructuredGrid");
    if (attribute(tag, "compressor", text, sizeof text))
        return carom_source_wrong(v->s, "the file is compressed by %.40s: save it without", text);
    if (attribute(tag, "byte_order", text, sizeof text) && strcmp(text, "LittleEndian") != 0)
        return carom_source_wrong(v->s, "numbers are read in the order LittleEndian, not %.20s", text);
    v->header = attribute(tag, "header_type", text, sizeof text) && strcmp(text, "UInt64") == 0 ? 8 : 4;
    return true;
}

/* What breaks off has no end; searched for from behind, as raw bytes may stand before it. */
static bool check_end(const struct vtu *v, const char *from)
{
    static const char mark[] = "</VTKFile>";
    const size_t length = sizeof mark - 1;
    for (size_t left = (size_t)(v->s->end - from); left >= length; left--)
        if (memcmp(from + left - length, mark, length) == 0)
            return true;
    return carom_source_wrong(v->s, "the file breaks off: it does not end with </VTKFile>");
}

static bool read_tags(struct vtu *v)
{
    char tag[TAG], parent[64] = "";
    bool headed = false, piece = false, inside = false; /* inside: what stands in an array, such as ParaView's keys */
    const char *const from = v->s->at;
    while (next_tag(v->s, tag)) {
        if (strncmp(tag, "VTKFile", 7) == 0) {
            if (!read_head(v, tag) || !find_appended(v))
                return false;
            headed = true;
        } else if (strncmp(tag, "Piece", 5) == 0) {
            if (piece)
                return carom_source_wrong(v->s, "the file has several pieces: one is read");
            piece = true;
            if (!read_count(v->s, tag, "NumberOfPoints", &v->points) ||
                !read_count(v->s, tag, "NumberOfCells", &v->cells))
                return false;
        } else if (strncmp(tag, "DataArray", 9) == 0) {
            if (headed && !read_array(v, tag, parent))
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
        return carom_source_wrong(v->s, "this comment is never closed with -->");
    return (headed || carom_source_wrong(v->s, "the file is not a VTKFile")) && check_end(v, from);
}

/* --- cells ----------------------------------------------------------------------------------------------------- */

static bool whole(const struct vtu *v, int which, size_t i, uint64_t *out)
{
    const double x = i < v->count[which] ? v->value[which][i] : -1.0;
    if (!(x >= 0.0 && x < 9e15 && floor(x) == x))
        return carom_source_wrong(v->s, "%s: number %zu should be a whole one from 0 on", v->name[which], i);
    *out = (uint64_t)x;
    return true;
}

struct spot {
    double place[3];
    uint32_t index;
};

static int compare_spots(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->place[k] != y->place[k])
            return x->place[k] < y->place[k] ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* the first point at the place of each */
static uint64_t *merge(const struct vtu *v, size_t n)
{
    struct spot *spot = carom_memory_zeroed(n, sizeof *spot);
    uint64_t *to = carom_memory_zeroed(n, sizeof *to);
    for (size_t i = 0; spot && i < n; i++) {
        spot[i].index = (uint32_t)i;
        memcpy(spot[i].place, v->value[POINTS] + 3 * i, sizeof spot[i].place);
    }
    if (spot && to) {
        qsort(spot, n, sizeof *spot, compare_spots);
        for (size_t i = 0; i < n; i++) {
            const bool same = i > 0 && memcmp(spot[i].place, spot[i - 1].place, sizeof spot[i].place) == 0;
            to[spot[i].index] = same ? to[spot[i - 1].index] : spot[i].index;
        }
    }
    carom_memory_free(spot);
    return to;
}

/* numbers [from, to) of an array, node names changed to those of the first at their place */
static bool list(const struct vtu *v, int which, uint64_t from, uint64_t to, const uint64_t *name, uint64_t *out)
{
    uint64_t left = which == CONNECTIVITY ? to - from : 0;
    for (uint64_t i = from; i < to; i++) {
        uint64_t *x = &out[i - from];
        if (!whole(v, which, (size_t)i, x))
            return false;
        const bool count = which == FACES && (i == from || left == 0);
        if (count && i > from)
            left = *x;
        else if (!count) {
            left -= left > 0 ? 1 : 0;
            *x = *x < v->d->nodes.count ? name[*x] : *x;
        }
    }
    return true;
}

static bool add_cells(struct vtu *v, const uint64_t *name, uint64_t *room)
{
    uint64_t type = 0, from = 0, end = 0, faces_from = 0, faces_end = 0;
    for (size_t i = 0; i < v->count[TYPES]; i++, from = end) {
        if (!whole(v, TYPES, i, &type) || !whole(v, OFFSETS, i, &end))
            return false;
        if (end < from || end > v->count[CONNECTIVITY])
            return carom_source_wrong(v->s, "offsets rise from 0 to %zu, cell %zu has %llu", v->count[CONNECTIVITY], i,
                                      (unsigned long long)end);
        if (type == 42) {
            if (!whole(v, FACEOFFSETS, i, &faces_end))
                return false;
            if (faces_end < faces_from || faces_end > v->count[FACES])
                return carom_source_wrong(v->s, "faceoffsets rise from 0 to %zu, cell %zu has %llu", v->count[FACES], i,
                                          (unsigned long long)faces_end);
            if (!list(v, FACES, faces_from, faces_end, name, room) ||
                !carom_read_vtk_cell(v->s, v->d, type, (size_t)(faces_end - faces_from), room, i, 0))
                return false;
            faces_from = faces_end;
        } else if (!list(v, CONNECTIVITY, from, end, name, room) ||
                   !carom_read_vtk_cell(v->s, v->d, type, (size_t)(end - from), room, i, 0)) {
            return false;
        }
    }
    return true;
}

static bool build(struct vtu *v)
{
    for (int k = 0; k < FACES; k++)
        if (!v->value[k])
            return carom_source_wrong(v->s, "the file breaks off, or has no %s", mesh[k]);
    const size_t n = v->count[POINTS] / 3;
    if (v->count[POINTS] % 3 != 0 || n >= UINT32_MAX)
        return carom_source_wrong(v->s, "points have three coordinates each");
    for (size_t i = 0; i < n; i++)
        if (!carom_draft_add_node(v->d, v->value[POINTS] + 3 * i))
            return carom_source_memory(v->s);
    uint64_t *name = merge(v, n),
             *room = carom_memory_zeroed(v->count[CONNECTIVITY] + v->count[FACES] + 1, sizeof *room);
    const bool good = name && room ? add_cells(v, name, room) : carom_source_memory(v->s);
    carom_memory_free_all(name, room);
    return good;
}

bool carom_read_vtu(struct carom_source *s, struct carom_draft *d)
{
    struct vtu v = {.s = s,
                    .d = d,
                    .header = 4,
                    .name = mesh,
                    .parent = "Cells",
                    .components = mesh_components,
                    .points = UNSAID,
                    .cells = UNSAID};
    d->loose = true;
    const bool good = read_tags(&v) && build(&v);
    for (int k = 0; k < ARRAYS; k++)
        carom_memory_free(v.value[k]);
    return good;
}

bool carom_read_vtu_data(struct carom_source *s, const char *const *name, const size_t *components, double **value,
                         size_t *count)
{
    struct vtu v = {.s = s,
                    .header = 4,
                    .name = name,
                    .parent = "CellData",
                    .components = components,
                    .points = UNSAID,
                    .cells = UNSAID};
    const bool good = read_tags(&v);
    for (int k = 0; k < ARRAYS; k++)
        if (good && name[k]) {
            value[k] = v.value[k];
            count[k] = v.count[k];
        } else {
            carom_memory_free(v.value[k]);
        }
    return good;
}
