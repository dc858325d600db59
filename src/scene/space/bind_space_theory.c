/* Pairings of the plane and of space under theories lzb and nonsmooth: rigid, with e the restitution the scene gives,
 * or what the compliant law gives two bodies of these classes at the scale speed V; k and p are those of its elastic
 * part, k d^p, with k going with the effective radius as before. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "carom/friction.h"
#include "carom/law.h"
#include "law/restitution.h"
#include "model/bodies/meet.h"
#include "scene/contact/contact_table.h"

/* the first body of a class, and whether all of it are alike: one restitution then holds for all that it meets */
static const struct carom_body *example_of(const struct carom_bodies *b, size_t class, bool *alike)
{
    const struct carom_body *first = NULL;
    *alike = true;
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        if (body->material != class)
            continue;
        first = first != NULL ? first : body;
        *alike &= body->surface == first->surface && body->inside == first->inside && body->radius == first->radius &&
                  body->mass == first->mass && body->fixed == first->fixed;
    }
    return first;
}

static double scaled(const struct carom_scaled *s, double radius, double mass)
{
    return s->param * (s->radius_power != 0.0 ? carom_power(radius, s->radius_power) : 1.0) *
           (s->mass_power != 0.0 ? carom_power(mass, s->mass_power) : 1.0);
}

/* e of two bodies by their law; a pair that never parts has e = 0 */
static enum carom_status law_restitution(struct carom_bind *b, const struct carom_bodies *of, size_t a, size_t c,
                                         const struct carom_pairing *p, double *e)
{
    bool alike[2];
    const struct carom_body *one = example_of(of, a, &alike[0]), *two = example_of(of, c, &alike[1]);
    double value[CAROM_LAW_WIDTH] = {0.0};
    const double *param[CAROM_LAW_WIDTH];
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++) {
        param[i] = &value[i];
        value[i] = scaled(&p->param[i], carom_meet_radius(one, two), carom_meet_mass(one, two));
    }
    *e = 1.0;
    if (!p->law->nh && (!p->law->viscous_time || p->law->viscous_time(param, 0) == 0.0))
        return CAROM_OK;
    if (!alike[0] || !alike[1])
        return carom_error_set(b->r.error, CAROM_E_REFUSED,
                               "bodies of different sizes meet, and %s gives each two of them another restitution: "
                               "give e (restitution), or other names and materials to bodies of one size",
                               p->law->kind.name);
    const double speed = b->scene->scales.speed > 0.0 ? b->scene->scales.speed : 1.0;
    const enum carom_status status =
        carom_restitution_of(p->law, value, p->ending, carom_meet_mass(one, two), speed, e, NULL, NULL, b->r.error);
    if (status != CAROM_E_REFUSED)
        return status;
    *e = 0.0;
    return CAROM_OK;
}

/* k at effective radius 1, and p: the elastic force is k d^p when first loaded */
static void elastic_part(const struct carom_bind *b, const struct carom_pairing *from, struct carom_pairing *to)
{
    const double *param[CAROM_LAW_WIDTH];
    struct carom_scaled *k = &to->param[CAROM_RIGID_K];
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
        param[i] = &from->param[i].param;
    carom_bind_theory_elastic(b, from->law, param, &k->param, &to->param[CAROM_RIGID_P].param);
    for (size_t i = 0; from->law->kind.params != NULL && from->law->kind.params[i].name != NULL; i++)
        if (carom_contact_table_stiffness(from->law->kind.params[i].name))
            k->radius_power = from->param[i].radius_power;
}

/* Any friction is Coulomb's cone here; rigid contacts have no springs. */
static enum carom_status read_friction(struct carom_bind *b, const struct carom_pairing *from, struct carom_pairing *to)
{
    const bool own = from->friction == NULL && from->law->rigid; /* mu in the law itself */
    const double mu = own ? from->param[CAROM_RIGID_MU].param : from->rub[0].param;
    const double mu_static = own ? from->param[CAROM_RIGID_MU_STATIC].param : from->rub[1].param;
    if ((from->rolling != NULL || from->twisting != NULL) && b->theory == CAROM_KEYS_LZB)
        return carom_error_set(b->r.error, CAROM_E_REFUSED,
                               "theory lzb does not support resistance to rolling or twisting, which these contacts "
                               "have; theories compliant and nonsmooth do");
    if (from->rolling != NULL) {
        to->rolling = &carom_resistance_constant;
        to->roll[0].param = from->roll[0].param;
    }
    if (from->twisting != NULL) {
        to->twisting = &carom_resistance_constant;
        to->twist[0].param = from->twist[0].param;
    }
    if (!(mu > 0.0) && !(mu_static > 0.0))
        return CAROM_OK;
    to->friction = &carom_friction_coulomb;
    to->rub[0].param = to->param[CAROM_RIGID_MU].param = mu;
    to->rub[1].param = to->param[CAROM_RIGID_MU_STATIC].param = mu_static;
    return CAROM_OK;
}

static enum carom_status make_rigid(struct carom_bind *b, const struct carom_bodies *of, size_t a, size_t c,
                                    const struct carom_pairing *from, struct carom_pairing *to)
{
    memset(to, 0, sizeof *to);
    to->law = &carom_law_rigid;
    if (from->law->rigid)
        memcpy(to->param, from->param, sizeof to->param);
    else
        elastic_part(b, from, to);
    if (read_friction(b, from, to) != CAROM_OK)
        return b->r.error->status;
    double *e = &to->param[CAROM_RIGID_E].param;
    const double given = b->e[a * of->nmaterials + c];
    if (!isnan(given))
        *e = given;
    else if (!from->law->rigid)
        return law_restitution(b, of, a, c, from, e);
    return CAROM_OK;
}

/* the pairings of every two classes anew; those that say the same are one */
static enum carom_status make_all(struct carom_bind *b, struct carom_bodies *of, struct carom_pairing *made)
{
    const size_t n = of->nmaterials;
    size_t count = 0;
    for (size_t a = 0; a < n; a++)
        for (size_t c = a; c < n; c++) {
            if (of->meets[a * n + c] == CAROM_UNPAIRED)
                continue;
            if (make_rigid(b, of, a, c, &of->pairing[of->meets[a * n + c]], &made[count]) != CAROM_OK)
                return b->r.error->status;
            size_t same = 0;
            while (memcmp(&made[same], &made[count], sizeof *made) != 0)
                same++;
            count += same == count;
            of->meets[a * n + c] = of->meets[c * n + a] = (uint32_t)same;
        }
    if (count == 0) { /* nobody meets anybody: one pairing still says that all of this is rigid */
        made[0].law = &carom_law_rigid;
        count = 1;
    }
    carom_memory_free(of->pairing);
    of->pairing = made;
    of->npairings = count;
    return CAROM_OK;
}

enum carom_status carom_bind_space_theory(struct carom_bind *b)
{
    struct carom_scene *scene = b->scene;
    struct carom_bodies *of = scene->model->member[0].own;
    struct carom_pairing *made = carom_memory_zeroed(of->nmaterials * (of->nmaterials + 1) / 2 + 1, sizeof *made);
    if (made == NULL)
        return carom_bind_memory(b);
    if (make_all(b, of, made) != CAROM_OK) {
        carom_memory_free(made);
        return b->r.error->status;
    }
    const enum carom_status status = carom_bodies_finish(of, b->r.error);
    return status == CAROM_OK ? carom_model_finish(scene->model, b->r.error) : status;
}
