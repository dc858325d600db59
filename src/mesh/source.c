/* Words and numbers out of mesh files. */
#include "mesh/source.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "base/text.h"

/* in brackets, as tools/analyzer.h has a macro of its name */
bool(carom_source_wrong)(const struct carom_source *s, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    carom_text_plain(text);
    carom_error_set(s->error, CAROM_E_INPUT, "line %zu: %s", s->line, text);
    return false;
}

bool carom_source_memory(const struct carom_source *s)
{
    carom_error_set(s->error, CAROM_E_MEMORY, "out of memory for a mesh");
    return false;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static void skip(struct carom_source *s)
{
    for (; s->at < s->end && is_space(*s->at); s->at++)
        s->line += *s->at == '\n' ? 1 : 0;
}

bool carom_source_done(struct carom_source *s)
{
    skip(s);
    return s->at == s->end;
}

bool carom_source_word(struct carom_source *s, const char *what, char *word, size_t room)
{
    size_t length = 0;
    if (carom_source_done(s))
        return carom_source_wrong(s, "the file breaks off where %s should stand", what);
    for (; s->at < s->end && !is_space(*s->at); s->at++)
        if (length + 1 < room)
            word[length++] = *s->at;
    word[length] = '\0';
    return true;
}

bool carom_source_line(struct carom_source *s, char *text, size_t room)
{
    size_t length = 0;
    if (s->at == s->end)
        return false;
    for (; s->at < s->end && *s->at != '\n'; s->at++)
        if (length + 1 < room)
            text[length++] = *s->at;
    if (s->at < s->end) {
        s->at++;
        s->line++;
    }
    while (length > 0 && is_space(text[length - 1]))
        length--;
    text[length] = '\0';
    return true;
}

bool carom_source_real(struct carom_source *s, const char *what, double *out)
{
    char word[64], *end;
    if (!carom_source_word(s, what, word, sizeof word))
        return false;
    *out = strtod(word, &end);
    if (end == word || *end != '\0' || strpbrk(word, "xX") != NULL || !(fabs(*out) < HUGE_VAL)) /* no hexadecimal */
        return carom_source_wrong(s, "%s should stand here, not '%.40s'", what, word);
    return true;
}

bool carom_source_count(struct carom_source *s, const char *what, uint64_t *out)
{
    char word[64];
    if (!carom_source_word(s, what, word, sizeof word))
        return false;
    uint64_t value = 0;
    size_t i = 0;
    for (; word[i] >= '0' && word[i] <= '9' && i < 18; i++)
        value = 10 * value + (uint64_t)(word[i] - '0');
    if (i == 0 || word[i] != '\0')
        return carom_source_wrong(s, "%s should stand here, not '%.40s'", what, word);
    *out = value;
    return true;
}

/* --- names by number ------------------------------------------------------------------------------------------- */

bool carom_source_names_add(struct carom_source_names *n, uint64_t name, uint32_t index)
{
    if (!carom_memory_room(&n->list, n->count, &n->room, 256, sizeof *n->list))
        return false;
    n->list[n->count++] = (struct carom_source_name){name, index};
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct carom_source_name *x = a, *y = b;
    return x->name != y->name ? CAROM_SORTED(x->name, y->name) : CAROM_SORTED(x->index, y->index);
}

void carom_source_names_sort(struct carom_source_names *n)
{
    bool rises = true;
    for (size_t i = 1; i < n->count && rises; i++)
        rises = n->list[i - 1].name <= n->list[i].name;
    if (!rises)
        qsort(n->list, n->count, sizeof *n->list, compare);
}

size_t carom_source_names_twice(const struct carom_source_names *n, size_t from)
{
    size_t i = from > 1 ? from : 1;
    while (i < n->count && n->list[i - 1].name != n->list[i].name)
        i++;
    return i < n->count ? i : n->count;
}

uint32_t carom_source_names_find(const struct carom_source_names *n, uint64_t name)
{
    size_t low = 0;
    CAROM_SORTED_FIRST(low, n->count, n->list[middle].name < name);
    return low < n->count && n->list[low].name == name ? n->list[low].index : UINT32_MAX;
}

void carom_source_names_free(struct carom_source_names *n)
{
    carom_memory_free(n->list);
    *n = (struct carom_source_names){.count = 0};
}
