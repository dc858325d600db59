/* By which laws bodies of the plane and of space meet. The table of contacts has a line for every two classes of
 * bodies; its numbers are those of a pair of effective radius 1 and mass 1, and powers of both say the rest. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/friction.h"
#include "carom/law.h"
#include "scene/contact/bind_friction.h"
#include "scene/contact/contact_table.h"
#include "scene/space/bind_space.h"

#define CLASSES 400 /* of bodies; pairs of them are lines of the table */

/* the lines of the table of contacts: which two classes each speaks of, by an entry of each */
struct carom_bind_pairs {
    size_t n;
    const struct carom_bind_entry *(*side)[2];
    double *radius_power; /* of the stiffness: 1/2 where it comes from materials, else 0 */
};

/* --- lines of the table ------------------------------------------------------------------------------------------ */

/* what the entries of a class have in common */
static const struct carom_bind_entry *entry_of(const struct carom_bind_space *s, uint32_t class)
{
    size_t i = 0;
    while (s->entry[i].class != class)
        i++;
    return &s->entry[i];
}

/* Has the class one body only, which meets none of its kind? */
static bool is_single(const struct carom_bind_space *s, uint32_t class)
{
    size_t count = 0;
    for (size_t i = 0; i < s->nentries; i++)
        count += s->entry[i].class == class ? s->entry[i].of_class : 0;
    return count == 1;
}

/* the first box that moves freely; NULL: none */
static const struct carom_node *first_box(const struct carom_bind_space *s)
{
    for (size_t i = 0; i < s->nentries; i++)
        if (s->bodies->body[s->entry[i].first].surface == CAROM_BOX &&
            carom_bodies_tumbles(&s->bodies->body[s->entry[i].first]))
            return s->entry[i].map;
    return NULL;
}

/* Has the class a body that moves freely and meets walls: a box, where contacts are rigid? */
static bool meets_walls(const struct carom_bind_space *s, uint32_t class)
{
    for (size_t i = 0; i < s->nentries && carom_bind_rigid(s->b); i++)
        if (s->entry[i].class == class && carom_bodies_tumbles(&s->bodies->body[s->entry[i].first]))
            return true;
    return false;
}

/* Two entries of these classes that can meet, for sentences: a wall that is of one class with a box does not meet
 * itself, it meets the box. */
static void find_meeting(const struct carom_bind_space *s, const struct carom_bind_entry *const of[2],
                         const struct carom_bind_entry *found[2])
{
    found[0] = of[0], found[1] = of[1];
    for (size_t i = 0; i < s->nentries; i++)
        for (size_t j = 0; j < s->nentries; j++) {
            const struct carom_bind_entry *a = &s->entry[i], *c = &s->entry[j];
            const bool still = s->bodies->body[a->first].fixed && s->bodies->body[c->first].fixed;
            if (a->class == of[0]->class && c->class == of[1]->class && !still && (i != j || a->of_class > 1)) {
                found[0] = a, found[1] = c;
                return;
            }
        }
}

static enum carom_status find_pairs(struct carom_bind_space *s, struct carom_bind_pairs *pairs)
{
    const size_t classes = s->bodies->nmaterials;
    if (classes > CLASSES)
        return carom_value_wrong(&s->b->r, carom_tree_find(s->root, "bodies"),
                                 "%zu different materials and names in `between` are too many, at most %d", classes,
                                 CLASSES);
    pairs->side = carom_memory_zeroed(classes * (classes + 1) / 2, sizeof *pairs->side);
    if (pairs->side == NULL)
        return carom_bind_memory(s->b);
    for (uint32_t a = 0; a < classes; a++)
        for (uint32_t c = a; c < classes; c++) {
            const struct carom_bind_entry *one = entry_of(s, a), *two = entry_of(s, c);
            const bool walls = one->wall && two->wall && !meets_walls(s, a) && !meets_walls(s, c);
            if (walls || (a == c && classes > 1 && is_single(s, a)))
                continue; /* walls do not meet walls unless they are rigid and move */
            pairs->side[pairs->n][0] = one;
            pairs->side[pairs->n++][1] = two;
        }
    return CAROM_OK;
}

