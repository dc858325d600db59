/* Polygons and polyhedra: their points from a list, a file, or a regular solid; then mass, place and axes. */
#include <string.h>

#include "base/angle.h"
#include "base/memory.h"
#include "base/quat.h"
#include "model/bodies/convex.h"
#include "scene/keep.h"
#include "scene/space/bind_space.h"
#include "scene/space/import_corners.h"

#define PI 3.14159265358979323846

enum { MOST = CAROM_CONVEX_CORNERS };

static enum carom_status wrong(struct carom_bind_space *s, const struct carom_bind_entry *entry, const char *what)
{
    return carom_value_wrong_key(&s->b->r, entry->map, "%s: %s", entry->word, what);
}

/* --- points ------------------------------------------------------------------------------------------------------- */

static enum carom_status read_points(struct carom_bind_space *s, struct carom_node *list, double (*point)[3], size_t *n)
{
    const struct carom_reader *r = &s->b->r;
    if (carom_value_list(r, list) != CAROM_OK)
        return r->error->status;
    if (list->count > MOST)
        return carom_tree_error(r->tree, list, CAROM_E_REFUSED, r->error, "%zu points; at most %d are possible",
                                list->count, MOST);
    for (struct carom_node *node = list->first; node != NULL; node = node->next)
        if (carom_bind_space_vector(s, node, "m", point[(*n)++]) != CAROM_OK)
            return r->error->status;
    return CAROM_OK;
}

/* what was read from a file stays with the scene as points */
static enum carom_status keep_points(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                     const double (*point)[3], size_t n)
{
    char *text = carom_memory_zeroed(n * (3 * CAROM_KEEP_NUMBER + 8) + 8, 1), *to = text;
    if (text == NULL)
        return carom_bind_memory(s->b);
    to = stpcpy(to, "[");
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++)
            to = carom_keep_number(stpcpy(to, k > 0 ? ", " : i > 0 ? ", [" : "["), point[i][k]);
        to = stpcpy(to, "]");
    }
    stpcpy(to, "]");
    const enum carom_status status = carom_keep(s->b, entry->map, "points", text);
    carom_memory_free(text);
    return status;
}

static enum carom_status read_file(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                   struct carom_node *node, double scale, double (*point)[3], size_t *n)
{
    const struct carom_reader *r = &s->b->r;
    const char *name;
    if (carom_value_text(r, node, &name) != CAROM_OK)
        return r->error->status;
    char *path = carom_keep_beside(s->b, name);
    if (path == NULL)
        return carom_bind_memory(s->b);
    const enum carom_status status = carom_import_corners(path, name, point, MOST, n, r->error);
    carom_memory_free(path);
    if (status != CAROM_OK)
        return carom_tree_error_at(r->tree, node, r->error);
    for (size_t i = 0; i < *n; i++)
        for (size_t k = 0; k < 3; k++)
            point[i][k] *= scale;
    return keep_points(s, entry, (const double(*)[3])point, *n);
}

/* --- regular ones ------------------------------------------------------------------------------------------------- */

/* all changes of sign, and the cyclic orders, of three numbers; doubles are left to the making of the body */
static size_t add_all(double a, double b, double c, double (*point)[3], size_t n)
{
    const double given[3] = {a, b, c};
    for (size_t turn = 0; turn < 3; turn++)
        for (size_t signs = 0; signs < 8; signs++, n++)
            for (size_t k = 0; k < 3; k++)
                point[n][(k + turn) % 3] = (signs >> k & 1 ? -1.0 : 1.0) * given[k];
    return n;
}

/* corners of the five regular solids on a sphere of that radius */
static size_t regular(enum carom_keys_solid_kind kind, double radius, double (*point)[3])
{
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    size_t n = 0;
    if (kind == CAROM_KEYS_TETRAHEDRON)
        for (; n < 4; n++)
            for (size_t k = 0; k < 3; k++)
                point[n][k] = n == 0 || k + 1 == n ? 1.0 : -1.0;
    else if (kind == CAROM_KEYS_CUBE)
        n = add_all(1.0, 1.0, 1.0, point, 0);
    else if (kind == CAROM_KEYS_OCTAHEDRON)
        n = add_all(1.0, 0.0, 0.0, point, 0);
    else if (kind == CAROM_KEYS_DODECAHEDRON)
        n = add_all(0.0, 1.0 / golden, golden, point, add_all(1.0, 1.0, 1.0, point, 0));
    else
        n = add_all(0.0, 1.0, golden, point, 0);
    const double length = carom_vec_norm(point[0]);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++)
            point[i][k] *= radius / length;
    return n;
}

static size_t regular_polygon(long sides, double radius, double (*point)[3])
{
    for (size_t k = 0; k < (size_t)sides; k++) { /* a side lies below */
        const double angle = 2.0 * PI * ((double)k + 0.5) / (double)sides - 0.5 * PI;
        point[k][0] = radius * carom_angle_cos(angle);
        point[k][1] = radius * carom_angle_sin(angle);
    }
    return (size_t)sides;
}

