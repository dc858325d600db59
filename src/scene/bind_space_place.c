/* Lattices and packings of a scene: how many bodies they have, and where these stand. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/place/lattice.h"
#include "model/place/packing.h"
#include "scene/bind_space.h"

/* --- lattices ---------------------------------------------------------------------------------------------------- */

static enum carom_status read_counts(struct carom_bind_space *s, const struct carom_bind_entry *entry, double count[3])
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *node = carom_tree_find(entry->map, "count");
    if (node == NULL)
        return carom_tree_error_key(r->tree, entry->map, CAROM_E_INPUT, r->error,
                                    "lattice: count is missing: how many along each axis, such as %s",
                                    s->dimension == 2 ? "[5, 5]" : "[5, 5, 5]");
    if (carom_bind_space_vector(s, node, "1", count) != CAROM_OK)
        return r->error->status;
    for (size_t k = 0; k < s->dimension; k++)
        if (!(count[k] >= 1.0 && count[k] <= 1e8 && floor(count[k]) == count[k]))
            return carom_tree_error(r->tree, node, CAROM_E_INPUT, r->error,
                                    "counts are whole numbers from 1 to 1e8, got %g", count[k]);
    return CAROM_OK;
}

/* which sites are left empty; `empty` has a flag for each */
static enum carom_status read_omitted(struct carom_bind_space *s, const struct carom_bind_entry *entry, size_t sites,
                                      bool *empty, size_t *omitted)
{
    const struct carom_reader *r = &s->b->r;
    const struct carom_param row = {"omit", CAROM_INTEGER, 0, 0.0, -HUGE_VAL, HUGE_VAL, "1", "site", NULL};
    struct carom_node *list = carom_tree_find(entry->map, "omit");
    *omitted = 0;
    if (list == NULL)
        return CAROM_OK;
    if (carom_value_list(r, list) != CAROM_OK)
        return r->error->status;
    for (struct carom_node *node = list->first; node != NULL; node = node->next, ++*omitted) {
        double number;
        if (carom_value_read(r, node, &row, &number) != CAROM_OK)
            return r->error->status;
        if (!(number >= 1.0 && number <= (double)sites))
            return carom_tree_error(r->tree, node, CAROM_E_INPUT, r->error,
                                    "there is no site %.15g: sites count from 1 to %zu", number, sites);
        if (empty[(size_t)number - 1])
            return carom_tree_error(r->tree, node, CAROM_E_INPUT, r->error, "site %.15g is there twice", number);
        empty[(size_t)number - 1] = true;
    }
    if (*omitted == sites)
        return carom_tree_error(r->tree, list, CAROM_E_INPUT, r->error, "leaves no body in the lattice");
    return CAROM_OK;
}

static enum carom_status check_kind(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                    const struct carom_keys_lattice *keys)
{
    const struct carom_reader *r = &s->b->r;
    if (carom_lattice_dimension((enum carom_lattice)keys->kind) == s->dimension)
        return CAROM_OK;
    return carom_tree_error(r->tree, carom_tree_find(entry->map, "kind"), CAROM_E_INPUT, r->error,
                            "%s is a lattice of %s, this scene is of %s", carom_lattice_names[keys->kind],
                            s->dimension == 2 ? "space" : "the plane", s->dimension == 2 ? "the plane" : "space");
}

enum carom_status carom_bind_space_place_lattice_count(struct carom_bind_space *s, struct carom_bind_entry *entry)
{
    struct carom_keys_lattice keys;
    double count[3];
    size_t omitted;
    if (carom_value_section(&s->b->r, entry->map, &carom_keys_space_lattice.kind, &keys) != CAROM_OK ||
        check_kind(s, entry, &keys) != CAROM_OK || read_counts(s, entry, count) != CAROM_OK)
        return s->b->r.error->status;
    const double sites = carom_lattice_count((enum carom_lattice)keys.kind, count);
    if (sites > 1e8)
        return carom_tree_error(s->b->r.tree, carom_tree_find(entry->map, "count"), CAROM_E_INPUT, s->b->r.error,
                                "makes %.3g bodies, at most 1e8 are taken", sites);
    bool *empty = carom_memory_zeroed((size_t)sites, sizeof *empty);
    if (empty == NULL)
        return carom_bind_memory(s->b);
    const enum carom_status status = read_omitted(s, entry, (size_t)sites, empty, &omitted);
    carom_memory_free(empty);
    entry->count = (size_t)sites - omitted;
    return status;
}

