/* Scales of a body: V, the largest speed given, reachable by the stored energy, or that its loads and drives can
 * bring about (a traction T moves a surface by T / (rho c)); the time a wave needs through the smallest cell; U
 * their product. */
#include "base/memory.h"
#include "model/solid/solid.h"

static double smallest_edge(const struct carom_solid *s)
{
    double least = HUGE_VAL;
    for (int k = 0; k < s->dimension && s->grid.count[0] > 0; k++)
        least = fmin(least, s->grid.edge[k]);
    for (size_t i = 0; i < s->nsorts && s->grid.count[0] == 0; i++)
        for (int k = 0; k < s->dimension; k++)
            least = fmin(least, s->sorts[i].edge[k]);
    return least;
}

static double extent(const struct carom_solid *s, int k)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    if (s->grid.count[0] > 0)
        return s->grid.edge[k] * (double)s->grid.count[k];
    for (size_t i = 0; i < s->n; i++) {
        low = fmin(low, s->centre[i][k]);
        high = fmax(high, s->centre[i][k]);
    }
    return high - low;
}

/* speed a load may give to a cell that it acts on */
static double pushed(const struct carom_solid *s, const struct carom_solid_load *load, double largest)
{
    const bool faces = load->push == CAROM_SOLID_TRACTION || load->push == CAROM_SOLID_PRESSURE;
    const size_t cell = faces ? s->face[load->at[0]].cell : load->at[0];
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    const struct carom_solid_material *m = &s->material[sort->material];
    double p, slow, stress = largest * carom_vec_norm(load->vector);
    carom_solid_speeds(s, sort->material, &p, &slow);
    const double edge = smallest_edge(s);
    if (!faces) /* force on a cell over its face; a moment acts over an edge */
        stress *= sort->volume / load->total * edge / sort->volume / (load->push == CAROM_SOLID_MOMENT ? edge : 1.0);
    return stress / (m->density * p);
}

double carom_solid_scales_spin(const struct carom_solid *s, const double *v)
{
    double most = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double square = 0.0;
        for (size_t k = (size_t)s->dimension; k < s->fast; k++)
            square += v[s->fast * i + k] * v[s->fast * i + k];
        most = fmax(most, square);
    }
    return sqrt(most);
}

/* of centres; a single cell that only turns moves at its faces */
static double given_speed(const struct carom_solid *s, const double *v)
{
    double most = 0.5 * smallest_edge(s) * carom_solid_scales_spin(s, v);
    for (size_t i = 0; i < s->n; i++) {
        double square = 0.0;
        for (int k = 0; k < s->dimension; k++)
            square += v[s->fast * i + (size_t)k] * v[s->fast * i + (size_t)k];
        most = fmax(most, sqrt(square));
    }
    return most;
}

/* half a period of a signal, or a half-sine: what a step must not pass over */
static double half_period(const struct carom_signal *signal)
{
    switch (signal->shape) {
    case CAROM_SHAPE_HALF_SINE:
        return signal->duration;
    case CAROM_SHAPE_SINE:
    case CAROM_SHAPE_RICKER:
        return 0.5 / fabs(signal->frequency);
    case CAROM_SHAPE_CHIRP:
        return 0.5 / fmax(fabs(signal->frequency), fabs(signal->frequency_end));
    case CAROM_SHAPE_FUNCTION: /* that of the sine with the same largest value and rate */
        return signal->function->fastest > 0.0
                   ? 3.14159265358979323846 * signal->function->largest / signal->function->fastest
                   : HUGE_VAL;
    default: /* the others are straight between their breaks, where steps end */
        return HUGE_VAL;
    }
}

/* how far the hold moves a cell where its signal is 1; of a turn along the circle */
static double farthest(const struct carom_solid *s, const struct carom_solid_hold *hold)
{
    double most = carom_vec_norm(hold->vector);
    for (size_t i = 0; hold->angle != 0.0 && i < hold->count; i++) {
        double from[3], across[3];
        for (int k = 0; k < 3; k++)
            from[k] = s->centre[hold->cell[i]][k] - hold->about[k];
        carom_vec_cross(hold->axis, from, across);
        most = fmax(most, fabs(hold->angle) * carom_vec_norm(across));
    }
    return most;
}

