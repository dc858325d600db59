/* Friction of contacts of balls and of faces of solids, contacts: {friction: ...} or {mu: ...}. To balls a solid is
 * flat, as for their stiffness; faces rub by Coulomb's law without springs: points of surfaces that touch have no
 * partners that last. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "scene/contact/bind_friction.h"
#include "scene/solid/bind_solid.h"

struct filling {
    struct carom_bind *b;
    const struct carom_contact_table *table;
    size_t contact;
};

/* 1 / R* = 1 / R_a + 1 / R_b */
static double round_of(const struct carom_bind *b, const int32_t side[2])
{
    return 1.0 / (1.0 / b->radius[side[0]] + 1.0 / b->radius[side[1]]);
}

static enum carom_status fill_in(void *own, const struct carom_node *map, const struct carom_param *row,
                                 const struct carom_friction *law, struct carom_scaled *value)
{
    const struct filling *f = own;
    struct carom_bind *b = f->b;
    const int32_t *side = b->pair[f->contact];
    value->param = row->standard;
    if (strcmp(row->name, "gamma_t") == 0) {
        const struct carom_law *normal = carom_contact_table_law(f->table, f->contact);
        double numbers[CAROM_LAW_WIDTH];
        const double *param[CAROM_LAW_WIDTH];
        carom_contact_table_values(f->table, f->contact, numbers);
        for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
            param[i] = &numbers[i];
        value->param = normal->viscous_time != NULL ? fmax(normal->viscous_time(param, 0), 0.0) : 0.0;
    } else if (strcmp(row->name, "k_t") == 0 && law == &carom_friction_mindlin) {
        value->param = carom_bind_friction_shear(b, b->made_of[side[0]], b->made_of[side[1]]) * sqrt(round_of(b, side));
        if (!(value->param > 0.0))
            return carom_value_wrong_key(&b->r, map,
                                         "friction: k_t is missing: give it, or material with young and poisson to "
                                         "both bodies; or law: coulomb, which needs none");
    }
    return row->standard == CAROM_REQUIRED && value->param == row->standard ? carom_value_missing(&b->r, map, row)
                                                                            : CAROM_OK;
}

static enum carom_status read_one(struct carom_bind *b, const struct carom_contact_table *table, size_t j, bool faces,
                                  struct carom_strike_friction *friction)
{
    struct filling filling = {.b = b, .table = table, .contact = j};
    struct carom_scaled value[CAROM_FRICTION_PARAMS] = {{0}};
    struct carom_node *map;
    bool is_short;
    if (carom_bind_friction_map(b, table, j, CAROM_SLIDES, &map, &is_short) != CAROM_OK)
        return b->r.error->status;
    if (map == NULL)
        return CAROM_OK;
    if (carom_bind_friction(b, CAROM_SLIDES, map, is_short, faces ? &carom_friction_coulomb : NULL, fill_in, &filling,
                            &friction->law, value) != CAROM_OK)
        return b->r.error->status;
    if (faces && friction->law != NULL && friction->law->spring)
        return carom_tree_error_key(b->r.tree, map, CAROM_E_REFUSED, b->r.error,
                                    "friction: faces of solids rub by law: coulomb, not %s", friction->law->kind.name);
    for (size_t i = 0; i < CAROM_FRICTION_PARAMS; i++)
        friction->param[i] = value[i].param;
    return CAROM_OK;
}

enum carom_status carom_bind_solid_friction(struct carom_bind *b, const struct carom_contact_table *table)
{
    const struct carom_solid_strike *s = carom_solid_strike_of(b->scene->model);
    struct carom_strike_friction *friction = carom_memory_zeroed(table->nc, sizeof *friction);
    enum carom_status status = friction != NULL ? CAROM_OK : carom_bind_memory(b);
    bool any = s->balls != NULL && s->balls->ncontacts > 0; /* that turn, though nothing may rub them: mu: 0 */
    for (size_t j = 0; j < table->nc && status == CAROM_OK; j++) {
        status = read_one(b, table, j, j >= s->meets_first, &friction[j]);
        any = any || friction[j].law != NULL;
    }
    if (status == CAROM_OK && any)
        carom_solid_strike_friction(b->scene->model, friction);
    else
        carom_memory_free(friction);
    return status;
}

bool carom_bind_solid_friction_is(const struct carom_node *root)
{
    static const char *const words[] = {"friction", "mu", "mu_static"};
    const struct carom_node *given = carom_tree_find(root, "contacts");
    const bool list = given != NULL && given->kind == CAROM_NODE_LIST;
    for (const struct carom_node *map = list ? given->first : given; map != NULL; map = list ? map->next : NULL)
        for (size_t i = 0; map->kind == CAROM_NODE_MAP && i < sizeof words / sizeof *words; i++)
            if (carom_tree_find(map, words[i]) != NULL)
                return true;
    return false;
}
