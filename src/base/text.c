/* Control characters: those of ASCII, and U+0080 to U+009F, which some terminals heed as well, also as single bytes:
 * what is no UTF-8 goes too. */
#include "base/text.h"

#include <string.h>

/* how many bytes the character that begins here has; 0: it is none */
static size_t length_of(const unsigned char *c)
{
    const size_t n = *c < 0x80                 ? 1
                     : *c >= 0xc2 && *c < 0xe0 ? 2
                     : *c >= 0xe0 && *c < 0xf0 ? 3
                     : *c >= 0xf0 && *c < 0xf5 ? 4
                                               : 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

size_t carom_text_character(const unsigned char *p, size_t left)
{
    if (p[0] < 0x80)
        return 1;
    const size_t n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    const bool longer = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    return longer || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf4 && p[1] > 0x8f) ? 0 : n;
}

void carom_text_plain(char *text)
{
    unsigned char *c = (unsigned char *)text;
    while (*c != '\0') {
        const size_t n = length_of(c);
        if (*c == '\n' || *c == '\t')
            *c = ' ';
        else if (n == 0 || *c < 0x20 || *c == 0x7f)
            *c = '?';
        else if (*c == 0xc2 && c[1] < 0xa0)
            c[0] = c[1] = '?';
        c += n > 0 ? n : 1;
    }
}

bool carom_text_has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; length > 0 && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}
