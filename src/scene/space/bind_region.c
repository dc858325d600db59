/* The region of plane or space that probes read: record: {region: [[x0, y0], [x1, y1]]}. */
#include <string.h>

#include "record/probe.h"
#include "scene/space/bind_space.h"

/* is there a probe that reads one, and does one need it? */
static void count_probes(const struct carom_scene *scene, bool *reads, bool *needs)
{
    *reads = *needs = false;
    for (size_t i = 0; i < scene->nprobes; i++) {
        const struct carom_probe *probe = carom_probe_find(scene->probes[i]);
        *reads = *reads || probe->extent == CAROM_PER_REGION;
        *needs = *needs || carom_probe_needs_volume(probe);
    }
}

static enum carom_status check_corners(struct carom_bind *b, const struct carom_node *node,
                                       const struct carom_bodies *bodies, const struct carom_region *region)
{
    for (size_t k = 0; k < bodies->dimension; k++) {
        if (!(region->high[k] > region->low[k]))
            return carom_value_wrong(&b->r, node, "its second corner must lie beyond the first along every axis");
        if (bodies->periodic[k] && !(region->low[k] >= bodies->low[k] && region->high[k] <= bodies->high[k]))
            return carom_value_wrong(&b->r, node,
                                     "reaches beyond a joined side of the domain; keep it inside %g to %g along %c",
                                     bodies->low[k], bodies->high[k], "xyz"[k]);
    }
    return CAROM_OK;
}

enum carom_status carom_bind_region(struct carom_bind *b, const struct carom_node *root)
{
    const struct carom_node *record = carom_tree_find(root, "record");
    struct carom_node *node = carom_tree_find(record, "region");
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    struct carom_region *region = &b->scene->region;
    bool reads, needs;
    count_probes(b->scene, &reads, &needs);
    if (node == NULL && needs && !bodies->bounded)
        return carom_value_wrong(
            &b->r, carom_tree_find(record, "probes"),
            "the stress of a region needs region: [[x0, y0], [x1, y1]] beside the probes, or a domain");
    if (node == NULL)
        return CAROM_OK;
    if (bodies == NULL)
        return carom_value_wrong_key(&b->r, node, "region is for discs and spheres, and there are none");
    if (!reads)
        return carom_value_wrong_key(
            &b->r, node,
            "region: no probe reads it; add region_stress, region_kinetic, fabric or coordination to probes");
    struct carom_bind_space s = {.b = b, .dimension = bodies->dimension};
    if (carom_value_list_of(&b->r, node, 2, "corner") != CAROM_OK ||
        carom_bind_space_vector(&s, node->first, "m", region->low) != CAROM_OK ||
        carom_bind_space_vector(&s, node->last, "m", region->high) != CAROM_OK ||
        check_corners(b, node, bodies, region) != CAROM_OK)
        return b->r.error->status;
    b->scene->regional = true;
    return CAROM_OK;
}
