/* Linear waves about the start of a scene. With k_j the slope of contact j's law at its static overlap, s_i the
 * local springs and m_i the masses: m_i u_i'' = k_{i-1} (u_{i-1} - u_i) + k_i (u_{i+1} - u_i) - s_i u_i. Finite
 * chains by the eigenvalues of the tridiagonal matrix, repeating ones by Bloch's theorem, u_{i+p} = exp(i phase)
 * u_i, with the group velocity from the trace of the transfer matrix. Damping and the one-sidedness of contacts
 * are left out. */
#include "study/dispersion.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/motion.h"
#include "solve/eigen.h"

#define PI 3.14159265358979323846
#define FIRST_TOUCH \
    1e-300            /* overlap of contacts that just touch: a linear law has its stiffness there, Hertz's has none */
#define NOTHING 1e-12 /* stiffness below so much of the largest counts as none */
#define UNREST 1e-6   /* of the largest static force: what statics leave */
#define SAME 1e-6     /* relative difference of beads and links that count as equal: statics leave round-off */

/* --- the linear chain
 * -------------------------------------------------------------------------------------------- */

/* Masses, local stiffness and links of all bodies; link[i] joins bodies i and i + 1, wall[] the ends. */
struct linear {
    size_t n, nc;
    const struct carom_beads *beads;
    double *local; /* n, walls and driven neighbours not included */
    double *link;  /* n, the last is 0 */
    double wall[2];
    double *slope; /* nc */
    size_t closed;
    double force, unbalanced; /* as in struct carom_dispersion */
    size_t pushed;
};

static bool is_driven(const struct linear *c, size_t i)
{
    return c->beads->inverse_mass[i] == 0.0;
}

/* Where the start is no equilibrium: the largest force that is left on a body that can move. */
static enum carom_status find_unrest(struct linear *c, const struct carom_scene *scene, const double *push,
                                     struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    double *room = carom_memory_zeroed(4 * model->nv, sizeof *room), *force = room;
    if (room == NULL)
        return carom_memory_error(error);
    carom_motion_accelerate(model, 0.0, scene->q, room + model->nv, push, room + 2 * model->nv, force,
                            room + 3 * model->nv, NULL);
    for (size_t j = 0; j < c->nc; j++)
        c->force = fmax(c->force, fabs(push[j]));
    for (size_t i = 0; i < c->n; i++)
        if (!is_driven(c, i) && fabs(force[i]) > c->unbalanced) {
            c->unbalanced = fabs(force[i]);
            c->pushed = i;
        }
    if (c->unbalanced <= UNREST * c->force)
        c->unbalanced = 0.0;
    carom_memory_free(room);
    return CAROM_OK;
}

static enum carom_status find_slopes(struct linear *c, const struct carom_scene *scene, struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    double *deform = carom_memory_zeroed(c->nc, 3 * sizeof *deform),
           *history = carom_memory_zeroed(model->nh, sizeof *history);
    double largest = 0.0;
    if (deform == NULL || history == NULL) {
        carom_memory_free_all(deform, history);
        return carom_memory_error(error);
    }
    carom_contacts_deform(model, 0.0, scene->q, scene->v, deform, deform + c->nc);
    for (size_t j = 0; j < c->nc; j++) {
        deform[j] = deform[j] == 0.0 ? FIRST_TOUCH : deform[j];
        deform[c->nc + j] = 0.0; /* at rest */
    }
    const struct carom_response want = {.elastic = deform + 2 * c->nc, .slope = c->slope};
    carom_contacts_evaluate(model, 0, c->nc, deform, deform + c->nc, history, &want);
    for (size_t j = 0; j < c->nc; j++)
        deform[2 * c->nc + j] = deform[j] > FIRST_TOUCH ? deform[2 * c->nc + j] : 0.0;
    const enum carom_status status = find_unrest(c, scene, deform + 2 * c->nc, error);
    for (size_t j = 0; j < c->nc; j++) {
        c->slope[j] = deform[j] > 0.0 && isfinite(c->slope[j]) ? c->slope[j] : 0.0;
        largest = fmax(largest, c->slope[j]);
    }
    for (size_t j = 0; j < c->nc; j++) {
        const bool closed = c->slope[j] > NOTHING * largest && c->slope[j] > 1e-100;
        c->slope[j] = closed ? c->slope[j] : 0.0;
        c->closed += closed;
    }
    carom_memory_free_all(deform, history);
    return status;
}

