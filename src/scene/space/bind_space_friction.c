/* Friction of a pairing, and its resistance to rolling and twisting. What nobody gives comes from the materials (k_t of
 * mindlin) and from the normal law (gamma_t, its viscous time). */
#include "scene/space/bind_space_friction.h"

#include <string.h>

#include "scene/bind_friction.h"

struct filling {
    struct carom_bind_space *s;
    const struct carom_bind_entry *const *side;
    const struct carom_pairing *normal;
};

static enum carom_status fill_in(void *own, const struct carom_node *map, const struct carom_param *row,
                                 const struct carom_friction *law, struct carom_scaled *value)
{
    const struct filling *f = own;
    const struct carom_reader *r = &f->s->b->r;
    if (strcmp(row->name, "gamma_t") == 0) {
        *value = carom_bodies_viscous_time(f->normal);
        return CAROM_OK;
    }
    if (strcmp(row->name, "k_t") == 0 && law == &carom_friction_mindlin) {
        *value = (struct carom_scaled){carom_bind_friction_shear(f->s->b, f->side[0]->made_of, f->side[1]->made_of),
                                       0.5, 0.0};
        if (value->param > 0.0 || carom_bind_rigid(f->s->b)) /* rigid contacts have no spring that it would belong to */
            return CAROM_OK;
        return carom_value_wrong_key(r, map,
                                     "friction: k_t is missing: give it, or material with young and poisson to %s "
                                     "(body %zu) and %s (body %zu); or law: coulomb, which needs none",
                                     f->side[0]->word, f->side[0]->first + 1, f->side[1]->word, f->side[1]->first + 1);
    }
    value->param = row->standard;
    return row->standard == CAROM_REQUIRED ? carom_value_missing(r, map, row) : CAROM_OK;
}

enum carom_status carom_bind_space_friction(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                            const struct carom_contact_table *table, size_t j,
                                            struct carom_pairing *out)
{
    const struct carom_friction **const law[CAROM_WAYS] = {&out->friction, &out->rolling, &out->twisting};
    struct carom_scaled *const value[CAROM_WAYS] = {out->rub, out->roll, out->twist};
    struct filling filling = {.s = s, .side = pairs->side[j], .normal = out};
    for (size_t way = 0; way < CAROM_WAYS; way++) {
        struct carom_node *map;
        bool is_short;
        if (carom_bind_friction_map(s->b, table, j, (enum carom_way)way, &map, &is_short) != CAROM_OK)
            return s->b->r.error->status;
        if (map == NULL)
            continue;
        if (way == CAROM_TWISTS && s->dimension == 2)
            return carom_value_wrong_key(&s->b->r, map,
                                         "twisting: bodies of the plane do not turn about a contact's normal");
        if (carom_bind_friction(s->b, (enum carom_way)way, map, is_short, NULL, fill_in, &filling, law[way],
                                value[way]) != CAROM_OK)
            return s->b->r.error->status;
    }
    return CAROM_OK;
}
