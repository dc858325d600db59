/* Writes arrays into a page, as base64, a few kilobytes at a time. Numbers are little-endian in the page whatever the
 * machine; float32 and 16-bit numbers are rounded to nearest. Where it pays arrays are packed: the first bytes of all
 * numbers, then the second ones and so on, which are much more alike, and these deflated. */
#include "study/page/page_parts.h"

#include <math.h>
#include <string.h>

#include "base/deflate.h"
#include "base/memory.h"

/* a multiple of 3, so that blocks can be written one after the other */
enum { BLOCK = 3 * 1024 };

struct scale {
    double offset, scale;
};

static size_t size_of(enum carom_page_blob_type type)
{
    static const size_t sizes[] = {8, 4, 2, 4, 4, 1};
    return sizes[type];
}

static struct scale find_scale(const double *data, size_t count)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < count; i++)
        if (isfinite(data[i])) {
            low = data[i] < low ? data[i] : low;
            high = data[i] > high ? data[i] : high;
        }
    if (!(low < high))
        return (struct scale){low <= high ? low : 0.0, 0.0};
    /* halves first: the difference may be beyond the largest double */
    return (struct scale){0.5 * low + 0.5 * high, (0.5 * high - 0.5 * low) / 32767.0};
}

static void put(unsigned char *to, uint64_t bits, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)(bits >> (8 * i));
}

/* a double beyond float32's range becomes infinite, which is undefined in C without the test */
static float narrow(double x)
{
    return isfinite(x) && fabs(x) > 3.4028234e38 ? (float)copysign(HUGE_VAL, x) : (float)x;
}

static uint64_t bits_of(enum carom_page_blob_type type, const void *data, size_t i, struct scale scale)
{
    uint64_t whole = 0;
    uint32_t half = 0;
    switch (type) {
    case CAROM_PAGE_BLOB_F64:
        memcpy(&whole, (const double *)data + i, sizeof whole);
        return whole;
    case CAROM_PAGE_BLOB_F32: {
        const float value = narrow(((const double *)data)[i]);
        memcpy(&half, &value, sizeof half);
        return half;
    }
    case CAROM_PAGE_BLOB_I16: {
        const double value = ((const double *)data)[i];
        if (!isfinite(value))
            return 0x8000;
        return (uint16_t)(int16_t)(scale.scale > 0.0 ? lround((value - scale.offset) / scale.scale) : 0);
    }
    case CAROM_PAGE_BLOB_I32:
    case CAROM_PAGE_BLOB_U32:
        memcpy(&half, (const uint32_t *)data + i, sizeof half);
        return half;
    case CAROM_PAGE_BLOB_U8:
        break;
    }
    return ((const uint8_t *)data)[i];
}

static void write_base64(struct carom_page_out *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[BLOCK / 3 * 4];
    size_t length = 0;
    for (size_t i = 0; i < count; i += 3) {
        const unsigned b = i + 1 < count ? bytes[i + 1] : 0U, c = i + 2 < count ? bytes[i + 2] : 0U;
        const unsigned word = (unsigned)bytes[i] << 16 | b << 8 | c;
        text[length++] = digits[word >> 18 & 63];
        text[length++] = digits[word >> 12 & 63];
        text[length++] = i + 1 < count ? digits[word >> 6 & 63] : '=';
        text[length++] = i + 2 < count ? digits[word & 63] : '=';
    }
    fwrite(text, 1, length, out->file);
    out->bytes += length;
}

static void describe(struct carom_page_out *out, const char *key, enum carom_page_blob_type type, size_t count,
                     struct scale scale, bool packed)
{
    static const char *const names[] = {"f64", "f32", "i16", "i32", "u32", "u8"};
    carom_page_json_open(&out->json, key, '{');
    carom_page_json_count(&out->json, "blob", out->nblobs);
    carom_page_json_text(&out->json, "type", names[type]);
    carom_page_json_count(&out->json, "count", count);
    if (packed)
        carom_page_json_flag(&out->json, "packed", true);
    if (type == CAROM_PAGE_BLOB_I16) {
        carom_page_json_number(&out->json, "offset", scale.offset);
        carom_page_json_number(&out->json, "scale", scale.scale);
    }
    carom_page_json_close(&out->json, '}');
}

/* the array packed, or NULL where that does not pay or memory lacks */
static unsigned char *pack(enum carom_page_blob_type type, const void *data, size_t count, struct scale scale,
                           size_t *length)
{
    enum { WORTH = 64 }; /* bytes */
    const size_t size = size_of(type), whole = size * count;
    unsigned char *bytes = whole >= WORTH ? carom_memory_zeroed(whole, 1) : NULL;
    for (size_t i = 0; bytes && i < count; i++) {
        const uint64_t bits = bits_of(type, data, i, scale);
        for (size_t b = 0; b < size; b++)
            bytes[b * count + i] = (unsigned char)(bits >> (8 * b));
    }
    unsigned char *packed = bytes ? carom_deflate(bytes, whole, length) : NULL;
    carom_memory_free(bytes);
    if (packed && *length > whole - whole / 8) {
        carom_memory_free(packed);
        packed = NULL;
    }
    return packed;
}

static void write_packed(struct carom_page_out *out, const unsigned char *packed, size_t length)
{
    for (size_t i = 0; i < length; i += BLOCK)
        write_base64(out, packed + i, length - i < BLOCK ? length - i : BLOCK);
}

static void write_plain(struct carom_page_out *out, enum carom_page_blob_type type, const void *data, size_t count,
                        struct scale scale)
{
    const size_t size = size_of(type);
    unsigned char bytes[BLOCK + 8];
    size_t fill = 0;
    for (size_t i = 0; i < count; i++) {
        put(bytes + fill, bits_of(type, data, i, scale), size);
        fill += size;
        if (fill >= BLOCK) {
            write_base64(out, bytes, BLOCK);
            memmove(bytes, bytes + BLOCK, fill - BLOCK);
            fill -= BLOCK;
        }
    }
    write_base64(out, bytes, fill);
}

enum carom_status carom_page_blob_write(struct carom_page_out *out, const char *key, enum carom_page_blob_type type,
                                        const void *data, size_t count, struct carom_error *error)
{
    const struct scale scale = type == CAROM_PAGE_BLOB_I16 ? find_scale(data, count) : (struct scale){0.0, 1.0};
    size_t length = 0;
    unsigned char *packed = pack(type, data, count, scale, &length);
    describe(out, key, type, count, scale, packed != NULL);
    fprintf(out->file, "<script type=\"application/octet-stream\" id=\"blob-%zu\">", out->nblobs++);
    if (packed)
        write_packed(out, packed, length);
    else
        write_plain(out, type, data, count, scale);
    carom_memory_free(packed);
    fputs("</script>\n", out->file);
    if (ferror(out->file))
        return carom_error_set(error, CAROM_E_FILE, "the page could not be written");
    return out->json.failed ? carom_memory_error(error) : CAROM_OK;
}
