/* Friction of contacts from the maps that speak of it; later ones win whole. What nobody gives the caller fills in. */
#include "scene/contact/bind_friction.h"

#include <math.h>
#include <string.h>

#include "carom/friction.h"
#include "scene/keys/keys_space.h"

/* under which key a map of contacts speaks of each way */
static const char *const keys[CAROM_WAYS] = {"friction", "rolling", "twisting"};

static bool speaks_of(const struct carom_clause *clause, size_t j)
{
    if (clause->at == NULL)
        return j < clause->count;
    size_t i = 0;
    while (i < clause->count && clause->at[i] != j)
        i++;
    return i < clause->count;
}

enum carom_status carom_bind_friction_map(struct carom_bind *b, const struct carom_contact_table *table, size_t j,
                                          enum carom_way way, struct carom_node **found, bool *is_short)
{
    *found = NULL;
    *is_short = false;
    for (size_t i = table->nclauses; i-- > 0;) {
        struct carom_node *map = table->clause[i].map;
        if (!speaks_of(&table->clause[i], j))
            continue;
        struct carom_node *friction = carom_tree_find(map, keys[way]);
        struct carom_node *mu = carom_tree_find(map, "mu"), *mu_static = carom_tree_find(map, "mu_static");
        struct carom_node *given = way != CAROM_SLIDES ? NULL : mu != NULL ? mu : mu_static;
        if (friction != NULL && given != NULL)
            return carom_value_wrong_key(&b->r, given, "%s and friction both say it, choose one", given->key);
        if (friction != NULL || given != NULL) {
            *found = friction != NULL ? friction : map;
            *is_short = friction == NULL;
            return CAROM_OK;
        }
    }
    return CAROM_OK;
}

static enum carom_status find_law(struct carom_bind *b, struct carom_node *node, enum carom_way way,
                                  const struct carom_friction *usual, const struct carom_friction **law)
{
    const struct carom_friction *const *laws = way == CAROM_SLIDES ? b->frictions : carom_kinds_resistances;
    const char *names[CAROM_BIND_KINDS];
    size_t count = 0, which;
    *law = usual != NULL ? usual : laws[0];
    if (node == NULL)
        return CAROM_OK;
    for (; laws[count] != NULL; count++)
        names[count] = laws[count]->kind.name;
    if (carom_value_among(&b->r, node, "law", names, count, &which) != CAROM_OK)
        return b->r.error->status;
    *law = laws[which];
    return CAROM_OK;
}

double carom_bind_friction_shear(const struct carom_bind *b, uint32_t one, uint32_t other)
{
    const uint32_t side[2] = {one, other};
    double inverse = 0.0;
    for (size_t i = 0; i < 2; i++) {
        const struct carom_material *m = side[i] > 0 ? &b->material[side[i] - 1] : NULL;
        if (m == NULL || isnan(m->young + m->poisson))
            return 0.0;
        if (m->young < HUGE_VAL)
            inverse += (2.0 - m->poisson) * 2.0 * (1.0 + m->poisson) / m->young;
    }
    return inverse > 0.0 ? 8.0 * (1.0 / inverse) : 0.0;
}

/* A parameter that only keeps its place is 0, such as mu_static of coulomb, which has no springs that could hold more
 * at rest than when they slip. */
static enum carom_status read_none(const struct carom_reader *r, struct carom_node *node, const struct carom_param *row,
                                   const struct carom_friction *law, bool faces, double *value)
{
    struct carom_param any = *row;
    any.high = HUGE_VAL;
    if (carom_value_read(r, node, &any, value) != CAROM_OK)
        return r->error->status;
    if (*value == 0.0)
        return CAROM_OK;
    return carom_value_wrong_key(r, node, "law %s has one coefficient, mu, and no %s%s", law->kind.name, row->name,
                                 faces ? "; faces of solids rub by no other law" : "");
}

enum carom_status carom_bind_friction(struct carom_bind *b, enum carom_way way, struct carom_node *map, bool is_short,
                                      const struct carom_friction *usual, carom_bind_friction_fill *fill, void *own,
                                      const struct carom_friction **law, struct carom_scaled *value)
{
    const struct carom_reader *r = &b->r;
    *law = NULL;
    if (map->kind == CAROM_NODE_SCALAR && strcmp(map->text, "none") == 0) {
        map->used = true;
        return CAROM_OK;
    }
    if (map->kind == CAROM_NODE_SCALAR)
        return carom_value_wrong(r, map, "is a single value, expected none or a map such as {mu: 0.3}");
    if (carom_value_map(r, map) != CAROM_OK ||
        find_law(b, is_short ? NULL : carom_tree_find(map, "law"), way, usual, law) != CAROM_OK)
        return r->error->status;
    const struct carom_param *rows = (*law)->kind.params, *const more[] = {rows, NULL};
    if (!is_short && carom_value_keys(r, map, &carom_keys_space_friction, more) != CAROM_OK)
        return r->error->status;
    for (size_t i = 0; rows[i].name != NULL; i++) {
        struct carom_node *node =
            is_short && strncmp(rows[i].name, "mu", 2) != 0 ? NULL : carom_tree_find(map, rows[i].name);
        if ((node != NULL && rows[i].high == 0.0 ? read_none(r, node, &rows[i], *law, usual != NULL, &value[i].param)
             : node != NULL                      ? carom_value_read(r, node, &rows[i], &value[i].param)
                                                 : fill(own, map, &rows[i], *law, &value[i])) != CAROM_OK)
            return r->error->status;
    }
    if (value[1].param > 0.0 && value[1].param < value[0].param)
        return carom_value_wrong_key(r, map, "%s: mu_static, %g, must not be less than mu, %g", keys[way],
                                     value[1].param, value[0].param);
    if (value[0].param == 0.0 && !(value[1].param > 0.0)) { /* as if there were none */
        *law = NULL;
        memset(value, 0, CAROM_FRICTION_PARAMS * sizeof *value);
    }
    return CAROM_OK;
}
