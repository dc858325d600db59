/* Fills error records. Text comes out as one printable line whatever was put in (a scene may hold anything), and too
 * long a sentence is cut with an ellipsis. Does not print and keeps nothing. */
#include "carom/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define ROOM sizeof(((struct carom_error *)0)->text)

/* Ends a cut sentence with "..." without leaving half a UTF-8 character before it. */
static void mark_cut(char *text)
{
    size_t end = ROOM - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80)
        end--;
    memcpy(text + end, "...", 4);
}

static void write_text(char *text, const char *format, va_list arguments)
{
    const int length = vsnprintf(text, ROOM, format, arguments);
    if (length < 0)
        text[0] = '\0';
    else if ((size_t)length >= ROOM)
        mark_cut(text);
}

enum carom_status carom_error_set(struct carom_error *error, enum carom_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    char text[ROOM]; /* not in place: the arguments may point into the record */
    va_list arguments;
    va_start(arguments, format);
    write_text(text, format, arguments);
    va_end(arguments);
    carom_text_plain(text);
    error->status = status;
    memcpy(error->text, text, ROOM);
    if (status == CAROM_OK)
        error->text[0] = '\0';
    return status;
}

enum carom_status carom_error_prefix(struct carom_error *error, const char *format, ...)
{
    if (error == NULL)
        return CAROM_E_FAILED; /* nobody kept the status */
    if (error->status == CAROM_OK)
        return CAROM_OK;
    char prefix[ROOM];
    va_list arguments;
    va_start(arguments, format);
    write_text(prefix, format, arguments);
    va_end(arguments);
    return carom_error_set(error, error->status, "%s: %s", prefix, error->text);
}

enum carom_status carom_error_missing(struct carom_error *error)
{
    return error != NULL && error->status != CAROM_OK ? error->status
                                                      : carom_error_set(error, CAROM_E_MEMORY, "out of memory");
}

const char *carom_error_meaning(enum carom_status status)
{
    switch (status) {
#define CASE(name, code, meaning) \
    case name:                    \
        return meaning;
        CAROM_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}