enum carom_status carom_bind_space_place_lattice(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    struct carom_keys_lattice keys;
    double given[3], at[3];
    struct carom_node *first = carom_tree_find(entry->map, "at");
    if (first == NULL)
        return carom_tree_error_key(s->b->r.tree, entry->map, CAROM_E_INPUT, s->b->r.error,
                                    "lattice: at is missing: the centre of its first body");
    if (carom_value_section(&s->b->r, entry->map, &carom_keys_space_lattice.kind, &keys) != CAROM_OK ||
        read_counts(s, entry, given) != CAROM_OK || carom_bind_space_vector(s, first, "m", at) != CAROM_OK)
        return s->b->r.error->status;
    const enum carom_lattice kind = (enum carom_lattice)keys.kind;
    const size_t sites = (size_t)carom_lattice_count(kind, given);
    const size_t count[3] = {(size_t)given[0], (size_t)given[1], (size_t)given[2]};
    bool *empty = carom_memory_zeroed(sites, sizeof *empty);
    size_t omitted, next = entry->first;
    enum carom_status status = empty != NULL ? read_omitted(s, entry, sites, empty, &omitted) : carom_bind_memory(s->b);
    for (size_t i = 0; status == CAROM_OK && i < sites; i++) {
        if (empty[i])
            continue;
        s->bodies->body[next].fixed = keys.fixed;
        carom_lattice_site(kind, count, keys.radius + 0.5 * keys.gap, at, i, s->bodies->body[next].at);
        status = carom_bind_space_bodies_ball(s, entry, keys.radius, keys.mass, keys.thickness, keys.of,
                                              &s->bodies->body[next++]);
    }
    carom_memory_free(empty);
    return status;
}

/* --- packings ---------------------------------------------------------------------------------------------------- */

static enum carom_status between_corners(struct carom_bind_space *s, const double low[3], const double high[3],
                                         const struct carom_node *node, struct carom_place_region *region)
{
    region->surface = CAROM_BOX;
    region->frame[0] = 1.0;
    for (size_t k = 0; k < s->dimension; k++) {
        region->at[k] = 0.5 * (low[k] + high[k]);
        region->size[k] = 0.5 * (high[k] - low[k]);
        if (!(region->size[k] > 0.0))
            return carom_tree_error(s->b->r.tree, node, CAROM_E_INPUT, s->b->r.error,
                                    "its second corner must lie beyond the first along every axis");
    }
    return CAROM_OK;
}

/* the region a packing stands in */
static enum carom_status find_region(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                     struct carom_place_region *region)
{
    const struct carom_reader *r = &s->b->r;
    struct carom_node *in = carom_tree_find(entry->map, "in"), *domain = carom_tree_find(s->root, "domain");
    *region = (struct carom_place_region){.frame = {1.0}};
    if (in != NULL && in->kind == CAROM_NODE_SCALAR) {
        const struct carom_bind_entry *container = carom_bind_space_find(s, in->text);
        struct carom_body body = {.frame = {1.0}};
        const bool single =
            container != NULL && (container->shape <= CAROM_BIND_SPHERE || container->shape >= CAROM_BIND_PLANE);
        in->used = true;
        if (single && carom_bind_space_bodies_one(s, container, &body) != CAROM_OK)
            return r->error->status;
        if (!body.inside)
            return carom_tree_error(r->tree, in, CAROM_E_INPUT, r->error,
                                    "there is no container of this name: a box, cylinder, disc or sphere with "
                                    "inside: true and name: %s",
                                    carom_tree_short(in->text).text);
        region->surface = body.surface;
        region->radius = body.radius;
        memcpy(region->at, body.at, sizeof region->at);
        memcpy(region->size, body.size, sizeof region->size);
        memcpy(region->frame, body.frame, sizeof region->frame);
        return CAROM_OK;
    }
    struct carom_node *corners = in != NULL ? in : domain;
    double low[3], high[3];
    if (corners == NULL)
        return carom_tree_error_key(r->tree, entry->map, CAROM_E_INPUT, r->error,
                                    "packing: in is missing: the name of a container, or two corners");
    if (carom_value_list_of(r, corners, 2, "corner") != CAROM_OK ||
        carom_bind_space_vector(s, corners->first, "m", low) != CAROM_OK ||
        carom_bind_space_vector(s, corners->last, "m", high) != CAROM_OK)
        return r->error->status;
    if (in == NULL && s->bodies != NULL)
        memcpy(region->periodic, s->bodies->periodic, sizeof region->periodic);
    return between_corners(s, low, high, corners, region);
}

