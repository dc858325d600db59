/* Where bodies of the plane and of space may be: the domain, gravity, and that no two stand in one place. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/bodies/list.h"
#include "model/bodies/meet.h"
#include "model/bodies/outside.h"
#include "model/bodies/search.h"
#include "model/bodies/shapes.h"
#include "model/bodies/walls.h"
#include "scene/space/bind_space.h"

#define DEEP 0.1     /* of a radius: how far laws of contact reach */
#define ROUNDED 1e-5 /* of a radius: those that overlap by less were meant to touch */
#define TOUCH 1e-9   /* of the radii: places that touch are seldom written with more digits */

/* --- domain ------------------------------------------------------------------------------------------------------ */

static enum carom_status read_periodic(struct carom_bind_space *s, struct carom_node *list)
{
    static const char *const axes[] = {"x", "y", "z"};
    const struct carom_reader *r = &s->b->r;
    if (!s->bodies->bounded)
        return carom_value_wrong_key(r, list, "periodic: needs domain: [[x0, y0], [x1, y1]], whose sides are joined");
    if (carom_value_list(r, list) != CAROM_OK)
        return r->error->status;
    for (struct carom_node *node = list->first; node != NULL; node = node->next) {
        size_t k;
        if (carom_value_among(r, node, "axis", axes, s->dimension, &k) != CAROM_OK)
            return r->error->status;
        s->bodies->periodic[k] = true;
    }
    return CAROM_OK;
}

/* two corners, or the word file: those of the box that a file of LAMMPS has */
static enum carom_status read_corners(struct carom_bind_space *s, struct carom_node *domain)
{
    const struct carom_reader *r = &s->b->r;
    if (domain->kind == CAROM_NODE_SCALAR && strcmp(domain->text, "file") == 0) {
        domain->used = true;
        return carom_bind_space_table_box(s, domain, s->bodies->low, s->bodies->high);
    }
    if (carom_value_list_of(r, domain, 2, "corner") != CAROM_OK ||
        carom_bind_space_vector(s, domain->first, "m", s->bodies->low) != CAROM_OK)
        return r->error->status;
    return carom_bind_space_vector(s, domain->last, "m", s->bodies->high);
}

static enum carom_status read_outside(struct carom_bind_space *s, struct carom_node *node)
{
    static const char *const words[] = {"keep", "remove", "stop"}; /* as in enum carom_outside */
    const struct carom_reader *r = &s->b->r;
    const char *word;
    int i = 0;
    if (carom_value_text(r, node, &word) != CAROM_OK)
        return r->error->status;
    while (i < 3 && strcmp(words[i], word) != 0)
        i++;
    if (i == 3)
        return carom_value_unknown(r, node, "choice", word, words, 3);
    if (!s->bodies->bounded)
        return carom_value_wrong_key(r, node, "outside: needs domain: [[x0, y0], [x1, y1]], which bodies may leave");
    s->bodies->outside = (enum carom_outside)i;
    return CAROM_OK;
}

enum carom_status carom_bind_space_domain(struct carom_bind_space *s)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *domain = carom_tree_find(s->root, "domain"), *periodic = carom_tree_find(s->root, "periodic");
    struct carom_node *gravity = carom_tree_find(s->root, "gravity"), *outside = carom_tree_find(s->root, "outside");
    struct carom_bodies *b = s->bodies;
    if (gravity != NULL && carom_bind_space_vector(s, gravity, "m/s^2", b->gravity) != CAROM_OK)
        return r->error->status;
    if (domain != NULL) {
        if (read_corners(s, domain) != CAROM_OK)
            return r->error->status;
        for (size_t k = 0; k < s->dimension; k++)
            if (!(b->high[k] > b->low[k]))
                return carom_value_wrong(r, domain, "its second corner must lie beyond the first along every axis");
        b->bounded = true;
    }
    if (periodic != NULL && read_periodic(s, periodic) != CAROM_OK)
        return r->error->status;
    return outside != NULL ? read_outside(s, outside) : CAROM_OK;
}

