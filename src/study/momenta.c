/* Sums of impulses against momenta, see momenta.h. Under scheme rattle velocities of centres in a state are physical
 * ones, so that momenta at the end can be taken from the last checkpoint. */
#include "study/momenta.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_strike.h"
#include "scheme/stepper.h"

struct given {
    const struct carom_model *model;
    const struct carom_solid_strike *strike;
    double (*by)[3]; /* solids, then balls */
};

/* its number there, SIZE_MAX: a wall */
static size_t number_of(const struct carom_solid_strike *s, int32_t side)
{
    const size_t solid = side < 0 ? (size_t)(CAROM_STRIKE_SOLID - side) : 0;
    return side >= 0 ? s->nbodies + (size_t)side : solid < s->nbodies ? solid : SIZE_MAX;
}

static void add(void *own, const struct carom_episode *row)
{
    struct given *given = own;
    for (int side = 0; row->contact < given->model->nc && side < 2; side++) {
        const size_t body = number_of(given->strike, given->model->pair[row->contact][side]);
        for (int k = 0; body != SIZE_MAX && k < 3; k++)
            given->by[body][k] += side == 1 ? row->impulse_vector[k] : -row->impulse_vector[k];
    }
}

/* do contacts alone change the momentum of a body? */
static bool is_free(const struct carom_solid_strike *s, size_t body)
{
    if (body >= s->nbodies)
        return carom_vec_norm(s->balls->gravity) == 0.0 && s->balls->njoints == 0;
    const struct carom_solid *solid = s->body[body].solid;
    const bool jointed = s->balls && s->balls->nanchors > 0;
    return solid->nholds == 0 && solid->nloads == 0 && solid->nabsorbing == 0 && solid->damping_mass == 0.0 &&
           carom_vec_norm(solid->gravity) == 0.0 && !jointed;
}

/* what velocities v of the model make of its momentum, times a sign */
static void add_momentum(const struct given *given, size_t body, double sign, const double *v, double out[3])
{
    const struct carom_solid_strike *s = given->strike;
    if (body < s->nbodies) {
        const struct carom_solid *solid = s->body[body].solid;
        for (size_t i = 0; i < solid->n; i++)
            for (size_t k = 0; k < (size_t)solid->dimension; k++)
                out[k] +=
                    sign * carom_solid_sort_of(solid, i)->mass * v[given->model->member[body].v0 + solid->fast * i + k];
        return;
    }
    const size_t i = body - s->nbodies, d = (size_t)s->balls->dimension;
    for (size_t k = 0; k < d; k++)
        out[k] += sign * s->balls->mass[i] * v[given->model->member[s->balls_member].v0 + d * i + k];
}

static double compare(const struct given *given, const double *before, const double *after)
{
    const size_t n = given->strike->nbodies + given->strike->nballs;
    double most = 0.0, off = 0.0;
    bool any = false;
    for (size_t body = 0; body < n; body++)
        most = fmax(most, carom_vec_norm(given->by[body]));
    for (size_t body = 0; body < n; body++) {
        double change[3] = {0.0, 0.0, 0.0};
        if (!is_free(given->strike, body))
            continue;
        any = true;
        add_momentum(given, body, 1.0, after, change);
        add_momentum(given, body, -1.0, before, change);
        for (int k = 0; k < 3; k++)
            change[k] -= given->by[body][k];
        off = fmax(off, carom_vec_norm(change) / most);
    }
    return any && most > 0.0 ? off : nan("");
}

enum carom_status carom_momenta_off(const struct carom_run_file *run, const struct carom_scene *scene, double *off,
                                    struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    struct given given = {.model = model, .strike = carom_solid_strike_of(model)};
    *off = nan("");
    if (!given.strike || given.strike->friction || !run->complete || run->episodes.vector == 0 ||
        run->episodes.left_out > 0)
        return CAROM_OK;
    struct carom_checkpoint checkpoint = {0};
    struct carom_state *state = carom_state_create(model, carom_stepper_memory(scene->scheme, model, scene->options));
    given.by = carom_memory_zeroed(given.strike->nbodies + given.strike->nballs, sizeof *given.by);
    enum carom_status status = state && given.by ? CAROM_OK : carom_memory_error(error);
    if (status == CAROM_OK)
        status = carom_run_episodes_each(&run->episodes, run->file, add, &given, error);
    struct carom_error none = {CAROM_OK, ""}; /* without checkpoints nothing is said */
    if (status == CAROM_OK && carom_run_file_restore(run, model, state, &checkpoint, &none) == CAROM_OK)
        *off = compare(&given, scene->v, state->v);
    carom_state_free(state);
    carom_memory_free(given.by);
    return status;
}