static void place_slopes(struct linear *c, const struct carom_scene *scene)
{
    const struct carom_beads *beads = c->beads;
    for (size_t j = 0; j < c->nc; j++) {
        const int32_t *pair = scene->model->pair[j];
        if (pair[0] == CAROM_WALL_LEFT)
            c->wall[0] = c->slope[j];
        else if (pair[1] == CAROM_WALL_RIGHT)
            c->wall[1] = c->slope[j];
        else
            c->link[pair[0]] = c->slope[j];
    }
    for (size_t i = 0; i < c->n; i++) {
        c->local[i] = beads->spring != NULL ? beads->spring[i] : 0.0;
        if (beads->string != NULL && beads->string[i] > 0.0)
            c->local[i] += beads->mass[i] * beads->down / beads->string[i] * cos(scene->q[i] / beads->string[i]);
    }
}

static enum carom_status linearise(struct linear *c, const struct carom_scene *scene, struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    bool local = false;
    c->beads = carom_model_chain(model);
    if (c->beads == NULL)
        return carom_error_set(error, CAROM_E_REFUSED, "dispersion needs a single row of beads");
    for (size_t g = 0; g < model->ngroups; g++)
        if (model->group[g].law->rigid)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "rigid contacts carry no small waves: choose theory: compliant");
    c->n = c->beads->n;
    c->nc = model->nc;
    if (!carom_memory_together(CAROM_ROOM(c->slope, c->nc), CAROM_ROOM(c->local, c->n), CAROM_ROOM(c->link, c->n)))
        return carom_memory_error(error);
    if (find_slopes(c, scene, error) != CAROM_OK)
        return CAROM_E_MEMORY;
    place_slopes(c, scene);
    for (size_t i = 0; i < c->n; i++)
        local = local || c->local[i] > 0.0;
    if (c->closed == 0 && !local)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "no contact carries small waves: without load a Hertz contact has no stiffness (a sonic "
                               "vacuum); give precompression, or a linear law");
    return CAROM_OK;
}

static void free_linear(struct linear *c)
{
    carom_memory_free(c->slope);
}

/* stiffness that holds a body while its neighbours stand still */
static double diagonal(const struct linear *c, size_t i)
{
    const double left = i > 0 ? c->link[i - 1] : c->wall[0], right = i + 1 < c->n ? c->link[i] : c->wall[1];
    return left + right + c->local[i];
}

/* --- normal modes
 * ------------------------------------------------------------------------------------------------ */

/* Columns of mass-weighted vectors become displacements whose largest is 1. */
static void show_shapes(struct carom_dispersion *d, const struct linear *c)
{
    for (size_t k = 0; k < d->n; k++) {
        double largest = 0.0;
        for (size_t i = 0; i < d->n; i++) {
            double *u = &d->shape[i * d->n + k];
            *u /= sqrt(c->beads->mass[d->body[i]]);
            largest = fabs(*u) > fabs(largest) ? *u : largest;
        }
        for (size_t i = 0; i < d->n && largest != 0.0; i++)
            d->shape[i * d->n + k] /= largest;
    }
}

static enum carom_status find_modes(struct carom_dispersion *d, const struct linear *c, bool shapes,
                                    struct carom_error *error)
{
    d->omega = carom_memory_zeroed(d->n, sizeof(double));
    double *off = carom_memory_zeroed(d->n, sizeof(double));
    d->shape = shapes ? carom_memory_zeroed(d->n * d->n, sizeof(double)) : NULL;
    if (d->omega == NULL || off == NULL || (shapes && d->shape == NULL)) {
        carom_memory_free(off);
        return carom_memory_error(error);
    }
    double largest = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        const size_t body = d->body[i];
        const double *mass = c->beads->mass;
        d->omega[i] = diagonal(c, body) / mass[body];
        largest = fmax(largest, d->omega[i]);
        if (i + 1 < d->n && d->body[i + 1] == body + 1)
            off[i] = -c->link[body] / sqrt(mass[body] * mass[body + 1]);
        if (shapes)
            d->shape[i * d->n + i] = 1.0;
    }
    const bool good = carom_eigen_tridiagonal(d->n, d->omega, off, d->shape);
    carom_memory_free(off);
    if (!good)
        return carom_error_set(error, CAROM_E_NUMERIC, "the normal modes could not be found");
    for (size_t k = 0; k < d->n; k++) /* round-off of the rigid motion is no frequency */
        d->omega[k] = d->omega[k] > 1e-13 * largest ? sqrt(d->omega[k]) : 0.0;
    if (shapes)
        show_shapes(d, c);
    return CAROM_OK;
}