/* Does a word of `between` mean this entry's class? */
static bool means(const struct carom_bind_space *s, const char *word, const struct carom_bind_entry *entry)
{
    const struct carom_bind_entry *named = carom_bind_space_find(s, word);
    if (named != NULL)
        return named->class == entry->class || &s->entry[entry->main] == named;
    return entry->made_of > 0 && s->b->material[entry->made_of - 1].name != NULL &&
           strcmp(s->b->material[entry->made_of - 1].name, word) == 0;
}

static bool any_moves(const struct carom_bind_space *s, const char *word)
{
    for (size_t i = 0; i < s->nentries; i++)
        if (means(s, word, &s->entry[i]) && !s->entry[i].wall)
            return true;
    return false;
}

static enum carom_status check_word(struct carom_bind_space *s, struct carom_node *node)
{
    const char *word;
    if (carom_value_text(&s->b->r, node, &word) != CAROM_OK)
        return s->b->r.error->status;
    for (size_t i = 0; i < s->nentries; i++)
        if (means(s, word, &s->entry[i]))
            return CAROM_OK;
    return carom_value_wrong(&s->b->r, node, "neither a body nor the material of one has the name \"%s\"",
                             carom_tree_short(word).text);
}

/* the lines that `between` of a map means */
static enum carom_status read_between(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                      struct carom_clause *clause)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *between = carom_tree_find(clause->map, "between");
    if (between == NULL)
        return carom_value_wrong_key(
            r, clause->map, "contacts: between is missing: only the first map of the list applies to all contacts");
    if (carom_value_list_of(r, between, 2, "side") != CAROM_OK || check_word(s, between->first) != CAROM_OK ||
        check_word(s, between->last) != CAROM_OK)
        return r->error->status;
    clause->at = carom_memory_zeroed(pairs->n, sizeof *clause->at);
    if (clause->at == NULL)
        return carom_bind_memory(s->b);
    clause->count = 0;
    const char *one = between->first->text, *two = between->last->text;
    for (size_t j = 0; j < pairs->n; j++) {
        const struct carom_bind_entry *a = pairs->side[j][0], *c = pairs->side[j][1];
        if ((means(s, one, a) && means(s, two, c)) || (means(s, one, c) && means(s, two, a)))
            clause->at[clause->count++] = (uint32_t)j;
    }
    if (clause->count == 0)
        return carom_value_wrong(r, between, "%s",
                                 any_moves(s, one) ? "this is one body, which does not meet itself"
                                                   : "both are walls, which do not meet");
    return CAROM_OK;
}

static bool same_words(const struct carom_node *a, const struct carom_node *b)
{
    return (strcmp(a->first->text, b->first->text) == 0 && strcmp(a->last->text, b->last->text) == 0) ||
           (strcmp(a->first->text, b->last->text) == 0 && strcmp(a->last->text, b->first->text) == 0);
}

static enum carom_status add_clause(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                    struct carom_contact_table *table, struct carom_node *map)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_clause *clause = &table->clause[table->nclauses++];
    *clause = (struct carom_clause){.map = map, .count = pairs->n};
    if (carom_value_map(r, map) != CAROM_OK)
        return r->error->status;
    const struct carom_node *at = carom_tree_find(map, "at"), *between = carom_tree_find(map, "between");
    if (at != NULL)
        return carom_value_wrong_key(r, at, "at: contacts come and go here; between: [A, B] names materials or bodies");
    if (table->nclauses == 1 && between != NULL)
        return carom_value_wrong_key(r, between,
                                     "between: the first map applies to all contacts; add a second one to the list");
    if (table->nclauses == 1)
        return CAROM_OK;
    if (read_between(s, pairs, clause) != CAROM_OK)
        return r->error->status;
    for (size_t i = 1; i + 1 < table->nclauses; i++)
        if (same_words(carom_tree_find(table->clause[i].map, "between"), between))
            return carom_value_wrong(r, between,
                                     "these two have been named before: put all that is said of them into one map");
    return CAROM_OK;
}

