/* Bodies of plane and space under schemes that go from event to event: all of them together are one mechanism then
 * (model/bodies/linkage.h), whose coordinates are displacements and turns of the bodies that move. */
#include "base/memory.h"
#include "model/bodies/linkage.h"
#include "model/bodies/list.h"
#include "scene/bind.h"

/* Does the scheme know such bodies as a mechanism only? What it has for contacts that come and go are discs and
 * spheres without friction, or nothing. */
static bool is_wanted(const struct carom_bind *b)
{
    const struct carom_bodies *bodies = carom_model_bodies(b->scene->model);
    const struct carom_scheme *scheme = b->scene->scheme, *listed = scheme->listed;
    if (bodies == NULL || !carom_bind_rigid(b) || !(scheme->needs & CAROM_RIGID))
        return false;
    return listed == NULL || (!listed->joints && (bodies->shapes || bodies->njoints > 0 || bodies->frictional));
}

/* the bodies leave the model they were in, which goes */
static struct carom_bodies *take_bodies(struct carom_scene *scene)
{
    struct carom_bodies *bodies = scene->model->member[0].own;
    scene->model->member[0].own = NULL;
    carom_model_free(scene->model);
    scene->model = NULL;
    return bodies;
}

enum carom_status carom_bind_space_linkage(struct carom_bind *b, const struct carom_node *run)
{
    struct carom_scene *scene = b->scene;
    const struct carom_node *scheme = carom_tree_find(run, "scheme"), *tol = carom_tree_find(run, "tol");
    const struct carom_node *place = scheme != NULL ? scheme : tol != NULL ? tol : run;
    if (!is_wanted(b))
        return CAROM_OK;
    const bool turns = scene->scheme == &carom_scheme_event || scene->scheme == &carom_scheme_moreau_adaptive;
    if (carom_model_bodies(scene->model)->dimension == 3 && !turns)
        return carom_tree_error(b->r.tree, place, CAROM_E_REFUSED, b->r.error,
                                "scheme %s takes bodies of the plane as one mechanism, not bodies of space; event and "
                                "moreau-adaptive take up to five of these, moreau-jean any",
                                scene->scheme->kind.name);
    struct carom_model *model = carom_model_create();
    const size_t n = 7 * carom_linkage_count(carom_model_bodies(scene->model)); /* of the plane too many */
    double *q = carom_memory_zeroed(n, sizeof *q), *v = carom_memory_zeroed(n, sizeof *v);
    if (model == NULL || q == NULL || v == NULL) {
        carom_model_free(model);
        carom_memory_free_all(q, v);
        return carom_bind_memory(b);
    }
    struct carom_bodies *bodies = take_bodies(scene);
    scene->model = model;
    enum carom_status status =
        carom_linkage_add(model, bodies, scene->scheme == &carom_scheme_event, scene->q, scene->v, q, v, b->r.error);
    carom_memory_free_all(scene->q, scene->v);
    carom_list_free(scene->contacts);
    scene->contacts = NULL;
    scene->q = q;
    scene->v = v;
    if (status == CAROM_OK)
        status = carom_model_finish(model, b->r.error);
    b->n = model->nq;
    if (status != CAROM_OK)
        return carom_tree_error_at(b->r.tree, place, b->r.error);
    return carom_scales_find(model, scene->q, scene->v, &scene->scales, b->r.error);
}
