/* Lattices of a scene: which of their sites are taken and by whom, how large everybody is and where. What is drawn at
 * random comes from streams of its own, so that vacancies do not change the radii, nor these the places. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/place/lattice.h"
#include "scene/space/bind_space.h"

#define EMPTY UINT16_MAX

enum stream { VACANCIES = 1, INTRUDERS, RADII, PLACES };

static void begin(const struct carom_bind_space *s, const struct carom_keys_lattice *keys, enum stream stream,
                  struct carom_random *random)
{
    const uint64_t seed = keys->seed > 0 ? (uint64_t)keys->seed : s->b->scene->seed;
    carom_random_start(random, seed ^ (0x4c617474696365ULL * (uint64_t)stream));
}

/* --- keys -------------------------------------------------------------------------------------------------------- */

static enum carom_status read_counts(struct carom_bind_space *s, const struct carom_bind_entry *entry, double count[3])
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *node = carom_tree_find(entry->map, "count");
    if (node == NULL)
        return carom_value_wrong_key(r, entry->map, "lattice: count is missing: how many along each axis, such as %s",
                                     s->dimension == 2 ? "[5, 5]" : "[5, 5, 5]");
    if (carom_bind_space_vector(s, node, "1", count) != CAROM_OK)
        return r->error->status;
    for (size_t k = 0; k < s->dimension; k++)
        if (!(count[k] >= 1.0 && count[k] <= 1e8 && floor(count[k]) == count[k]))
            return carom_value_wrong(r, node, "counts are whole numbers from 1 to 1e8, got %g", count[k]);
    return CAROM_OK;
}

static enum carom_status check_kind(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                    const struct carom_keys_lattice *keys)
{
    const struct carom_reader *r = &s->b->r;
    if (carom_lattice_dimension((enum carom_lattice)keys->kind) == s->dimension)
        return CAROM_OK;
    return carom_value_wrong(r, carom_tree_find(entry->map, "kind"), "%s is a lattice of %s, this scene is of %s",
                             carom_lattice_names[keys->kind], s->dimension == 2 ? "space" : "the plane",
                             s->dimension == 2 ? "the plane" : "space");
}

static enum carom_status read_keys(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                   struct carom_keys_lattice *keys, double count[3])
{
    const struct carom_reader *r = &s->b->r;
    if (carom_value_section(r, entry->map, &carom_keys_space_lattice.kind, keys) != CAROM_OK ||
        check_kind(s, entry, keys) != CAROM_OK || read_counts(s, entry, count) != CAROM_OK)
        return r->error->status;
    const double sites = carom_lattice_count((enum carom_lattice)keys->kind, count);
    if (sites > 1e8)
        return carom_value_wrong(r, carom_tree_find(entry->map, "count"), "makes %.3g bodies, at most 1e8 are taken",
                                 sites);
    if (keys->disorder > 0.0 && !(keys->gap > 0.0))
        return carom_value_wrong(r, carom_tree_find(entry->map, "disorder"),
                                 "bodies that touch their neighbours have no room to be moved: give a gap");
    return CAROM_OK;
}

/* --- sites ------------------------------------------------------------------------------------------------------- */

struct sites {
    size_t n, left;
    uint16_t *who; /* EMPTY, 0: of the lattice, 1, 2, ...: an intruder of this entry */
};