static enum carom_status add_clauses(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                     struct carom_contact_table *table)
{
    const struct carom_reader *r = &s->b->r;
    size_t maps;
    struct carom_node *map = carom_bind_contacts_maps(table, s->b, s->root, 0, &maps);
    if (map == NULL)
        return r->error->status;
    for (size_t i = 0; i < maps; i++, map = map->next)
        if (add_clause(s, pairs, table, map) != CAROM_OK)
            return r->error->status;
    return CAROM_OK;
}

/* --- stiffness and damping --------------------------------------------------------------------------------------- */

static const struct carom_material *material_of(const struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    return entry->made_of > 0 ? &s->b->material[entry->made_of - 1] : NULL;
}

static const struct carom_dimension hertz_stiffness = {-0.5, 1.0, -2.0};

struct asking {
    struct carom_bind_space *s;
    const struct carom_bind_pairs *pairs;
};

/* k of a pair of effective radius 1, from what both are made of */
static enum carom_status find_stiffness(void *own, const struct carom_contact_table *table, size_t j,
                                        const struct carom_param *row, double *k)
{
    struct carom_bind_space *s = ((struct asking *)own)->s;
    const struct carom_bind_pairs *pairs = ((struct asking *)own)->pairs;
    const struct carom_reader *r = &s->b->r;
    const struct carom_node *map = table->clause[0].map;
    const struct carom_material *a = material_of(s, pairs->side[j][0]), *c = material_of(s, pairs->side[j][1]);
    struct carom_dimension dimension;
    if (carom_bind_rigid(s->b) && !s->b->springy && carom_contact_table_law(table, j)->rigid) {
        *k = row->standard; /* nobody will ask */
        return CAROM_OK;
    }
    if (carom_contact_table_dimension(table, j, row, &dimension, r->error) != CAROM_OK)
        return r->error->status;
    const bool hertz = carom_units_same(&dimension, &hertz_stiffness);
    if (hertz && a != NULL && c != NULL && !isnan(a->young + a->poisson) && !isnan(c->young + c->poisson)) {
        *k = carom_materials_hertz(a, 1.0, c, HUGE_VAL);
        pairs->radius_power[j] = 0.5;
        if (isfinite(*k) && *k > 0.0)
            return CAROM_OK;
        return carom_value_wrong_key(r, map, "contacts: the materials of %s and %s give no k that a number can hold",
                                     pairs->side[j][0]->word, pairs->side[j][1]->word);
    }
    *k = row->standard == CAROM_REQUIRED ? 1.0 : row->standard;
    const double *gamma = carom_contact_table_column(table, "gamma");
    if (!r->si || (carom_bind_rigid(s->b) && !s->b->springy && (!gamma || !(gamma[j] > 0.0))))
        return CAROM_OK; /* rigid bodies without damping: nobody will ask */
    const struct carom_bind_entry *meet[2];
    find_meeting(s, pairs->side[j], meet);
    return carom_value_wrong_key(r, map,
                                 hertz ? "contacts: %s between %s (body %zu) and %s (body %zu) is missing: give %s, or "
                                         "material with young and poisson to both"
                                       : "contacts: %s between %s (body %zu) and %s (body %zu) is missing: give %s; "
                                         "materials give it for the exponent 3/2 only",
                                 row->name, meet[0]->word, meet[0]->first + 1, meet[1]->word, meet[1]->first + 1,
                                 row->name);
}

/* Damping that a restitution gives a pair goes with its mass m and stiffness k as the units say: with the length that
 * makes k one, L^a = k m^-b V^c, gamma is a number times m^d L^e V^f. */
static enum carom_status scale_damping(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                       const struct carom_contact_table *table, size_t j, const struct carom_param *row,
                                       struct carom_scaled *out)
{
    const struct carom_law *law = carom_contact_table_law(table, j);
    const struct carom_param *k = carom_param_find(law->kind.params, "k");
    struct carom_dimension of_k, of_gamma;
    if (law->damping_of || k == NULL)
        return CAROM_OK;
    if (carom_contact_table_dimension(table, j, k, &of_k, s->b->r.error) != CAROM_OK ||
        carom_contact_table_dimension(table, j, row, &of_gamma, s->b->r.error) != CAROM_OK)
        return s->b->r.error->status;
    if (!isnan(table->clause[table->damped_by[j] - 1].dashpot)) { /* c over k */
        out->radius_power = -pairs->radius_power[j];
        return CAROM_OK;
    }
    const double length = (of_gamma.m + of_gamma.s) / (of_k.m + of_k.s);
    out->radius_power = pairs->radius_power[j] * length;
    out->mass_power = of_gamma.kg - of_k.kg * length;
    return CAROM_OK;
}

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