double carom_solid_scales_beat(const struct carom_solid *s)
{
    double least = HUGE_VAL;
    for (size_t l = 0; l < s->nloads; l++)
        least = fmin(least, half_period(&s->load[l].signal));
    for (size_t h = 0; h < s->nholds; h++)
        if (s->hold[h].driven)
            least = fmin(least, half_period(&s->hold[h].signal));
    return least;
}

/* Layers of a bent body widen and narrow with their stress. Cells average that over their links to both sides, which
 * costs 3 nu^2 / (1 + nu) / n^2 in plane stress and up to half as much again in space; in plane strain nu is
 * nu / (1 - nu), and each cell by itself bends with E. Fitted to the exact solution of the links for a slice of n
 * cells, good to two fifths of itself from two cells on; the manual has the numbers. */
double carom_solid_scales_bending(const struct carom_solid *s, size_t across)
{
    const double n = (double)across;
    double most = 0.0;
    for (size_t m = 0; m < s->nmaterials; m++) {
        const double nu = s->material[m].poisson, wide = s->kind == CAROM_SOLID_STRAIN ? nu / (1.0 - nu) : nu,
                     own = s->kind == CAROM_SOLID_STRAIN ? nu * nu : 0.0;
        const double share = s->kind == CAROM_SOLID_SPACE && nu > 0.0 ? 4.5 : 3.0;
        most = fmax(most, share * wide * wide / (1.0 + wide) - own);
    }
    return most * (1.0 - 1.0 / n) / (n * n);
}

static double reachable(const struct carom_solid *s, struct carom_threads *threads, const double *q, double *room)
{
    const struct carom_solid_work work = carom_solid_forces_work(s, false, room);
    double mass = 0.0;
    for (size_t i = 0; i < s->n; i++)
        mass += carom_solid_sort_of(s, i)->mass;
    const double stored = carom_solid_forces_energy(s, &work, threads, 0.0, q);
    return stored > 0.0 ? sqrt(2.0 * stored / mass) : 0.0;
}

void carom_solid_scales_strike(const struct carom_solid *s, double speed, struct carom_scales *scales)
{
    double fast = 0.0, p, slow;
    if (!(speed > scales->speed))
        return;
    for (size_t m = 0; m < s->nmaterials; m++) {
        carom_solid_speeds(s, m, &p, &slow);
        fast = fmax(fast, p);
    }
    scales->speed = speed;
    scales->contact_time = smallest_edge(s) / fast;
    scales->length = speed * scales->contact_time;
}

enum carom_status carom_solid_scales(const struct carom_solid *s, const double *q, const double *v,
                                     struct carom_scales *scales, struct carom_error *error)
{
    if (!s)
        return carom_error_missing(error);
    return carom_solid_scales_shared(s, NULL, q, v, scales, error);
}

enum carom_status carom_solid_scales_shared(const struct carom_solid *s, struct carom_threads *threads, const double *q,
                                            const double *v, struct carom_scales *scales, struct carom_error *error)
{
    double *room = carom_memory_zeroed(carom_solid_forces_room(s, false), sizeof *room);
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid of %zu cells", s->n);
    double speed = fmax(given_speed(s, v), reachable(s, threads, q, room)), fast = 0.0, largest, rate, p, slow,
           size = 0.0;
    carom_memory_free(room);
    for (size_t m = 0; m < s->nmaterials; m++) {
        carom_solid_speeds(s, m, &p, &slow);
        fast = fmax(fast, p);
    }
    for (size_t l = 0; l < s->nloads; l++) {
        carom_signal_largest(&s->load[l].signal, &largest, &rate);
        speed = fmax(speed, pushed(s, &s->load[l], largest));
    }
    for (size_t h = 0; h < s->nholds; h++)
        if (s->hold[h].driven) {
            carom_signal_largest(&s->hold[h].signal, &largest, &rate);
            const double way = farthest(s, &s->hold[h]);
            /* a jump moves the cell within a wave's time through it */
            speed = fmax(speed, rate < HUGE_VAL ? way * rate : way * largest * fast / smallest_edge(s));
        }
    for (int k = 0; k < s->dimension; k++)
        size = fmax(size, s->grid.shell ? 2.0 * s->grid.radius : extent(s, k));
    speed = fmax(speed, carom_vec_norm(s->gravity) * size / fast);
    scales->speed = speed;
    scales->contact_time = speed > 0.0 ? smallest_edge(s) / fast : 0.0;
    scales->length = speed * scales->contact_time;
    return CAROM_OK;
}