/* the site that a number of the scene means, as long as it is one of the lattice's own */
static enum carom_status read_site(struct carom_bind_space *s, struct carom_node *node, const struct sites *sites,
                                   size_t *site)
{
    const struct carom_reader *r = &s->b->r;
    const struct carom_param row = {"site", CAROM_INTEGER, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1", "site", NULL};
    double number;
    if (carom_value_read(r, node, &row, &number) != CAROM_OK)
        return r->error->status;
    if (!(number >= 1.0 && number <= (double)sites->n))
        return carom_value_wrong(r, node, "there is no site %.15g: sites count from 1 to %zu", number, sites->n);
    *site = (size_t)number - 1;
    if (sites->who[*site] != 0)
        return carom_value_wrong(r, node, "site %.15g appears twice", number);
    return CAROM_OK;
}

static enum carom_status mark(struct carom_bind_space *s, struct carom_node *list, struct sites *sites, uint16_t as)
{
    const bool single = list->kind == CAROM_NODE_SCALAR && as != EMPTY; /* one intruder needs no list */
    if (!single && carom_value_list(&s->b->r, list) != CAROM_OK)
        return s->b->r.error->status;
    for (struct carom_node *node = single ? list : list->first; node != NULL; node = single ? NULL : node->next) {
        size_t site = 0;
        if (read_site(s, node, sites, &site) != CAROM_OK)
            return s->b->r.error->status;
        sites->who[site] = as;
        sites->left -= as == EMPTY;
    }
    return CAROM_OK;
}

/* a share of the sites that are still the lattice's own, each as likely as the others */
static void draw(struct carom_random *random, double share, struct sites *sites, uint16_t as)
{
    size_t own = 0;
    for (size_t i = 0; i < sites->n; i++)
        own += sites->who[i] == 0;
    size_t wanted = (size_t)floor(share * (double)own + 0.5);
    for (size_t i = 0; i < sites->n && wanted > 0; i++) {
        if (sites->who[i] != 0)
            continue;
        if (carom_random_below(random, own--) < wanted) {
            sites->who[i] = as;
            sites->left -= as == EMPTY;
            wanted--;
        }
    }
}

static struct carom_node *first_intruder(const struct carom_bind_entry *entry)
{
    struct carom_node *node = carom_tree_find(entry->map, "intruders");
    return node != NULL && node->kind == CAROM_NODE_LIST ? node->first : node;
}

/* those whose sites are told, or those that are drawn */
static enum carom_status put_intruders(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                       const struct carom_keys_lattice *keys, bool told, struct sites *sites)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_random random;
    uint16_t number = 0;
    begin(s, keys, INTRUDERS, &random);
    for (struct carom_node *map = first_intruder(entry); map != NULL; map = map->key == NULL ? map->next : NULL) {
        struct carom_keys_intruder own;
        struct carom_node *at = carom_tree_find(map, "at");
        number++;
        if (carom_value_keys(r, map, &carom_keys_space_intruder, NULL) != CAROM_OK ||
            carom_value_section(r, map, &carom_keys_space_intruder.kind, &own) != CAROM_OK)
            return r->error->status;
        if ((at != NULL) == (own.share > 0.0))
            return carom_value_wrong_key(r, map,
                                         at != NULL ? "intruders: at and share both say where they are, choose one"
                                                    : "intruders: there is neither at, a list of sites, nor share");
        if (at != NULL && told && mark(s, at, sites, number) != CAROM_OK)
            return r->error->status;
        if (at == NULL && !told)
            draw(&random, own.share, sites, number);
    }
    return CAROM_OK;
}

/* Who stands where; the caller frees `who`. */
static enum carom_status lay_out(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                 const struct carom_keys_lattice *keys, size_t n, struct sites *sites)
{
    struct carom_node *omit = carom_tree_find(entry->map, "omit");
    struct carom_random random;
    *sites = (struct sites){.n = n, .left = n, .who = carom_memory_zeroed(n, sizeof *sites->who)};
    if (sites->who == NULL)
        return carom_bind_memory(s->b);
    if ((omit != NULL && mark(s, omit, sites, EMPTY) != CAROM_OK) ||
        put_intruders(s, entry, keys, true, sites) != CAROM_OK)
        return s->b->r.error->status;
    begin(s, keys, VACANCIES, &random);
    draw(&random, keys->vacancies, sites, EMPTY);
    if (sites->left == 0)
        return carom_value_wrong(&s->b->r, omit != NULL ? omit : carom_tree_find(entry->map, "vacancies"),
                                 "leaves no body in the lattice");
    return put_intruders(s, entry, keys, false, sites);
}

enum carom_status carom_bind_space_lattice_count(struct carom_bind_space *s, struct carom_bind_entry *entry)
{
    struct carom_keys_lattice keys;
    struct sites sites = {0};
    double count[3];
    if (read_keys(s, entry, &keys, count) != CAROM_OK)
        return s->b->r.error->status;
    const size_t n = (size_t)carom_lattice_count((enum carom_lattice)keys.kind, count);
    const enum carom_status status = lay_out(s, entry, &keys, n, &sites);
    entry->count = sites.left;
    for (size_t i = 0; status == CAROM_OK && i < n; i++)
        if (sites.who[i] != EMPTY)
            entry[sites.who[i]].of_class++;
    carom_memory_free(sites.who);
    return status;
}