static enum carom_status find_points(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                     const struct carom_keys_convex *keys, double (*point)[3], size_t *n)
{
    struct carom_node *list = carom_tree_find(entry->map, "points"), *file = carom_tree_find(entry->map, "file");
    const bool flat = s->dimension == 2, made = flat ? keys->sides > 0 : keys->kind != CAROM_KEYS_NO_SOLID;
    if (list != NULL && file != NULL) { /* kept from the file */
        file->used = true;
        return read_points(s, list, point, n);
    }
    if ((list != NULL) + (file != NULL) + made != 1)
        return wrong(s, entry,
                     flat ? "give its points, such as [[0, 0], [1, 0], [0, 1]], or sides with a radius, and not both"
                          : "give one of points, file (STL or OBJ) and kind with a radius");
    if (!made && keys->radius > 0.0)
        return wrong(s, entry, flat ? "radius belongs to sides" : "radius belongs to kind");
    if (file == NULL && keys->scale > 0.0 && keys->scale != 1.0)
        return wrong(s, entry, "scale belongs to file");
    if (made && !(keys->radius > 0.0))
        return wrong(s, entry, "radius is missing: from its centre to its corners");
    if (list != NULL)
        return read_points(s, list, point, n);
    if (file != NULL)
        return read_file(s, entry, file, keys->scale, point, n);
    *n = flat ? regular_polygon(keys->sides, keys->radius, point)
              : regular((enum carom_keys_solid_kind)keys->kind, keys->radius, point);
    return CAROM_OK;
}

/* --- the body ----------------------------------------------------------------------------------------------------- */

void carom_bind_space_convex_stand(size_t n, struct carom_convex *const *shape, const double centre[3],
                                   const double axes[4], const double turn[4], struct carom_body *body)
{
    double moved[3];
    carom_quat_turn(turn, centre, moved);
    carom_quat_product(turn, axes, body->frame);
    for (size_t k = 0; k < 3; k++) {
        body->at[k] += moved[k];
        body->size[k] = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < shape[i]->ncorners; c++)
                body->size[k] = fmax(body->size[k], fabs(shape[i]->corner[c][k]));
    }
}

struct carom_convex *carom_bind_space_convex_shape(struct carom_bind_space *s, const struct carom_bind_entry *entry,
                                                   struct carom_keys_convex *keys, double centre[3], double axes[4])
{
    const struct carom_section *section =
        entry->shape == CAROM_BIND_POLYGON ? &carom_keys_space_polygon : &carom_keys_space_polyhedron;
    double point[MOST][3] = {{0.0}};
    size_t n = 0;
    keys->thickness = 1.0;
    if (carom_value_section(&s->b->r, entry->map, &section->kind, keys) != CAROM_OK ||
        find_points(s, entry, keys, point, &n) != CAROM_OK)
        return NULL;
    struct carom_convex *convex =
        carom_convex_create(s->dimension, (const double(*)[3])point, n, centre, axes, s->b->r.error);
    if (convex == NULL)
        carom_tree_error_at(s->b->r.tree, entry->map, s->b->r.error);
    return convex;
}

enum carom_status carom_bind_space_convex(struct carom_bind_space *s, const struct carom_bind_entry *entry, bool driven,
                                          struct carom_body *body)
{
    struct carom_keys_convex keys = {0};
    double centre[3], axes[4], turn[4] = {1.0, 0.0, 0.0, 0.0};
    struct carom_node *turned = carom_tree_find(entry->map, "turn");
    struct carom_convex *convex = carom_bind_space_convex_shape(s, entry, &keys, centre, axes);
    if (convex == NULL)
        return s->b->r.error->status;
    if (!carom_bodies_keep(s->bodies, convex))
        return carom_bind_memory(s->b);
    if (turned != NULL && carom_bind_space_bodies_turn(s, turned, turn) != CAROM_OK)
        return s->b->r.error->status;
    if (!carom_bind_rigid(s->b))
        return carom_tree_error_key(s->b->r.tree, entry->map, CAROM_E_REFUSED, s->b->r.error,
                                    "%s: such bodies are rigid: theory: nonsmooth, law: rigid and scheme moreau-jean",
                                    entry->word);
    body->surface = CAROM_CONVEX;
    body->convex = convex;
    body->fixed = keys.fixed || driven;
    carom_bind_space_convex_stand(1, &convex, centre, axes, turn, body);
    const double volume = convex->volume * (s->dimension == 2 ? keys.thickness : 1.0);
    body->depth = s->dimension == 2 ? keys.thickness : 0.0;
    return body->fixed ? CAROM_OK : carom_bind_space_bodies_weigh(s, entry, keys.mass, volume, convex->moments, body);
}