static enum carom_status find_bodies(struct carom_dispersion *d, const struct linear *c, struct carom_error *error)
{
    d->body = carom_memory_zeroed(c->n, sizeof *d->body);
    if (d->body == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < c->n; i++)
        if (!is_driven(c, i))
            d->body[d->n++] = i;
    d->closed = c->closed;
    d->force = c->force;
    d->unbalanced = c->unbalanced;
    d->pushed = c->pushed;
    return CAROM_OK;
}

/* --- the cell
 * ----------------------------------------------------------------------------------------------------- */

/* The longest stretch of bodies joined to each other. */
static void longest_stretch(const struct linear *c, size_t *first, size_t *count)
{
    *count = 0;
    for (size_t begin = 0, end; begin < c->n; begin = end) {
        for (end = begin + 1; end < c->n && c->link[end - 1] > 0.0 && !is_driven(c, end); end++) {
        }
        const size_t from = is_driven(c, begin) ? begin + 1 : begin;
        if (end > from && end - from > *count) {
            *first = from;
            *count = end - from;
        }
    }
}

static bool same(double a, double b)
{
    return fabs(a - b) <= SAME * fmax(fabs(a), fabs(b));
}

static bool repeats(const struct linear *c, size_t first, size_t count, size_t period)
{
    for (size_t i = first; i + period < first + count; i++)
        if (!same(c->beads->mass[i], c->beads->mass[i + period]) || !same(c->local[i], c->local[i + period]) ||
            (i + period + 1 < first + count && !same(c->link[i], c->link[i + period])))
            return false;
    return true;
}

static enum carom_status choose_cell(struct carom_dispersion *d, const struct linear *c, size_t wanted,
                                     struct carom_error *error)
{
    size_t first = 0, count = 0;
    longest_stretch(c, &first, &count);
    d->period = wanted;
    if (wanted > 0 && wanted >= count)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "--cell %zu: a cell and the next bead do not fit into the %zu beads that are joined",
                               wanted, count);
    for (size_t p = 1; wanted == 0 && d->period == 0 && p <= CAROM_DISPERSION_CELL && 2 * p <= count; p++)
        d->period = repeats(c, first, count, p) ? p : 0;
    /* the cell stands in the middle, whole cells from the left end so that it begins like the chain */
    d->first = d->period > 0 ? first + (count - d->period - 1) / 2 / d->period * d->period : 0;
    return CAROM_OK;
}

static double bare_sound(const struct carom_dispersion *d)
{
    double mass = 0.0, yielding = 0.0;
    for (size_t i = 0; i < d->period; i++) {
        if (d->local[i] > 0.0)
            return 0.0;
        mass += d->mass[i];
        yielding += 1.0 / d->link[i];
    }
    return d->length / sqrt(mass * yielding);
}

static enum carom_status make_cell(struct carom_dispersion *d, const struct linear *c, const struct carom_scene *scene,
                                   struct carom_error *error)
{
    const size_t p = d->period;
    double *place = carom_memory_zeroed(c->n, sizeof *place);
    if (place == NULL || !carom_memory_together(CAROM_ROOM(d->mass, p), CAROM_ROOM(d->local, p), CAROM_ROOM(d->link, p),
                                                CAROM_ROOM(d->low, p), CAROM_ROOM(d->high, p),
                                                CAROM_ROOM(d->matrix, 4 * p * p + 4 * p))) {
        carom_memory_free(place);
        return carom_memory_error(error);
    }
    carom_model_positions(scene->model, place);
    const size_t next = d->first + p;
    d->length = place[next] - place[d->first]; /* as displacements: from the reference, not the compressed chain */
    carom_memory_free(place);
    for (size_t i = 0; i < p; i++) {
        d->mass[i] = c->beads->mass[d->first + i];
        d->local[i] = c->local[d->first + i];
        d->link[i] = c->link[d->first + i];
    }
    d->sound = bare_sound(d);
    enum carom_status status = carom_dispersion_branches(d, 0.0, d->low, NULL, error);
    if (status == CAROM_OK)
        status = carom_dispersion_branches(d, PI, d->high, NULL, error);
    for (size_t i = 0; i < p; i++) /* every branch is monotonic in the phase */
        if (d->low[i] > d->high[i]) {
            const double kept = d->low[i];
            d->low[i] = d->high[i];
            d->high[i] = kept;
        }
    return status;
}

/* --- branches
 * ----------------------------------------------------------------------------------------------------- */

