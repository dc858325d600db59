/* Deflate: repetitions are found by chains of places that begin alike, then each block of symbols gets Huffman codes of
 * its own. */
#include "base/deflate.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

enum {
    SHORTEST = 3,
    LONGEST = 258,
    WINDOW = 32768,
    HASHES = 32768,
    TRIES = 48,    /* places looked at for each match */
    BLOCK = 32768, /* symbols with codes of their own */
    LITERALS = 286,
    DISTANCES = 30,
    SIZES = 19, /* of the code in which lengths of codes are written */
    END = 256,
    DEEPEST = 15
};

/* lengths and distances of repetitions: the first of each symbol, and how many bits follow it */
static const uint16_t length_from[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                         31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_bits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t far_from[DISTANCES] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                             33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                             1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const uint8_t far_bits[DISTANCES] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                            6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

struct code {
    uint32_t count[LITERALS]; /* how often a symbol is used */
    uint8_t size[LITERALS];   /* bits of its code, 0: none */
    uint16_t bits[LITERALS];  /* the first one lowest */
};

struct deflate {
    const unsigned char *bytes;
    size_t count;
    unsigned char *out;
    size_t length, room;
    uint64_t held; /* bits not written yet */
    unsigned nheld;
    bool failed;
    int32_t head[HASHES], prev[WINDOW]; /* places that begin alike, the last ones first; -1: no more */
    uint16_t value[BLOCK], far[BLOCK];  /* symbols: a byte, or how long and how far back */
    size_t nsymbols;
    struct code literal, distance;
};

/* --- bits -------------------------------------------------------------------------------------------------------- */

static void put(struct deflate *d, uint32_t bits, unsigned size)
{
    if (d->failed) /* more bits are held then than are ever shifted */
        return;
    d->held |= (uint64_t)bits << d->nheld;
    for (d->nheld += size; d->nheld >= 8; d->nheld -= 8, d->held >>= 8) {
        d->failed = !carom_memory_room(&d->out, d->length, &d->room, 1024, 1);
        if (d->failed)
            return;
        d->out[d->length++] = (unsigned char)d->held;
    }
}

static void put_symbol(struct deflate *d, const struct code *code, size_t symbol)
{
    put(d, code->bits[symbol], code->size[symbol]);
}

/* --- codes ------------------------------------------------------------------------------------------------------- */

/* depths of n symbols in Huffman's tree; false: one is deeper than `deepest` */
static bool find_depths(const uint32_t *count, size_t n, unsigned deepest, uint8_t *size)
{
    uint64_t weight[2 * LITERALS];
    size_t parent[2 * LITERALS] = {0}, alive[LITERALS], nalive = 0, nodes = n;
    for (size_t i = 0; i < n; i++) {
        weight[i] = count[i];
        size[i] = 0;
        if (count[i] > 0)
            alive[nalive++] = i;
    }
    while (nalive > 1) {
        for (size_t k = 0; k < 2; k++) { /* the two lightest to the end */
            size_t least = 0;
            for (size_t i = 1; i + k < nalive; i++)
                least = weight[alive[i]] < weight[alive[least]] ? i : least;
            const size_t hold = alive[least];
            alive[least] = alive[nalive - 1 - k];
            alive[nalive - 1 - k] = hold;
        }
        weight[nodes] = weight[alive[nalive - 1]] + weight[alive[nalive - 2]];
        parent[alive[nalive - 1]] = parent[alive[nalive - 2]] = nodes;
        alive[--nalive - 1] = nodes++;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t at = i; count[i] > 0 && parent[at] > 0; at = parent[at])
            if (++size[i] > deepest)
                return false;
    return true;
}

/* codes of n symbols by how often they are used; two at least have one, so that every reader takes them */
static void make_code(struct code *code, size_t n, unsigned deepest)
{
    uint32_t count[LITERALS];
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        used += code->count[i] > 0;
    for (size_t i = 0; used < 2 && i < n; i++)
        if (code->count[i] == 0)
            code->count[i] = 1, used++;
    memcpy(count, code->count, n * sizeof *count);
    while (!find_depths(count, n, deepest, code->size))
        for (size_t i = 0; i < n; i++)
            count[i] = (count[i] + 1) / 2; /* more alike, less deep */
    unsigned next = 0;
    for (unsigned size = 1; size <= deepest; size++, next <<= 1)
        for (size_t i = 0; i < n; i++)
            if (code->size[i] == size) {
                unsigned turned = 0;
                for (unsigned b = 0; b < size; b++)
                    turned |= (next >> b & 1U) << (size - 1 - b);
                code->bits[i] = (uint16_t)turned;
                next++;
            }
}

/* --- blocks ------------------------------------------------------------------------------------------------------ */

static size_t symbol_of(const uint16_t *from, size_t n, unsigned value)
{
    size_t low = 0;
    for (size_t high = n; high - low > 1;) {
        const size_t middle = (low + high) / 2;
        *(from[middle] <= value ? &low : &high) = middle;
    }
    return low;
}

/* lengths of both codes; of zeros in a row only how many they are */
static void put_sizes(struct deflate *d)
{
    static const uint8_t order[SIZES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t all[LITERALS + DISTANCES], symbol[LITERALS + DISTANCES], more[LITERALS + DISTANCES];
    size_t n = 0;
    struct code code = {.count = {0}};
    memcpy(all, d->literal.size, LITERALS);
    memcpy(all + LITERALS, d->distance.size, DISTANCES);
    for (size_t i = 0; i < LITERALS + DISTANCES; n++) {
        size_t run = 1;
        while (all[i] == 0 && i + run < LITERALS + DISTANCES && all[i + run] == 0 && run < 138)
            run++;
        symbol[n] = run >= 11 ? 18 : run >= 3 ? 17 : all[i];
        more[n] = (uint8_t)(run >= 11 ? run - 11 : run >= 3 ? run - 3 : 0);
        i += run >= 3 ? run : 1;
        code.count[symbol[n]]++;
    }
    make_code(&code, SIZES, 7);
    put(d, LITERALS - 257, 5);
    put(d, DISTANCES - 1, 5);
    put(d, SIZES - 4, 4);
    for (size_t i = 0; i < SIZES; i++)
        put(d, code.size[order[i]], 3);
    for (size_t i = 0; i < n; i++) {
        put_symbol(d, &code, symbol[i]);
        put(d, more[i], symbol[i] == 18 ? 7 : symbol[i] == 17 ? 3 : 0);
    }
}

static void put_block(struct deflate *d, bool last)
{
    d->literal.count[END]++;
    make_code(&d->literal, LITERALS, DEEPEST);
    make_code(&d->distance, DISTANCES, DEEPEST);
    put(d, last ? 5 : 4, 3); /* codes of its own */
    put_sizes(d);
    for (size_t i = 0; i < d->nsymbols && !d->failed; i++) {
        if (d->far[i] == 0) {
            put_symbol(d, &d->literal, d->value[i]);
            continue;
        }
        const size_t length = symbol_of(length_from, 29, d->value[i]), far = symbol_of(far_from, DISTANCES, d->far[i]);
        put_symbol(d, &d->literal, 257 + length);
        put(d, (uint32_t)(d->value[i] - length_from[length]), length_bits[length]);
        put_symbol(d, &d->distance, far);
        put(d, (uint32_t)(d->far[i] - far_from[far]), far_bits[far]);
    }
    put_symbol(d, &d->literal, END);
    d->nsymbols = 0;
    memset(&d->literal, 0, sizeof d->literal);
    memset(&d->distance, 0, sizeof d->distance);
}

static void take(struct deflate *d, size_t value, size_t far)
{
    if (d->nsymbols == BLOCK)
        put_block(d, false);
    d->value[d->nsymbols] = (uint16_t)value;
    d->far[d->nsymbols++] = (uint16_t)far;
    d->literal.count[far == 0 ? value : 257 + symbol_of(length_from, 29, (unsigned)value)]++;
    if (far > 0)
        d->distance.count[symbol_of(far_from, DISTANCES, (unsigned)far)]++;
}

/* --- repetitions ------------------------------------------------------------------------------------------------- */

static size_t hash_at(const struct deflate *d, size_t i)
{
    const uint32_t three = (uint32_t)d->bytes[i] << 16 | (uint32_t)d->bytes[i + 1] << 8 | d->bytes[i + 2];
    return three * 2654435761U >> 17;
}

static void remember(struct deflate *d, size_t i)
{
    if (i + SHORTEST > d->count)
        return;
    const size_t hash = hash_at(d, i);
    d->prev[i % WINDOW] = d->head[hash];
    d->head[hash] = (int32_t)i;
}

/* the longest that begins at i, 0: none; *far: how far back it is */
static size_t repeats(const struct deflate *d, size_t i, size_t *far)
{
    const size_t most = d->count - i < LONGEST ? d->count - i : LONGEST;
    size_t best = 0;
    if (most < SHORTEST)
        return 0;
    int32_t at = d->head[hash_at(d, i)];
    for (int tries = 0; at >= 0 && i - (size_t)at < WINDOW && tries < TRIES && best < most; tries++) {
        const unsigned char *a = d->bytes + at, *b = d->bytes + i;
        size_t n = 0;
        if (best == 0 || a[best] == b[best])
            while (n < most && a[n] == b[n])
                n++;
        if (n > best && n >= SHORTEST)
            best = n, *far = i - (size_t)at;
        at = d->prev[(size_t)at % WINDOW];
    }
    return best;
}

unsigned char *carom_deflate(const unsigned char *bytes, size_t count, size_t *length)
{
    struct deflate *d = count < INT32_MAX ? carom_memory_zeroed(1, sizeof *d) : NULL;
    if (d == NULL)
        return NULL;
    d->bytes = bytes;
    d->count = count;
    memset(d->head, 0xff, sizeof d->head);
    for (size_t i = 0; i < count && !d->failed;) {
        size_t far = 0;
        const size_t n = repeats(d, i, &far);
        take(d, n > 0 ? n : bytes[i], n > 0 ? far : 0);
        for (const size_t next = i + (n > 0 ? n : 1); i < next; i++)
            remember(d, i);
    }
    put_block(d, true);
    put(d, 0, 7); /* the last bits */
    unsigned char *out = d->out;
    *length = d->length;
    if (d->failed) {
        carom_memory_free(out);
        out = NULL;
    }
    carom_memory_free(d);
    return out;
}