/* Who leaves the domain has been in it. */
static enum carom_status check_leaving(struct carom_bind_space *s)
{
    const struct carom_bodies *b = s->bodies;
    double *q = carom_memory_zeroed(b->n * carom_bodies_nq(b), sizeof *q);
    if (q == NULL)
        return carom_bind_memory(s->b);
    carom_bodies_rest(b, q);
    const size_t out = b->outside != CAROM_OUTSIDE_KEEP ? carom_outside_next(b, q, 0) : b->n;
    carom_memory_free(q);
    return out == b->n
               ? CAROM_OK
               : carom_value_wrong(&s->b->r, carom_tree_find(s->root, "domain"), "body %zu stands outside it", out + 1);
}

/* Bodies stand inside the sides that are joined, which are long enough that a pair meets through one of them only. */
static enum carom_status check_domain(struct carom_bind_space *s)
{
    const struct carom_bodies *b = s->bodies;
    const struct carom_node *domain = carom_tree_find(s->root, "domain");
    for (size_t k = 0; k < s->dimension; k++) {
        if (!b->periodic[k])
            continue;
        if (b->high[k] - b->low[k] < 8.0 * b->largest)
            return carom_value_wrong(
                &s->b->r, domain,
                "its periodic side along %c is %g long: at least four largest diameters are needed, %g", "xyz"[k],
                b -> high[k] - b -> low[k], 8.0 * b -> largest);
        for (size_t i = 0; i < b->n; i++)
            if (b->body[i].surface == CAROM_BALL && !(b->body[i].at[k] >= b->low[k] && b->body[i].at[k] <= b->high[k]))
                return carom_value_wrong(&s->b->r, domain, "body %zu stands outside it: %c = %g", i + 1, "xyz"[k],
                                         b -> body[i].at[k]);
    }
    return CAROM_OK;
}

/* --- overlaps ---------------------------------------------------------------------------------------------------- */

static const struct carom_bind_entry *entry_of(const struct carom_bind_space *s, size_t body)
{
    size_t i = 0;
    while (i + 1 < s->nentries && s->entry[i + 1].first <= body)
        i++;
    return &s->entry[i];
}

/* of two bodies the one to move: the later one, unless it stands and the other does not */
static size_t concerned(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    return b->body[key->b].fixed && !b->body[key->a].fixed ? key->a : key->b;
}

static enum carom_status say_overlap(struct carom_bind_space *s, const struct carom_contact_key *key, double overlap)
{
    const struct carom_bodies *b = s->bodies;
    const size_t i = concerned(b, key), other = key->a + key->b - i;
    const struct carom_bind_entry *entry = entry_of(s, i);
    const bool rigid = carom_bind_rigid(s->b), deep = !(overlap < HUGE_VAL);
    char text[48] = " deeply";
    if (b->body[other].fixed && entry_of(s, other)->wall && !deep && overlap > carom_bodies_reach(&b->body[i]))
        return carom_value_wrong_key(&s->b->r, entry->map,
                                     "%s: body %zu stands on the wrong side of the wall that is body %zu", entry->word,
                                     i + 1, other + 1);
    if (!deep)
        snprintf(text, sizeof text, " by %.3g%s", overlap, s->b->r.si ? " m" : "");
    const bool rounded = overlap < ROUNDED * carom_bodies_reach(&b->body[i]); /* they were meant to touch */
    return carom_value_wrong_key(
        &s->b->r, entry->map, "%s: bodies %zu and %zu overlap%s: %s", entry->word, (size_t)key->a + 1,
        (size_t)key->b + 1, text,
        rounded ? "for bodies that touch write places with 10 digits, or leave space between them; bodies of a lattice "
                  "touch by themselves"
        : rigid ? "rigid bodies cannot; move one of them"
                : "move one of them; a displacement of start may press bodies together, their places may not");
}

/* Bodies of a table come from where something pressed them: they may overlap as far as laws of contact reach. */
static bool are_pressed(const struct carom_bind_space *s, const struct carom_contact_key *key, double overlap)
{
    const struct carom_body *a = &s->bodies->body[key->a], *b = &s->bodies->body[key->b];
    const double smaller = a->surface != CAROM_BALL   ? b->radius
                           : b->surface != CAROM_BALL ? a->radius
                                                      : fmin(a->radius, b->radius);
    return overlap <= DEEP * smaller && (entry_of(s, key->a)->table != NULL || entry_of(s, key->b)->table != NULL);
}

