/* Friction of a pairing, and its resistance to rolling and twisting, from the maps that speak of it; later ones win
 * whole. What nobody gives comes from the materials (k_t of mindlin) and from the normal law (gamma_t, its viscous
 * time). */
#include "scene/space/bind_space_friction.h"

#include <math.h>
#include <string.h>

/* under which key a map of contacts speaks of each way */
static const char *const keys[CAROM_WAYS] = {"friction", "rolling", "twisting"};

static bool speaks_of(const struct carom_clause *clause, size_t j)
{
    if (clause->at == NULL)
        return true;
    size_t i = 0;
    while (i < clause->count && clause->at[i] != j)
        i++;
    return i < clause->count;
}

/* the last map that says anything of a way at line j: its `friction`, or itself where mu stands in it directly */
static enum carom_status find_map(struct carom_bind_space *s, const struct carom_sheet *sheet, size_t j,
                                  enum carom_way way, struct carom_node **found, bool *is_short)
{
    for (size_t i = sheet->nclauses; i-- > 0;) {
        struct carom_node *map = sheet->clause[i].map;
        if (!speaks_of(&sheet->clause[i], j))
            continue;
        struct carom_node *friction = carom_tree_find(map, keys[way]);
        struct carom_node *mu = carom_tree_find(map, "mu"), *mu_static = carom_tree_find(map, "mu_static");
        struct carom_node *given = way != CAROM_SLIDES ? NULL : mu != NULL ? mu : mu_static;
        if (friction != NULL && given != NULL)
            return carom_tree_error_key(s->b->r.tree, given, CAROM_E_INPUT, s->b->r.error,
                                        "%s and friction both say it, choose one", given->key);
        if (friction != NULL || given != NULL) {
            *found = friction != NULL ? friction : map;
            *is_short = friction == NULL;
            return CAROM_OK;
        }
    }
    return CAROM_OK;
}

static enum carom_status find_law(struct carom_bind_space *s, struct carom_node *node, enum carom_way way,
                                  const struct carom_friction **law)
{
    const struct carom_friction *const *laws = way == CAROM_SLIDES ? s->b->frictions : carom_kinds_resistances;
    const char *names[CAROM_BIND_KINDS], *word;
    size_t count = 0;
    *law = laws[0]; /* the usual one */
    if (node == NULL)
        return CAROM_OK;
    if (carom_value_text(&s->b->r, node, &word) != CAROM_OK)
        return s->b->r.error->status;
    for (; laws[count] != NULL; count++) {
        *law = laws[count];
        names[count] = laws[count]->kind.name;
        if (strcmp(word, names[count]) == 0)
            return CAROM_OK;
    }
    struct carom_node at_value = *node;
    at_value.key_line = 0;
    return carom_value_unknown(&s->b->r, &at_value, "law", word, names, count);
}

/* 1 / G* = (2 - nu_a) / G_a + (2 - nu_b) / G_b; a rigid side adds nothing. 0: a material does not say it. */
static double shear_modulus(const struct carom_bind_space *s, const struct carom_bind_entry *const side[2])
{
    double inverse = 0.0;
    for (size_t i = 0; i < 2; i++) {
        const struct carom_material *m = side[i]->made_of > 0 ? &s->b->material[side[i]->made_of - 1] : NULL;
        if (m == NULL || isnan(m->young + m->poisson))
            return 0.0;
        if (m->young < HUGE_VAL)
            inverse += (2.0 - m->poisson) * 2.0 * (1.0 + m->poisson) / m->young;
    }
    return inverse > 0.0 ? 1.0 / inverse : 0.0;
}

