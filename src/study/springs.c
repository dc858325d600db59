/* Contacts as springs, see springs.h. With n the normal, t a direction across it, a and b the two bodies and r the
 * arms, a contact stretches by n.(u_b - u_a) and by t.(u_b - u_a) - (r_a w_a + r_b w_b).(n x t): the slip at its point.
 * Static forces F turn with their contacts, which adds the stiffness -F / L across. */
#include "study/springs.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "carom/friction.h"
#include "carom/law.h"
#include "model/bodies/act.h"
#include "model/motion.h"
#include "solve/root.h"

static const char what[] = "the springs of a crystal";

#define TOUCH 1e-6         /* of a radius: gaps that count as touching where a force is given */
#define FIRST_TOUCH 1e-300 /* overlap of contacts that just touch: a linear law is stiff there, Hertz's is not */
#define NOTHING 1e-12      /* stiffness below so much of the largest counts as none */

/* --- one contact ------------------------------------------------------------------------------------------------- */

struct asked {
    const struct carom_pairing *pairing;
    const double *param[CAROM_LAW_WIDTH];
    double force; /* that is looked for */
};

static void ask(const struct asked *law, double deform, double *elastic, double *slope)
{
    const struct carom_batch batch = {
        .law = law->pairing->law, .n = 1, .param = law->param, .deform = &deform, .elastic = elastic, .slope = slope};
    law->pairing->law->evaluate(&batch);
}

static double missing(void *own, double deform)
{
    const struct asked *law = own;
    double elastic, slope;
    ask(law, deform, &elastic, &slope);
    return elastic - law->force;
}

/* the overlap at which the law pushes with the force that is wanted; 0: at none, however large */
static double pressed(struct asked *law, double radius)
{
    double most = 0.1 * radius, deform;
    while (missing(law, most) < 0.0 && most < 1e300)
        most *= 2.0;
    return missing(law, most) >= 0.0 &&
                   carom_root_find(missing, law, 0.0, most, 1e-15 * most, &deform, NULL) == CAROM_OK
               ? deform
               : 0.0;
}

/* What a contact's laws say: overlap, force and both slopes. */
static void measure(const struct carom_bodies *b, const struct carom_contacts *c, const struct carom_columns *columns,
                    size_t j, double deform, double force, struct carom_spring *spring)
{
    const struct carom_pairing *pairing = &b->pairing[c->key[j].pairing];
    struct asked law = {.pairing = pairing, .force = force};
    const double *rub[CAROM_FRICTION_PARAMS];
    for (size_t k = 0; k < b->nparams; k++)
        law.param[k] = c->column[columns->param + k] + j;
    for (size_t k = 0; k < b->nrub[CAROM_SLIDES]; k++)
        rub[k] = c->column[columns->rub[CAROM_SLIDES] + k] + j;
    if (force > 0.0)
        deform = pressed(&law, carom_meet_radius(&b->body[c->key[j].a], &b->body[c->key[j].b]));
    ask(&law, deform == 0.0 && !(force > 0.0) ? FIRST_TOUCH : deform, &spring->force, &spring->along);
    spring->force = deform > 0.0 ? spring->force : 0.0;
    spring->along = isfinite(spring->along) && spring->along > 0.0 ? spring->along : 0.0;
    if (pairing->friction != NULL && pairing->friction->stiffness != NULL && deform > 0.0)
        spring->across = pairing->friction->stiffness(rub, 0, deform);
}

/* --- all of them ------------------------------------------------------------------------------------------------- */

struct work {
    struct carom_springs *springs;
    const double *q;
    double force;
    struct carom_search search;
    struct carom_contacts *contacts;
    struct carom_act act;
    struct carom_error *error;
};

static enum carom_status look_around(struct work *work)
{
    const struct carom_bodies *b = work->springs->bodies;
    carom_act_open(&work->act, b);
    work->contacts = carom_list_create(b);
    if (work->contacts == NULL)
        return carom_memory_error_for(work->error, what);
    enum carom_status status = carom_search_open(&work->search, b, work->error);
    if (status == CAROM_OK)
        status = carom_search_renew(&work->search, work->q, 0.0, &work->contacts, 1, work->error);
    if (status == CAROM_OK && !carom_act_reserve(&work->act, work->contacts->n))
        status = carom_memory_error_for(work->error, what);
    if (status != CAROM_OK)
        return status;
    carom_act_place(&work->act, work->contacts, work->q);
    return CAROM_OK;
}

static void place_spring(const struct work *work, size_t j, struct carom_spring *spring)
{
    const struct carom_bodies *b = work->springs->bodies;
    const struct carom_contact_key *key = &work->contacts->key[j];
    const struct carom_meeting *m = &work->act.meeting[j];
    const struct carom_body *one = &b->body[key->a], *two = &b->body[key->b];
    *spring = (struct carom_spring){.body = {key->a, key->b}, .length = HUGE_VAL};
    for (int k = 0; k < 3; k++)
        spring->normal[k] = m->normal[k];
    for (int side = 0; side < 2; side++)
        spring->arm[side] = carom_vec_norm(m->arm[side]);
    if (one->surface == CAROM_BALL && two->surface == CAROM_BALL && !one->inside && !two->inside)
        spring->length = one->radius + two->radius + m->gap;
    for (int k = 0; k < 3 && spring->length < HUGE_VAL; k++)
        spring->way[k] = spring->length * spring->normal[k];
}

