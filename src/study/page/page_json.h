/* Text of JSON, written into memory that grows. Whatever is put in, the text stays valid JSON and may stand inside an
 * HTML script element: bytes that are not UTF-8 become U+FFFD, and < > & are written as escapes. */
#ifndef CAROM_STUDY_PAGE_PAGE_JSON_H
#define CAROM_STUDY_PAGE_PAGE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAROM_PAGE_JSON_DEPTH 16

/* Zeroed memory is an empty text. */
struct carom_page_json {
    char *text; /* length bytes, and a zero */
    size_t length, room;
    bool failed;                        /* out of memory: all that follows does nothing */
    bool filled[CAROM_PAGE_JSON_DEPTH]; /* has this level an entry? */
    int depth;
};

void carom_page_json_free(struct carom_page_json *json);

/* Objects and arrays; `key` is NULL inside arrays. */
void carom_page_json_open(struct carom_page_json *json, const char *key, char bracket);
void carom_page_json_close(struct carom_page_json *json, char bracket);

/* A number that is not finite is the text "NaN", "Infinity" or "-Infinity". */
void carom_page_json_number(struct carom_page_json *json, const char *key, double value);
void carom_page_json_count(struct carom_page_json *json, const char *key, uint64_t value);
void carom_page_json_flag(struct carom_page_json *json, const char *key, bool value);
void carom_page_json_text(struct carom_page_json *json, const char *key, const char *text);
void carom_page_json_text_of(struct carom_page_json *json, const char *key, const char *text, size_t length);
void carom_page_json_vector(struct carom_page_json *json, const char *key, const double *x, size_t n);

#endif