enum carom_status carom_bind_space_lattice_intruders(struct carom_bind_space *s, size_t main)
{
    size_t count = 0;
    for (struct carom_node *map = first_intruder(&s->entry[main]); map != NULL;
         map = map->key == NULL ? map->next : NULL) {
        struct carom_bind_entry *entry;
        if (carom_value_map(&s->b->r, map) != CAROM_OK || carom_bind_space_entry(s, &entry) != CAROM_OK)
            return s->b->r.error->status;
        struct carom_node *material = carom_tree_find(map, "material"),
                          *list = carom_tree_find(s->entry[main].map, "intruders");
        list->used = true;
        *entry = s->entry[main];
        entry->name = NULL;
        if (++count > CAROM_IMPORT_KINDS)
            return carom_value_wrong(&s->b->r, list, "there are too many of them");
        if (material != NULL && carom_bind_materials_number(s->b, material, false, &entry->made_of) != CAROM_OK)
            return s->b->r.error->status;
    }
    return CAROM_OK;
}

/* --- placing ----------------------------------------------------------------------------------------------------- */

/* a step in any direction, evenly from a ball or disc of this radius */
static void stray(struct carom_random *random, size_t dimension, double radius, double at[3])
{
    double step[3], square;
    do {
        square = 0.0;
        for (size_t k = 0; k < dimension; k++) {
            step[k] = 2.0 * carom_random_uniform(random) - 1.0;
            square += step[k] * step[k];
        }
    } while (!(square < 1.0));
    for (size_t k = 0; k < dimension; k++)
        at[k] += radius * step[k];
}

/* what is drawn for one site: the draw is made for empty ones too, so that who is there does not change the others */
static void draw_body(struct carom_bind_space *s, const struct carom_keys_lattice *keys, struct carom_random random[2],
                      double *radius, double at[3])
{
    if (keys->spread > 0.0)
        *radius *= 1.0 + keys->spread * (2.0 * carom_random_uniform(&random[0]) - 1.0);
    if (keys->disorder > 0.0)
        stray(&random[1], s->dimension, 0.5 * keys->disorder * keys->gap, at);
}

static enum carom_status place_body(struct carom_bind_space *s, const struct carom_bind_entry *entry, uint16_t who,
                                    const struct carom_keys_lattice *keys, double radius, struct carom_body *body)
{
    struct carom_keys_intruder own = {0};
    const struct carom_node *map = who > 0 ? first_intruder(entry) : NULL;
    for (uint16_t i = 1; i < who; i++)
        map = map->next;
    if (who > 0 && carom_value_section(&s->b->r, map, &carom_keys_space_intruder.kind, &own) != CAROM_OK)
        return s->b->r.error->status;
    const bool other = who > 0 && carom_tree_find(map, "material") != NULL;
    body->fixed = keys->fixed;
    return carom_bind_space_bodies_ball(
        s, entry + who, own.radius > 0.0 ? own.radius : radius,
        own.mass > 0.0 ? own.mass
        : other        ? 0.0
                       : keys->mass,
        s->depth > 0.0 && carom_tree_find(entry->map, "thickness") == NULL ? s->depth : keys->thickness, keys->of,
        body);
}

enum carom_status carom_bind_space_lattice_place(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    struct carom_keys_lattice keys;
    struct sites sites = {0};
    double given[3], at[3];
    struct carom_node *first = carom_tree_find(entry->map, "at");
    if (first == NULL)
        return carom_value_wrong_key(&s->b->r, entry->map, "lattice: at is missing: the centre of its first body");
    if (read_keys(s, entry, &keys, given) != CAROM_OK || carom_bind_space_vector(s, first, "m", at) != CAROM_OK)
        return s->b->r.error->status;
    const enum carom_lattice kind = (enum carom_lattice)keys.kind;
    const size_t count[3] = {(size_t)given[0], (size_t)given[1], (size_t)given[2]};
    enum carom_status status = lay_out(s, entry, &keys, (size_t)carom_lattice_count(kind, given), &sites);
    struct carom_random random[2];
    begin(s, &keys, RADII, &random[0]);
    begin(s, &keys, PLACES, &random[1]);
    struct carom_body *body = &s->bodies->body[entry->first];
    for (size_t i = 0; status == CAROM_OK && i < sites.n; i++) {
        double radius = keys.radius, centre[3];
        carom_lattice_site(kind, count, keys.radius * (1.0 + keys.spread) + 0.5 * keys.gap, at, i, centre);
        draw_body(s, &keys, random, &radius, centre);
        if (sites.who[i] == EMPTY)
            continue;
        memcpy(body->at, centre, sizeof centre);
        status = place_body(s, entry, sites.who[i], &keys, radius, body++);
    }
    carom_memory_free(sites.who);
    return status;
}