static enum carom_status make_springs(struct work *work)
{
    struct carom_springs *s = work->springs;
    const struct carom_bodies *b = s->bodies;
    const struct carom_contacts *c = work->contacts;
    const struct carom_columns columns = carom_list_columns(b);
    double largest = 0.0;
    s->spring = carom_memory_zeroed(c->n, sizeof *s->spring);
    if (s->spring == NULL)
        return carom_memory_error_for(work->error, what);
    for (size_t j = 0; j < c->n; j++) {
        const double touch = work->force > 0.0 ? -TOUCH * b->largest : 0.0, deform = work->act.deform[j];
        if (!(deform >= touch) || (b->body[c->key[j].a].fixed && b->body[c->key[j].b].fixed))
            continue;
        place_spring(work, j, &s->spring[s->nsprings]);
        measure(b, c, &columns, j, deform, work->force, &s->spring[s->nsprings]);
        if (work->force > 0.0 && !(s->spring[s->nsprings].force > 0.0))
            return carom_error_set(work->error, CAROM_E_REFUSED,
                                   "--force: no overlap makes the contact of bodies %zu and %zu push with %g",
                                   c->key[j].a + (size_t)1, c->key[j].b + (size_t)1, work->force);
        largest = fmax(largest, s->spring[s->nsprings].along);
        s->nsprings++;
    }
    s->touching = s->nsprings;
    size_t kept = 0;
    for (size_t j = 0; j < s->nsprings; j++)
        if (s->spring[j].along > NOTHING * largest && s->spring[j].along > 1e-100) {
            s->turns = s->turns || s->spring[j].across > 0.0;
            s->spring[kept++] = s->spring[j];
        }
    s->nsprings = kept;
    return CAROM_OK;
}

static enum carom_status list_springs(struct carom_springs *s, struct carom_error *error)
{
    s->first = carom_memory_zeroed(s->n + 2, sizeof *s->first);
    s->of = carom_memory_zeroed(2 * s->nsprings, sizeof *s->of);
    if (s->first == NULL || s->of == NULL)
        return carom_memory_error_for(error, what);
    for (size_t j = 0; j < s->nsprings; j++)
        for (int side = 0; side < 2; side++)
            s->first[s->spring[j].body[side] + 2]++;
    for (size_t i = 0; i < s->n; i++)
        s->first[i + 2] += s->first[i + 1];
    for (size_t j = 0; j < s->nsprings; j++)
        for (int side = 0; side < 2; side++)
            s->of[s->first[s->spring[j].body[side] + 1]++] = j;
    return CAROM_OK;
}

static enum carom_status check(const struct carom_bodies *b, struct carom_error *error)
{
    if (b == NULL)
        return carom_error_set(error, CAROM_E_REFUSED, "the scene has no discs and spheres");
    if (b->tumbling)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "small waves are of discs and spheres: boxes and cylinders must not move freely");
    for (size_t p = 0; p < b->npairings; p++)
        if (b->pairing[p].law->rigid)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "rigid contacts carry no small waves: choose theory: compliant");
        else if (b->pairing[p].law->nh > 0)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "law %s has a memory: its stiffness is another on the way in than on the way out; "
                                   "use a law without one",
                                   b->pairing[p].law->kind.name);
    return CAROM_OK;
}

enum carom_status carom_springs_find(const struct carom_scene *scene, double force, bool prestress,
                                     struct carom_springs *springs, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(scene->model);
    *springs = (struct carom_springs){.bodies = b, .prestress = prestress};
    enum carom_status status = check(b, error);
    if (status != CAROM_OK)
        return status;
    struct work work = {.springs = springs, .q = scene->q, .force = force, .error = error};
    springs->n = b->n;
    springs->centre = carom_memory_zeroed(b->n, sizeof *springs->centre);
    status = springs->centre != NULL ? look_around(&work) : carom_memory_error_for(error, what);
    for (size_t i = 0; i < b->n && springs->centre != NULL; i++)
        carom_bodies_centre(b, i, scene->q, springs->centre[i]);
    if (status == CAROM_OK)
        status = make_springs(&work);
    if (status == CAROM_OK)
        status = list_springs(springs, error);
    carom_search_close(&work.search);
    carom_act_close(&work.act);
    carom_list_free(work.contacts);
    if (status == CAROM_OK && springs->nsprings == 0)
        status = carom_error_set(error, CAROM_E_REFUSED,
                                 "no contact carries small waves: without load a Hertz contact has no stiffness (a "
                                 "sonic vacuum); press the crystal (start: settle, press), or give every contact a "
                                 "force by --force");
    if (status != CAROM_OK)
        carom_springs_free(springs);
    return status;
}

