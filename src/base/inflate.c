/* Inflate: codes are read bit by bit along their canonical order, which takes no tables beyond how many there are of
 * each length. By hand, as the library is also compiled to WebAssembly (playground/), for which there is no zlib, and
 * files from strangers must end in a sentence there, too. */
#include "base/inflate.h"

#include <stdint.h>
#include <string.h>

enum { LITERALS = 288, DISTANCES = 30, SIZES = 19, END = 256, DEEPEST = 15 };

struct stream {
    const unsigned char *at, *end;
    uint32_t bits;
    unsigned nbits;
    bool bad;
    unsigned char *out;
    size_t n, want;
};

struct code {
    uint16_t count[DEEPEST + 1], symbol[LITERALS]; /* by lengths, then in order */
};

static unsigned take(struct stream *s, unsigned n)
{
    while (s->nbits < n) {
        s->bad = s->bad || s->at == s->end;
        s->bits |= (uint32_t)(s->at < s->end ? *s->at++ : 0) << s->nbits;
        s->nbits += 8;
    }
    const unsigned value = s->bits & ((1U << n) - 1U);
    s->bits >>= n;
    s->nbits -= n;
    return value;
}

/* false: more codes than there is room for */
static bool order(const uint8_t *length, size_t n, struct code *code)
{
    uint16_t first[DEEPEST + 2] = {0};
    int left = 1;
    memset(code->count, 0, sizeof code->count);
    for (size_t i = 0; i < n; i++)
        code->count[length[i]]++;
    code->count[0] = 0;
    for (int l = 1; l <= DEEPEST; l++) {
        left = 2 * left - code->count[l];
        if (left < 0)
            return false;
        first[l + 1] = (uint16_t)(first[l] + code->count[l]);
    }
    for (size_t i = 0; i < n; i++)
        if (length[i] > 0)
            code->symbol[first[length[i]]++] = (uint16_t)i;
    return true;
}

static unsigned next(struct stream *s, const struct code *code)
{
    int word = 0, first = 0, index = 0;
    for (int l = 1; l <= DEEPEST; l++) {
        word |= (int)take(s, 1);
        const int count = code->count[l];
        if (word - first < count)
            return code->symbol[index + word - first];
        index += count;
        first = 2 * (first + count);
        word *= 2;
    }
    s->bad = true;
    return END;
}

static void put(struct stream *s, unsigned char byte)
{
    s->bad = s->bad || s->n == s->want;
    if (!s->bad)
        s->out[s->n++] = byte;
}

/* what was there before, again */
static void repeat(struct stream *s, unsigned symbol, const struct code *far)
{
    const unsigned more = symbol < 8 || symbol == 28 ? 0 : (symbol - 4) / 4;
    const size_t length =
        symbol == 28 ? 258 : (symbol < 8 ? symbol : (size_t)(4 + symbol % 4) << more) + 3 + take(s, more);
    const unsigned step = next(s, far), extra = step < 4 ? 0 : (step - 2) / 2;
    s->bad = s->bad || step >= DISTANCES || symbol > 28;
    if (s->bad)
        return;
    const size_t back = (step < 4 ? step : (size_t)(2 + step % 2) << extra) + 1 + take(s, extra);
    s->bad = s->bad || back > s->n;
    for (size_t i = 0; i < length && !s->bad; i++)
        put(s, s->out[s->n - back]);
}

static void read_block(struct stream *s, const struct code *literal, const struct code *far)
{
    while (!s->bad) {
        const unsigned symbol = next(s, literal);
        if (symbol == END)
            return;
        if (symbol < END)
            put(s, (unsigned char)symbol);
        else
            repeat(s, symbol - END - 1, far);
    }
}

static void read_stored(struct stream *s)
{
    s->bits = s->nbits = 0;
    const unsigned size = take(s, 16), check = take(s, 16);
    s->bad = s->bad || (size ^ check) != 0xffff;
    for (unsigned i = 0; i < size && !s->bad; i++)
        put(s, (unsigned char)take(s, 8));
}

static void read_fixed(struct stream *s)
{
    uint8_t length[LITERALS], five[DISTANCES];
    struct code literal, far;
    for (size_t i = 0; i < LITERALS; i++)
        length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    memset(five, 5, sizeof five);
    if (order(length, LITERALS, &literal) && order(five, DISTANCES, &far))
        read_block(s, &literal, &far);
}

/* lengths of codes, themselves in a code, in which 16 says the last once more, 17 and 18 zeros */
static bool read_lengths(struct stream *s, const struct code *code, size_t n, uint8_t *length)
{
    size_t i = 0;
    while (i < n && !s->bad) {
        const unsigned symbol = next(s, code);
        if (symbol < 16) {
            length[i++] = (uint8_t)symbol;
            continue;
        }
        const unsigned times = symbol == 16 ? 3 + take(s, 2) : symbol == 17 ? 3 + take(s, 3) : 11 + take(s, 7);
        if (symbol > 18 || (symbol == 16 && i == 0) || times > n - i)
            return false;
        memset(length + i, symbol == 16 ? length[i - 1] : 0, times);
        i += times;
    }
    return !s->bad;
}

static void read_dynamic(struct stream *s)
{
    static const uint8_t turn[SIZES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const size_t literals = take(s, 5) + 257, distances = take(s, 5) + 1, sizes = take(s, 4) + 4;
    uint8_t length[LITERALS + 32] = {0};
    struct code code, far;
    for (size_t i = 0; i < sizes; i++)
        length[turn[i]] = (uint8_t)take(s, 3);
    const bool good = literals <= LITERALS - 2 && distances <= DISTANCES && order(length, SIZES, &code) &&
                      read_lengths(s, &code, literals + distances, length) && length[END] > 0 &&
                      order(length, literals, &code) && order(length + literals, distances, &far);
    s->bad = s->bad || !good;
    read_block(s, &code, &far);
}

bool carom_inflate(const unsigned char *bytes, size_t count, size_t want, unsigned char *out, size_t *used)
{
    struct stream s = {.at = bytes, .end = bytes + count, .out = out, .want = want};
    bool last = false;
    while (!last && !s.bad) {
        last = take(&s, 1) == 1;
        const unsigned kind = take(&s, 2);
        if (kind == 0)
            read_stored(&s);
        else if (kind == 1)
            read_fixed(&s);
        else if (kind == 2)
            read_dynamic(&s);
        s.bad = s.bad || kind == 3;
    }
    if (used)
        *used = (size_t)(s.at - bytes);
    return !s.bad && s.n == want;
}

bool carom_inflate_zlib(const unsigned char *bytes, size_t count, size_t want, unsigned char *out)
{
    size_t used = 0;
    uint32_t a = 1, b = 0;
    if (count < 6 || (bytes[0] & 15) != 8 || (256 * bytes[0] + bytes[1]) % 31 != 0 || (bytes[1] & 32) != 0 ||
        !carom_inflate(bytes + 2, count - 2, want, out, &used) || used + 6 > count)
        return false;
    for (size_t i = 0; i < want; i++) {
        a = (a + out[i]) % 65521;
        b = (b + a) % 65521;
    }
    const unsigned char *sum = bytes + 2 + used;
    return ((uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3]) == (b << 16 | a);
}
