/* Units of keys, see key_unit.h. Tables are the only place that knows them. */
#include "study/key_unit.h"

#include <stdio.h>
#include <string.h>

#include "carom/law.h"
#include "carom/mechanism.h"
#include "scene/keys/keys.h"

/* The unit that tables give to a word; NULL: they disagree, or none has it. */
static const char *unit_in(const struct carom_param *const *tables, size_t count, const char *word)
{
    const char *unit = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct carom_param *row = tables[i] != NULL ? carom_param_find(tables[i], word) : NULL;
        if (row == NULL || row->unit == NULL)
            continue;
        if (unit != NULL && strcmp(unit, row->unit) != 0)
            return NULL;
        unit = row->unit;
    }
    return unit;
}

/* c: "number of N s/m", of a key that is no parameter of one table; NULL: none says so */
static const char *unit_said(const char *word)
{
    static const char of[] = "number of ";
    for (size_t i = 0; carom_keys_list[i] != NULL; i++)
        for (const struct carom_key *key = carom_keys_section(carom_keys_list[i])->others;
             key != NULL && key->name != NULL; key++)
            if (strcmp(key->name, word) == 0 && strncmp(key->type, of, strlen(of)) == 0)
                return key->type + strlen(of);
    return NULL;
}

/* A key is known by its last two words that are no numbers: first in the tables of the section it stands in, then in
 * all of them. */
const char *carom_key_unit(const char *key, const struct carom_scene *scene)
{
    enum { ROOM = 256 };
    const struct carom_param *all[ROOM], *near[ROOM];
    char word[64] = "", section[64] = "";
    size_t count = 0, nearby = 0;
    for (const char *at = key; *at != '\0';) {
        const size_t length = strcspn(at, ".");
        if (length < sizeof word && strspn(at, "0123456789") < length) {
            memcpy(section, word, sizeof section);
            snprintf(word, sizeof word, "%.*s", (int)length, at);
        }
        at += length + (at[length] == '.');
    }
    for (size_t i = 0; carom_keys_list[i] != NULL && count < 64; i++) {
        if (strcmp(carom_keys_list[i]->name, section) == 0)
            near[nearby++] = carom_keys_list[i]->params;
        all[count++] = carom_keys_list[i]->params;
    }
    for (size_t i = 0; carom_machines_list[i] != NULL && count < 128; i++)
        all[count++] = carom_machines_list[i]->kind.params;
    all[count++] = scene->scheme->kind.params;
    if (strcmp(section, "run") == 0)
        near[nearby++] = scene->scheme->kind.params;
    for (size_t i = 0; scene->model != NULL && i < scene->model->ngroups && count < ROOM; i++) {
        all[count++] = scene->model->group[i].law->kind.params;
        if (strcmp(section, "contacts") == 0)
            near[nearby++] = scene->model->group[i].law->kind.params;
    }
    if (strcmp(word, "diameter") == 0) /* stands for it everywhere */
        snprintf(word, sizeof word, "radius");
    const char *unit = unit_in(near, nearby, word);
    unit = unit != NULL ? unit : unit_in(all, count, word);
    for (size_t i = 0; unit == NULL && carom_keys_list[i] != NULL; i++) /* restitution: 0.9 is its e */
        if (strcmp(carom_keys_list[i]->name, word) == 0)
            unit = carom_keys_list[i]->params[0].unit;
    return unit != NULL ? unit : unit_said(word);
}