void carom_springs_free(struct carom_springs *springs)
{
    carom_memory_free_all(springs->centre, springs->spring, springs->first, springs->of);
    *springs = (struct carom_springs){0};
}

/* --- coordinates and stretches ----------------------------------------------------------------------------------- */

#define UNREST 1e-6 /* of the largest static force: what statics leave */

enum carom_status carom_springs_unbalanced(const struct carom_springs *springs, const struct carom_scene *scene,
                                           double *unbalanced, size_t *pushed, double *force, struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    const size_t nv = carom_bodies_nv(springs->bodies), d = springs->bodies->dimension;
    double *room = carom_memory_zeroed(4 * model->nv, sizeof *room), *left = room;
    *unbalanced = *force = 0.0;
    *pushed = 0;
    if (room == NULL)
        return carom_memory_error(error);
    carom_motion_accelerate(model, 0.0, scene->q, room + model->nv, NULL, room + 2 * model->nv, left,
                            room + 3 * model->nv, NULL);
    for (size_t j = 0; j < springs->nsprings; j++) {
        const struct carom_spring *s = &springs->spring[j];
        *force = fmax(*force, s->force);
        for (size_t k = 0; k < d; k++) {
            left[s->body[0] * nv + k] -= s->force * s->normal[k];
            left[s->body[1] * nv + k] += s->force * s->normal[k];
        }
    }
    for (size_t i = 0; i < springs->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < d; k++)
            square += left[i * nv + k] * left[i * nv + k];
        if (carom_springs_inertia(springs, i, 0) > 0.0 && sqrt(square) > *unbalanced) {
            *unbalanced = sqrt(square);
            *pushed = i;
        }
    }
    if (*unbalanced <= UNREST * *force)
        *unbalanced = 0.0;
    carom_memory_free(room);
    return CAROM_OK;
}

size_t carom_springs_freedom(const struct carom_springs *s)
{
    return s->turns ? carom_bodies_nv(s->bodies) : s->bodies->dimension;
}

double carom_springs_inertia(const struct carom_springs *s, size_t body, size_t coordinate)
{
    const struct carom_body *b = &s->bodies->body[body];
    return b->fixed ? 0.0 : coordinate < s->bodies->dimension ? b->mass : b->inertia;
}

/* two directions across a normal, in the plane one */
static size_t across(const struct carom_springs *s, const double normal[3], double t[2][3])
{
    if (s->bodies->dimension == 2) {
        t[0][0] = -normal[1];
        t[0][1] = normal[0];
        t[0][2] = 0.0;
        return 1;
    }
    const int k = fabs(normal[0]) < 0.6 ? 0 : 1; /* an axis that the normal is not near */
    const double axis[3] = {k == 0, k == 1, 0.0};
    carom_vec_cross(normal, axis, t[0]);
    const double length = carom_vec_norm(t[0]);
    for (int i = 0; i < 3; i++)
        t[0][i] /= length;
    carom_vec_cross(normal, t[0], t[1]);
    return 2;
}

static void slide(const struct carom_springs *s, const double t[3], struct carom_stretch *stretch)
{
    for (size_t k = 0; k < s->bodies->dimension; k++) {
        stretch->share[0][k] = -t[k];
        stretch->share[1][k] = t[k];
    }
}

static void roll(const struct carom_springs *s, const struct carom_spring *spring, const double t[3],
                 struct carom_stretch *stretch)
{
    const size_t d = s->bodies->dimension;
    double axis[3];
    carom_vec_cross(spring->normal, t, axis);
    for (size_t k = 0; k < (d == 2 ? 1 : 3); k++)
        for (int side = 0; side < 2; side++)
            stretch->share[side][d + k] = -spring->arm[side] * (d == 2 ? axis[2] : axis[k]);
}

size_t carom_springs_stretches(const struct carom_springs *s, const struct carom_spring *spring,
                               struct carom_stretch stretch[CAROM_SPRINGS_STRETCHES])
{
    double t[2][3];
    size_t n = 1;
    stretch[0] = (struct carom_stretch){.stiffness = spring->along};
    slide(s, spring->normal, &stretch[0]);
    const size_t directions = across(s, spring->normal, t);
    for (size_t k = 0; k < directions && spring->across > 0.0; k++) {
        stretch[n] = (struct carom_stretch){.stiffness = spring->across};
        slide(s, t[k], &stretch[n]);
        roll(s, spring, t[k], &stretch[n]);
        n++;
    }
    for (size_t k = 0; k < directions && s->prestress && spring->length < HUGE_VAL; k++) {
        stretch[n] = (struct carom_stretch){.stiffness = -spring->force / spring->length};
        slide(s, t[k], &stretch[n]);
        n++;
    }
    return n;
}

double carom_springs_omega(double eigenvalue, double largest)
{
    return fabs(eigenvalue) <= 1e-13 * largest ? 0.0 : copysign(sqrt(fabs(eigenvalue)), eigenvalue);
}