/* what line j says of friction, rolling and twisting, into a pairing whose normal law is complete; what nobody gives
 * comes from the materials (k_t of mindlin) and from the normal law (gamma_t, its viscous time) */
static enum carom_status bind_friction(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                       const struct carom_contact_table *table, size_t j, struct carom_pairing *out)
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

static enum carom_status fill_pairing(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                      const struct carom_contact_table *table, size_t j, struct carom_pairing *out)
{
    const struct carom_law *law = carom_contact_table_law(table, j);
    double value[CAROM_LAW_WIDTH];
    carom_contact_table_values(table, j, value);
    out->law = law;
    out->ending = (enum carom_ending)table->ending[j];
    for (size_t i = 0; law->kind.params != NULL && law->kind.params[i].name != NULL; i++) {
        const struct carom_param *row = &law->kind.params[i];
        out->param[i].param = value[i];
        if (carom_contact_table_stiffness(row->name))
            out->param[i].radius_power = pairs->radius_power[j];
        if (law->pull && strcmp(row->name, "w") == 0)
            out->param[i].radius_power = 1.0;
        if (table->damped_by[j] > 0 && row == carom_contact_table_damping(law) &&
            scale_damping(s, pairs, table, j, row, &out->param[i]) != CAROM_OK)
            return s->b->r.error->status;
    }
    return bind_friction(s, pairs, table, j, out);
}

/* --- pairings ---------------------------------------------------------------------------------------------------- */

/* Who passes through whom: the last map that says `meet` of a line wins. */
static enum carom_status read_meet(struct carom_bind_space *s, const struct carom_contact_table *table, bool *passes)
{
    const struct carom_param row = {"meet", CAROM_FLAG, 0, 1.0, 0.0, 1.0, "1", "do they meet?", NULL};
    for (size_t i = 0; i < table->nclauses; i++) {
        const struct carom_clause *clause = &table->clause[i];
        struct carom_node *node = carom_tree_find(clause->map, "meet");
        double meets = 1.0;
        if (node != NULL && carom_value_read(&s->b->r, node, &row, &meets) != CAROM_OK)
            return s->b->r.error->status;
        for (size_t j = 0; node != NULL && j < clause->count; j++)
            passes[clause->at != NULL ? clause->at[j] : j] = meets == 0.0;
    }
    return CAROM_OK;
}

/* Lines that say the same are one pairing. */
static enum carom_status make_pairings(struct carom_bind_space *s, const struct carom_bind_pairs *pairs,
                                       const struct carom_contact_table *table, const bool *passes)
{
    struct carom_bodies *b = s->bodies;
    if (!carom_memory_widen(&b->pairing, 0, pairs->n, sizeof *b->pairing))
        return carom_bind_memory(s->b);
    for (size_t i = 0; i < b->nmaterials * b->nmaterials; i++)
        b->meets[i] = CAROM_UNPAIRED;
    for (size_t j = 0; j < pairs->n; j++) {
        struct carom_pairing *own = &b->pairing[b->npairings];
        memset(own, 0, sizeof *own);
        if (fill_pairing(s, pairs, table, j, own) != CAROM_OK)
            return s->b->r.error->status;
        size_t same = 0;
        while (memcmp(&b->pairing[same], own, sizeof *own) != 0)
            same++;
        b->npairings += same == b->npairings;
        const size_t a = pairs->side[j][0]->class, c = pairs->side[j][1]->class;
        if (!passes[j])
            b->meets[a * b->nmaterials + c] = b->meets[c * b->nmaterials + a] = (uint32_t)same;
    }
    return CAROM_OK;
}

