/* Packings of a scene: how many bodies they have, and where these stand. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/place/packing.h"
#include "scene/space/bind_space.h"

static enum carom_status between_corners(struct carom_bind_space *s, const double low[3], const double high[3],
                                         const struct carom_node *node, struct carom_place_region *region)
{
    region->surface = CAROM_BOX;
    region->frame[0] = 1.0;
    for (size_t k = 0; k < s->dimension; k++) {
        region->at[k] = 0.5 * (low[k] + high[k]);
        region->size[k] = 0.5 * (high[k] - low[k]);
        if (!(region->size[k] > 0.0))
            return carom_value_wrong(&s->b->r, node, "its second corner must lie beyond the first along every axis");
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
            return carom_value_wrong(
                r, in,
                "there is no container of this name: a box, cylinder, disc or sphere with inside: true and name: %s",
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
        return carom_value_wrong_key(r, entry->map, "packing: in is missing: the name of a container, or two corners");
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
        return carom_value_wrong_key(r, entry->map,
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
        return carom_value_wrong(r, carom_tree_find(entry->map, "fraction"), "makes %.3g bodies: 1 to 1e8 are taken",
                                 count);
    entry->count = (size_t)count;
    return CAROM_OK;
}

/* Those who stand in the region before the packing does: everybody but packings that come later in the list. The
 * packing's own container is its region. */
static enum carom_status find_others(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                     const struct carom_place_region *region, struct carom_place_others *others)
{
    const struct carom_node *in = carom_tree_find(entry->map, "in");
    const bool named = in != NULL && in->kind == CAROM_NODE_SCALAR;
    bool *placed = carom_memory_zeroed(s->n, sizeof *placed);
    for (size_t e = 0; placed != NULL && e < s->nentries; e++) {
        const struct carom_bind_entry *other = &s->entry[e];
        const bool container = named && other->name != NULL && strcmp(other->name, in->text) == 0;
        const bool stands = other->shape != CAROM_BIND_PACKING || other < entry;
        for (size_t i = 0; i < other->count; i++)
            placed[other->first + i] = stands && !container;
    }
    const bool good = placed != NULL && carom_place_others(others, s->bodies, placed, region);
    carom_memory_free(placed);
    return good ? CAROM_OK : carom_bind_memory(s->b);
}

enum carom_status carom_bind_space_place_packing(struct carom_bind_space *s, const struct carom_bind_entry *entry)
{
    struct carom_keys_packing keys;
    struct carom_place_region region;
    struct carom_place_others others = {0};
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
        status = find_others(s, entry, &region, &others);
    if (status == CAROM_OK)
        status = carom_packing_among((enum carom_packing)keys.kind, s->dimension, &region, &others, entry->count,
                                     radius, seed, s->b->wish->progress, centre, error);
    carom_place_others_free(&others);
    if (status == CAROM_OK && !carom_place_order(s->dimension, entry->count, centre, radius))
        status = carom_bind_memory(s->b);
    if (status != CAROM_OK && status != CAROM_E_MEMORY)
        status = carom_tree_error_at(s->b->r.tree, entry->map, error);
    for (size_t i = 0; status == CAROM_OK && i < entry->count; i++) {
        memcpy(s->bodies->body[entry->first + i].at, centre[i], sizeof centre[i]);
        status = carom_bind_space_bodies_ball(s, entry, radius[i], keys.mass, keys.thickness, keys.of,
                                              &s->bodies->body[entry->first + i]);
    }
    carom_memory_free_all(radius, centre);
    return status;
}
