/* Control characters: those of ASCII, and U+0080 to U+009F, which some terminals heed as well. */
#include "base/text.h"

void carom_text_plain(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        if (*c == '\n' || *c == '\t')
            *c = ' ';
        else if (*c < 0x20 || *c == 0x7f)
            *c = '?';
        else if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            c[0] = c[1] = '?';
    }
}