/* mean of r^d over that of equal ones */
static double spread_factor(size_t dimension, double spread)
{
    return dimension == 2 ? 1.0 + spread * spread / 3.0 : 1.0 + spread * spread;
}

enum carom_status carom_bind_space_place_packing_count(struct carom_bind_space *s, struct carom_bind_entry *entry)
{
    struct carom_keys_packing keys;
    const struct carom_reader *r = &s->b->r;
    if (carom_value_section(r, entry->map, &carom_keys_space_packing.kind, &keys) != CAROM_OK)
        return r->error->status;
    if ((keys.count > 0) == (keys.fraction > 0.0))
        return carom_tree_error_key(r->tree, entry->map, CAROM_E_INPUT, r->error,
                                    keys.count > 0 ? "packing: count and fraction, choose one"
                                                   : "packing: there is neither count nor fraction");
    if (keys.count > 0) {
        entry->count = (size_t)keys.count;
        return CAROM_OK;
    }
    struct carom_place_region region;
    if (find_region(s, entry, &region) != CAROM_OK)
        return r->error->status;
    const double pi = 3.14159265358979323846, radius = keys.radius;
    const double one = (s->dimension == 2 ? pi * radius * radius : 4.0 / 3.0 * pi * radius * radius * radius) *
                       spread_factor(s->dimension, keys.spread);
    const double count = floor(keys.fraction * carom_place_volume(s->dimension, &region) / one);
    if (!(count >= 1.0 && count <= 1e8))
        return carom_tree_error(r->tree, carom_tree_find(entry->map, "fraction"), CAROM_E_INPUT, r->error,
                                "makes %.3g bodies: 1 to 1e8 are taken", count);
    entry->count = (size_t)count;
    return CAROM_OK;
}

enum carom_status carom_bind_space_place_packing(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    struct carom_keys_packing keys;
    struct carom_place_region region;
    struct carom_error *error = s->b->r.error;
    if (carom_value_section(&s->b->r, entry->map, &carom_keys_space_packing.kind, &keys) != CAROM_OK ||
        find_region(s, entry, &region) != CAROM_OK)
        return error->status;
    double *radius = carom_memory_zeroed(entry->count, sizeof *radius);
    double(*centre)[3] = carom_memory_zeroed(entry->count, sizeof *centre);
    const uint64_t seed = keys.seed > 0 ? (uint64_t)keys.seed : s->b->scene->seed;
    struct carom_random random;
    carom_random_start(&random, seed ^ 0x5261646969ULL); /* radii are drawn apart from places */
    enum carom_status status = radius != NULL && centre != NULL ? CAROM_OK : carom_bind_memory(s->b);
    for (size_t i = 0; status == CAROM_OK && i < entry->count; i++)
        radius[i] = keys.radius * (1.0 + keys.spread * (2.0 * carom_random_uniform(&random) - 1.0));
    if (status == CAROM_OK)
        status = carom_packing_place((enum carom_packing)keys.kind, s->dimension, &region, entry->count, radius, seed,
                                     s->b->wish->progress, centre, error);
    if (status != CAROM_OK && status != CAROM_E_MEMORY)
        status = carom_tree_error_at(s->b->r.tree, entry->map, error);
    for (size_t i = 0; status == CAROM_OK && i < entry->count; i++) {
        memcpy(s->bodies->body[entry->first + i].at, centre[i], sizeof centre[i]);
        status = carom_bind_space_bodies_ball(s, entry, radius[i], keys.mass, keys.thickness, keys.of,
                                              &s->bodies->body[entry->first + i]);
    }
    carom_memory_free(radius);
    carom_memory_free(centre);
    return status;
}