/* bodies with corners or parts in a hollow disc or sphere: no scheme knows their gap, and each says so itself */
static bool are_refused_later(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    const struct carom_body *one = &b->body[key->a], *other = &b->body[key->b];
    return carom_shapes_both(b, key->a, key->b) &&
           ((one->surface == CAROM_BALL && one->inside) || (other->surface == CAROM_BALL && other->inside));
}

/* What passes for touching. Bodies with corners may stand on each other as people write it, in some digits; schemes
 * look again, as closely as they need. */
static double slack_of(const struct carom_bodies *b, const struct carom_contact_key *key)
{
    const double size = carom_meet_radius(&b->body[key->a], &b->body[key->b]);
    return carom_shapes_both(b, key->a, key->b) && !(size < HUGE_VAL) ? 1e-7 * (b->edge + b->far) : TOUCH * size;
}

/* in the place where the two are nearest to each other; false: they are too deep in each other to tell */
static bool find_gap(const struct carom_bodies *b, const struct carom_contact_key *pair, const double *q, double *gap)
{
    struct carom_meeting m = {.gap = -HUGE_VAL};
    uint32_t feature[CAROM_SHAPES_MOST];
    const bool shapes = carom_shapes_both(b, pair->a, pair->b);
    const bool told = shapes || carom_meet(b, pair, q, &m);
    const size_t n = shapes ? carom_shapes_places(b, pair, q, feature) : 0;
    *gap = shapes && n != SIZE_MAX ? HUGE_VAL : m.gap;
    for (size_t k = 0; k < n && n != SIZE_MAX; k++) {
        carom_shapes_meet(b, &(struct carom_contact_key){pair->pairing, pair->a, pair->b, feature[k]}, q, &m);
        *gap = fmin(*gap, m.gap);
    }
    return told && n != SIZE_MAX;
}

/* Bodies may touch where they stand, not overlap. */
static enum carom_status check_overlaps(struct carom_bind_space *s)
{
    const struct carom_bodies *b = s->bodies;
    struct carom_search search = {0};
    struct carom_contacts *list = carom_list_create(b);
    double *q = carom_memory_zeroed(b->n * carom_bodies_nq(b), sizeof *q);
    enum carom_status status = list != NULL && q != NULL ? CAROM_OK : carom_bind_memory(s->b);
    if (status == CAROM_OK) {
        carom_bodies_rest(b, q);
        status = carom_search_open(&search, b, s->b->r.error);
    }
    if (status == CAROM_OK)
        status = carom_search_renew(&search, q, 0.0, &list, 1, s->b->r.error);
    for (size_t j = 0; status == CAROM_OK && j < list->n; j++) {
        const struct carom_contact_key *key = &list->key[j];
        const double slack = slack_of(b, key);
        double gap;
        if (are_refused_later(b, key))
            continue;
        if (!find_gap(b, key, q, &gap) || (gap < -slack && !are_pressed(s, key, -gap)))
            status = say_overlap(s, key, -gap);
    }
    carom_search_close(&search);
    carom_list_free(list);
    carom_memory_free(q);
    return status;
}

/* Walls that move freely stand apart from others. */
static enum carom_status check_walls(struct carom_bind_space *s)
{
    double *q = carom_memory_zeroed(s->bodies->n * carom_bodies_nq(s->bodies), sizeof *q);
    size_t pair[2];
    if (q == NULL)
        return carom_bind_memory(s->b);
    carom_bodies_rest(s->bodies, q);
    const bool touch = !carom_bind_rigid(s->b) && carom_walls_touch(s->bodies, q, pair); /* rigid ones meet */
    carom_memory_free(q);
    if (!touch)
        return CAROM_OK;
    const struct carom_bind_entry *later = entry_of(s, pair[1]);
    return carom_value_wrong_key(&s->b->r, later->map,
                                 "%s: bodies %zu and %zu overlap: boxes and cylinders that move freely meet discs and "
                                 "spheres; boxes meet other walls under theory: nonsmooth with scheme: moreau-jean",
                                 later->word, pair[0] + 1, pair[1] + 1);
}

enum carom_status carom_bind_space_domain_check(struct carom_bind_space *s)
{
    const enum carom_status status = check_domain(s) == CAROM_OK ? check_leaving(s) : s->b->r.error->status;
    return status == CAROM_OK && check_walls(s) == CAROM_OK ? check_overlaps(s) : s->b->r.error->status;
}