/* A law of spheres that pull, which has not been told how much, is another law. */
static enum carom_status tell_pull(struct carom_bind_space *s)
{
    for (size_t i = 0; i < s->bodies->npairings; i++) {
        const struct carom_pairing *own = &s->bodies->pairing[i];
        const struct carom_param *first = own->law->kind.params, *w = carom_param_find(first, "w");
        if (own->law->pull && w != NULL && own->param[w - first].param == 0.0)
            return carom_bind_note(s->b,
                                   "law: %s with w = 0 pulls at nothing, like hertz; w: 0.05 is a work of adhesion of "
                                   "clean, hard spheres, in J/m^2",
                                   own->law->kind.name);
    }
    return CAROM_OK;
}

/* what the scene says of restitution, line by line, for every two classes; NaN where the law will say it */
static enum carom_status spread_restitution(struct carom_bind_space *s, const struct carom_bind_pairs *pairs)
{
    const size_t n = s->bodies->nmaterials;
    double *of_classes = carom_memory_zeroed(n * n, sizeof *of_classes);
    if (of_classes == NULL)
        return carom_bind_memory(s->b);
    for (size_t j = 0; j < pairs->n; j++) {
        const size_t a = pairs->side[j][0]->class, c = pairs->side[j][1]->class;
        of_classes[a * n + c] = of_classes[c * n + a] = s->b->e[j];
    }
    carom_memory_free(s->b->e);
    s->b->e = of_classes;
    return CAROM_OK;
}

static enum carom_status fill_sheet(struct carom_bind_space *s, struct carom_bind_pairs *pairs,
                                    struct carom_contact_table *table)
{
    table->law = carom_memory_zeroed(table->nc, sizeof *table->law);
    table->ending = carom_memory_zeroed(table->nc, sizeof *table->ending);
    table->damped_by = carom_memory_zeroed(table->nc, sizeof *table->damped_by);
    pairs->radius_power = carom_memory_zeroed(table->nc, sizeof *pairs->radius_power);
    double *mass = carom_memory_zeroed(table->nc, sizeof *mass);
    enum carom_status status = table->law != NULL && table->ending != NULL && table->damped_by != NULL &&
                                       pairs->radius_power != NULL && mass != NULL
                                   ? add_clauses(s, pairs, table)
                                   : carom_bind_memory(s->b);
    for (size_t j = 0; mass != NULL && j < table->nc; j++)
        mass[j] = 1.0;
    if (status == CAROM_OK)
        status = carom_contact_table_fill(table, s->b);
    if (status == CAROM_OK)
        status = carom_contact_table_stiffen(table, find_stiffness, &(struct asking){s, pairs});
    if (status == CAROM_OK)
        status = carom_bind_damping(s->b, table, mass);
    carom_memory_free(mass);
    return status == CAROM_OK ? carom_contact_table_accept(table, s->b) : status;
}

enum carom_status carom_bind_space_contacts(struct carom_bind_space *s)
{
    struct carom_bind_pairs pairs = {0};
    if (find_pairs(s, &pairs) != CAROM_OK)
        return s->b->r.error->status;
    if (pairs.n == 0) {
        carom_memory_free(pairs.side);
        const struct carom_node *box = first_box(s);
        return carom_value_wrong(
            &s->b->r, box != NULL ? box : carom_tree_find(s->root, "bodies"), "%s",
            box != NULL ? "boxes that meet boxes or walls need theory: nonsmooth with scheme: moreau-jean, "
                          "or event where they are few; with a law that gives way they meet discs and "
                          "spheres only"
                        : "there are only walls: add a disc, a sphere, a lattice or a packing");
    }
    struct carom_contact_table table = {.nc = pairs.n, .first = 1, .section = &carom_keys_space_meeting};
    bool *passes = carom_memory_zeroed(pairs.n, sizeof *passes);
    enum carom_status status = passes != NULL ? fill_sheet(s, &pairs, &table) : carom_bind_memory(s->b);
    if (status == CAROM_OK)
        status = read_meet(s, &table, passes);
    if (status == CAROM_OK)
        status = make_pairings(s, &pairs, &table, passes);
    if (status == CAROM_OK)
        status = tell_pull(s);
    if (status == CAROM_OK && s->b->e != NULL)
        status = spread_restitution(s, &pairs);
    carom_contact_table_free(&table);
    carom_memory_free_all(passes, pairs.radius_power, pairs.side);
    return status;
}