/* a parameter that nobody gives */
static enum carom_status fill_in(struct carom_bind_space *s, const struct carom_bind_pairs *pairs, size_t j,
                                 const struct carom_node *map, const struct carom_param *row,
                                 const struct carom_friction *law, const struct carom_pairing *normal,
                                 struct carom_scaled *value)
{
    const struct carom_reader *r = &s->b->r;
    if (strcmp(row->name, "gamma_t") == 0) {
        *value = carom_bodies_viscous_time(normal);
        return CAROM_OK;
    }
    if (strcmp(row->name, "k_t") == 0 && law == &carom_friction_mindlin) {
        *value = (struct carom_scaled){8.0 * shear_modulus(s, pairs->side[j]), 0.5, 0.0};
        if (value->param > 0.0 || carom_bind_rigid(s->b)) /* rigid contacts have no spring that it would belong to */
            return CAROM_OK;
        return carom_tree_error_key(r->tree, map, CAROM_E_INPUT, r->error,
                                    "friction: k_t is missing: give it, or material with young and poisson to %s (body "
                                    "%zu) and %s (body %zu); or law: coulomb, which needs none",
                                    pairs->side[j][0]->word, pairs->side[j][0]->first + 1, pairs->side[j][1]->word,
                                    pairs->side[j][1]->first + 1);
    }
    value->param = row->standard;
    return row->standard == CAROM_REQUIRED ? carom_value_missing(r, map, row) : CAROM_OK;
}

/* the law of one way and its parameters, from its map */
static enum carom_status read_way(struct carom_bind_space *s, const struct carom_bind_pairs *pairs, size_t j,
                                  enum carom_way way, struct carom_node *map, bool is_short,
                                  const struct carom_pairing *normal, const struct carom_friction **law,
                                  struct carom_scaled *value)
{
    const struct carom_reader *r = &s->b->r;
    if (map->kind == CAROM_NODE_SCALAR)
        return carom_tree_error(r->tree, map, CAROM_E_INPUT, r->error,
                                "is a single value, expected none or a map such as {mu: 0.3}");
    if (carom_value_map(r, map) != CAROM_OK ||
        find_law(s, is_short ? NULL : carom_tree_find(map, "law"), way, law) != CAROM_OK)
        return r->error->status;
    const struct carom_param *rows = (*law)->kind.params, *const more[] = {rows, NULL};
    if (!is_short && carom_value_keys(r, map, &carom_keys_space_friction, more) != CAROM_OK)
        return r->error->status;
    for (size_t i = 0; rows[i].name != NULL; i++) {
        struct carom_node *node =
            is_short && strncmp(rows[i].name, "mu", 2) != 0 ? NULL : carom_tree_find(map, rows[i].name);
        if ((node != NULL ? carom_value_read(r, node, &rows[i], &value[i].param)
                          : fill_in(s, pairs, j, map, &rows[i], *law, normal, &value[i])) != CAROM_OK)
            return r->error->status;
    }
    if (value[1].param > 0.0 && value[1].param < value[0].param)
        return carom_tree_error_key(r->tree, map, CAROM_E_INPUT, r->error,
                                    "%s: mu_static, %g, must not be less than mu, %g", keys[way], value[1].param,
                                    value[0].param);
    if (value[0].param == 0.0 && !(value[1].param > 0.0)) { /* as if there were none */
        *law = NULL;
        memset(value, 0, CAROM_FRICTION_PARAMS * sizeof *value);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_space_friction(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                            const struct carom_sheet *sheet, size_t j, struct carom_pairing *out)
{
    const struct carom_friction **const law[CAROM_WAYS] = {&out->friction, &out->rolling, &out->twisting};
    struct carom_scaled *const value[CAROM_WAYS] = {out->rub, out->roll, out->twist};
    for (size_t way = 0; way < CAROM_WAYS; way++) {
        struct carom_node *map = NULL;
        bool is_short = false;
        if (find_map(s, sheet, j, (enum carom_way)way, &map, &is_short) != CAROM_OK)
            return s->b->r.error->status;
        if (map == NULL)
            continue;
        if (way == CAROM_TWISTS && s->dimension == 2)
            return carom_tree_error_key(s->b->r.tree, map, CAROM_E_INPUT, s->b->r.error,
                                        "twisting: bodies of the plane do not turn about a contact's normal");
        if (map->kind == CAROM_NODE_SCALAR && strcmp(map->text, "none") == 0)
            map->used = true;
        else if (read_way(s, pairs, j, (enum carom_way)way, map, is_short, out, law[way], value[way]) != CAROM_OK)
            return s->b->r.error->status;
    }
    return CAROM_OK;
}
