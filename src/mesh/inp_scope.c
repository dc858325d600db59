/* One part and one instance of it are read: what stands at places of its own is not. */
#include "mesh/inp_scope.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { PART, INSTANCE, ASSEMBLY };

static const char *const words[CAROM_INP_SCOPES] = {"PART", "INSTANCE", "ASSEMBLY"};

/* blanks do not count: *END PART, *ENDPART */
static bool ends(const char *keyword, int which)
{
    if (strncmp(keyword, "END", 3) != 0)
        return false;
    return strcmp(keyword + 3 + strspn(keyword + 3, " \t"), words[which]) == 0;
}

const char *carom_inp_scope_enter(struct carom_inp_scope *s, const char *keyword, const char *name, const char *part,
                                  const char **word)
{
    int which = 0;
    while (which < CAROM_INP_SCOPES && strcmp(keyword, words[which]) != 0 && !ends(keyword, which))
        which++;
    *word = keyword;
    if (which == CAROM_INP_SCOPES)
        return NULL;
    if (ends(keyword, which)) {
        s->state[which] = CAROM_INP_ENDED;
        return NULL;
    }
    if (which != ASSEMBLY && s->state[which] != CAROM_INP_NOT_YET)
        return "one part and one instance of it are read: write the mesh as one part, not with a second";
    if (s->state[PART] == CAROM_INP_BEGUN)
        return "*END PART is missing before";
    if (which == INSTANCE && part && strcasecmp(part, s->part) != 0) {
        *word = part;
        return "there is no part before this line with the name";
    }
    if (which == PART)
        snprintf(s->part, sizeof s->part, "%.60s", name ? name : "");
    s->state[which] = CAROM_INP_BEGUN;
    return NULL;
}

const char *carom_inp_scope_open(const struct carom_inp_scope *s)
{
    for (int i = 0; i < CAROM_INP_SCOPES; i++)
        if (s->state[i] == CAROM_INP_BEGUN)
            return words[i];
    return NULL;
}
