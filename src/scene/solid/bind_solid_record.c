/* What is recorded of a solid: its sensors, and which cells. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "scene/solid/bind_solid.h"

#define RECORDED_AT_MOST ((size_t)100000) /* cells recorded where the scene does not say which */

bool carom_bind_solid_record_name(const char *name)
{
    bool good = name[0] != '\0';
    for (const char *c = name; good && *c != '\0'; c++)
        good = (isalnum((unsigned char)*c) && (unsigned char)*c < 128) || *c == '-' || *c == '_';
    return good;
}

enum carom_status carom_bind_solid_record_sensors(struct carom_bind *b, struct carom_node *map, struct carom_solid *s)
{
    struct carom_node *sensors = carom_tree_find(map, "sensors");
    if (sensors == NULL)
        return CAROM_OK;
    if (carom_value_map(&b->r, sensors) != CAROM_OK)
        return b->r.error->status;
    for (struct carom_node *node = sensors->first; node != NULL; node = node->next) {
        double place[3] = {0.0, 0.0, 0.0};
        if (!carom_bind_solid_record_name(node->key))
            return carom_value_wrong_key(&b->r, node, "'%s' is not a name of letters, digits, - and _",
                                         carom_tree_short(node->key).text);
        if (carom_value_vector(&b->r, node, "m", (size_t)s->dimension, false, place) != CAROM_OK)
            return b->r.error->status;
        if (carom_solid_add_sensor(s, node->key, place, b->r.error) != CAROM_OK)
            return carom_tree_error_at(b->r.tree, node, b->r.error);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_solid_record_cells(struct carom_bind *b, const struct carom_node *root,
                                                struct carom_solid *s)
{
    struct carom_node *record = carom_tree_find(root, "record");
    struct carom_node *cells =
        record != NULL && record->kind == CAROM_NODE_MAP ? carom_tree_find(record, "cells") : NULL;
    const bool word = cells != NULL && cells->kind == CAROM_NODE_SCALAR;
    if (cells == NULL || (word && strcmp(cells->text, "none") == 0)) {
        if (cells != NULL)
            cells->used = true;
        if (cells == NULL && s->n <= RECORDED_AT_MOST)
            return CAROM_OK;
        s->nrecord = 0;
        s->record = carom_memory_zeroed(1, sizeof *s->record);
        return s->record != NULL ? CAROM_OK : carom_bind_memory(b);
    }
    if (word && strcmp(cells->text, "all") == 0) {
        cells->used = true;
        return CAROM_OK;
    }
    if (word)
        return carom_value_wrong(&b->r, cells, "'%s': all, none, or a map such as {face: top} or {set: name}",
                                 carom_tree_short(cells->text).text);
    if (carom_value_map_of(&b->r, cells, &carom_keys_solid_recorded) != CAROM_OK)
        return b->r.error->status;
    bool meant;
    if (carom_bind_solid_meant(b, cells, root, s, &meant) != CAROM_OK)
        return b->r.error->status;
    if (meant)
        return carom_bind_solid_pick(b, cells, s, carom_tree_find(cells, "body") != NULL, &s->nrecord, &s->record,
                                     NULL);
    s->record = carom_memory_zeroed(1, sizeof *s->record);
    return s->record != NULL ? CAROM_OK : carom_bind_memory(b);
}
