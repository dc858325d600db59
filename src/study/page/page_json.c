/* Writes JSON that is safe inside HTML. Knows nothing of what the text means; whole numbers beyond 2^53 are written as
 * texts, since scripts read numbers as doubles. */
#include "study/page/page_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

void carom_page_json_free(struct carom_page_json *json)
{
    carom_memory_free(json->text);
    *json = (struct carom_page_json){0};
}

static void add(struct carom_page_json *json, const char *text, size_t length)
{
    if (json->failed)
        return;
    if (json->length + length + 1 > json->room) {
        const size_t room = 2 * (json->length + length) + 1024;
        json->failed = !carom_memory_widen(&json->text, json->room, room, 1);
        if (json->failed)
            return;
        json->room = room;
    }
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = '\0';
}

static void add_quoted(struct carom_page_json *json, const char *text, size_t length)
{
    add(json, "\"", 1);
    for (size_t i = 0; i < length;) {
        const unsigned char *at = (const unsigned char *)text + i;
        const size_t size = carom_text_character(at, length - i);
        const bool escaped = size == 1 && (*at < 0x20 || *at == 0x7f || strchr("\"\\<>&", *at) != NULL);
        char escape[8];
        if (size == 0)
            add(json, "\\ufffd", 6);
        else if (escaped) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*at);
            add(json, escape, 6);
        } else if (size == 3 && at[0] == 0xe2 && at[1] == 0x80 && (at[2] == 0xa8 || at[2] == 0xa9))
            add(json, at[2] == 0xa8 ? "\\u2028" : "\\u2029", 6); /* ends of lines to scripts */
        else
            add(json, text + i, size);
        i += size > 0 ? size : 1;
    }
    add(json, "\"", 1);
}

static void begin(struct carom_page_json *json, const char *key)
{
    if (json->filled[json->depth])
        add(json, ",\n", json->depth > 2 ? 1 : 2);
    json->filled[json->depth] = true;
    if (key) {
        add_quoted(json, key, strlen(key));
        add(json, ":", 1);
    }
}

void carom_page_json_open(struct carom_page_json *json, const char *key, char bracket)
{
    begin(json, key);
    add(json, &bracket, 1);
    if (json->depth + 1 < CAROM_PAGE_JSON_DEPTH)
        json->depth++;
    json->filled[json->depth] = false;
}

void carom_page_json_close(struct carom_page_json *json, char bracket)
{
    add(json, &bracket, 1);
    if (json->depth > 0)
        json->depth--;
}

void carom_page_json_number(struct carom_page_json *json, const char *key, double value)
{
    char text[40];
    begin(json, key);
    if (isnan(value))
        snprintf(text, sizeof text, "\"NaN\"");
    else if (isinf(value))
        snprintf(text, sizeof text, "\"%sInfinity\"", value < 0.0 ? "-" : "");
    else
        snprintf(text, sizeof text, "%.17g", value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.'; /* whatever the locale says */
    add(json, text, strlen(text));
}

void carom_page_json_count(struct carom_page_json *json, const char *key, uint64_t value)
{
    char text[40];
    begin(json, key);
    snprintf(text, sizeof text, value > UINT64_C(1) << 53 ? "\"%llu\"" : "%llu", (unsigned long long)value);
    add(json, text, strlen(text));
}

void carom_page_json_flag(struct carom_page_json *json, const char *key, bool value)
{
    begin(json, key);
    add(json, value ? "true" : "false", value ? 4 : 5);
}

void carom_page_json_text_of(struct carom_page_json *json, const char *key, const char *text, size_t length)
{
    begin(json, key);
    add_quoted(json, text, length);
}

void carom_page_json_text(struct carom_page_json *json, const char *key, const char *text)
{
    carom_page_json_text_of(json, key, text ? text : "", text ? strlen(text) : 0);
}

void carom_page_json_vector(struct carom_page_json *json, const char *key, const double *x, size_t n)
{
    carom_page_json_open(json, key, '[');
    for (size_t k = 0; k < n; k++)
        carom_page_json_number(json, NULL, x[k]);
    carom_page_json_close(json, ']');
}