/* The Hermitian matrix of the cell as a real one of twice the size, (A, -B; B, A): every value comes twice. */
static void fill_matrix(const struct carom_dispersion *d, double phase, double *a)
{
    const size_t p = d->period, n = 2 * p;
    memset(a, 0, n * n * sizeof *a);
    for (size_t i = 0; i < p; i++) {
        const size_t k = (i + 1) % p;
        const double left = d->link[(i + p - 1) % p], own = (left + d->link[i] + d->local[i]) / d->mass[i];
        const double turn = i + 1 < p ? 0.0 : phase, share = -d->link[i] / sqrt(d->mass[i] * d->mass[k]);
        const double real = share * cos(turn), imaginary = share * sin(turn); /* of entry (i, k) */
        a[i * n + i] += own;
        a[(p + i) * n + p + i] += own;
        a[i * n + k] += real;
        a[k * n + i] += real;
        a[(p + i) * n + p + k] += real;
        a[(p + k) * n + p + i] += real;
        a[i * n + p + k] -= imaginary;
        a[k * n + p + i] += imaginary;
        a[(p + i) * n + k] += imaginary;
        a[(p + k) * n + i] -= imaginary;
    }
}

/* D'(lambda), D the trace of the transfer matrix over a cell, lambda = omega^2: 2 cos(phase) = D. The vector is
 * (u_i, force of link i), each link and bead a factor. */
static double trace_slope(const struct carom_dispersion *d, double lambda)
{
    double t[2][2] = {{1.0, 0.0}, {0.0, 1.0}}, s[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    for (size_t i = 0; i < d->period; i++) {
        /* bead: f += (local - lambda m) u; link: u += f / k */
        const double load = d->local[i] - lambda * d->mass[i];
        for (size_t c = 0; c < 2; c++) {
            s[1][c] += load * s[0][c] - d->mass[i] * t[0][c];
            t[1][c] += load * t[0][c];
            s[0][c] += s[1][c] / d->link[i];
            t[0][c] += t[1][c] / d->link[i];
        }
    }
    return s[0][0] + s[1][1];
}

/* d omega / d phase = -sin(phase) / (omega D'(lambda)), as 2 cos(phase) = D */
static double group_of(const struct carom_dispersion *d, double phase, double omega)
{
    if (omega == 0.0)
        return d->sound;
    const double rate = -sin(phase) / (omega * trace_slope(d, omega * omega));
    return isfinite(rate) ? d->length * rate : 0.0;
}

enum carom_status carom_dispersion_branches(const struct carom_dispersion *d, double phase, double *omega,
                                            double *group, struct carom_error *error)
{
    const size_t n = 2 * d->period;
    double *value = d->matrix + n * n, *scratch = value + n, largest = 0.0;
    fill_matrix(d, phase, d->matrix);
    if (!carom_eigen_symmetric(n, d->matrix, value, scratch))
        return carom_error_set(error, CAROM_E_NUMERIC, "the branches at phase %g could not be found", phase);
    largest = value[n - 1];
    for (size_t i = 0; i < d->period; i++) {
        const double lambda = 0.5 * (value[2 * i] + value[2 * i + 1]);
        omega[i] = lambda > 1e-14 * largest ? sqrt(lambda) : 0.0;
    }
    for (size_t i = 0; group != NULL && i < d->period; i++)
        group[i] = group_of(d, phase, omega[i]);
    return CAROM_OK;
}

/* --- the whole
 * ----------------------------------------------------------------------------------------------------- */

static enum carom_status find_all(struct carom_dispersion *d, struct linear *c, const struct carom_scene *scene,
                                  size_t period, bool shapes, struct carom_error *error)
{
    enum carom_status status = linearise(c, scene, error);
    if (status == CAROM_OK)
        status = find_bodies(d, c, error);
    if (status == CAROM_OK && d->n <= CAROM_DISPERSION_MODES)
        status = find_modes(d, c, shapes, error);
    if (status == CAROM_OK)
        status = choose_cell(d, c, period, error);
    return status == CAROM_OK && d->period > 0 ? make_cell(d, c, scene, error) : status;
}

struct carom_dispersion *carom_dispersion_find(const struct carom_scene *scene, size_t period, bool shapes,
                                               struct carom_error *error)
{
    struct carom_dispersion *d = carom_memory_zeroed(1, sizeof *d);
    struct linear c = {0};
    if (d == NULL)
        return carom_memory_error(error), NULL;
    const enum carom_status status = find_all(d, &c, scene, period, shapes, error);
    free_linear(&c);
    if (status == CAROM_OK)
        return d;
    carom_dispersion_free(d);
    return NULL;
}

void carom_dispersion_free(struct carom_dispersion *d)
{
    if (d != NULL)
        carom_memory_free_all(d->body, d->omega, d->shape, d->mass, d);
}
