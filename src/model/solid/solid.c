/* Parts `solid` and `solid-plane`: an elastic body as a part of a model, and its life, places, corners. Forces are
 * solid_forces.c's, bodies are made in solid_box.c and solid_cylinder.c. Under the part's interface v holds angular
 * velocities in principal axes; scheme rattle has a path of its own. */
#include "model/solid/solid.h"

#include <string.h>

#include "base/memory.h"
#include "base/sum.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/solid_cells.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_rates.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_slice.h"
#include "model/solid/solid_turns.h"
#include "model/solid/solid_yield.h"

const char *const carom_solid_sides[] = {"left", "right", "front", "back", "bottom", "top", "inside", "outside", NULL};

void carom_solid_free(struct carom_solid *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->load && i < s->nloads; i++) {
        carom_memory_free_all(s->load[i].at, (void *)(uintptr_t)s->load[i].signal.time,
                              (void *)(uintptr_t)s->load[i].signal.height);
    }
    for (size_t i = 0; s->hold && i < s->nholds; i++) {
        carom_memory_free_all(s->hold[i].cell, (void *)(uintptr_t)s->hold[i].signal.time,
                              (void *)(uintptr_t)s->hold[i].signal.height);
    }
    for (size_t i = 0; s->set && i < s->nsets; i++)
        carom_memory_free(s->set[i].cell);
    carom_memory_free_all(s->centre, s->sort, s->sorts, s->link, s->shape, s->cut, s->face, s->material, s->load,
                          s->hold, s->sensor, s->set, s->held, s->record, s->entry, s->sheet, s->absorbing,
                          s->absorber);
    carom_solid_slice_free(s->slices);
    carom_solid_rates_free(s->rates);
    carom_solid_cells_free(s->cells);
    carom_solid_fracture_free(s->breaks);
    carom_solid_bonds_free(s->bonds);
    carom_solid_self_free(s->self);
    carom_memory_free(s);
}

const struct carom_solid *carom_solid_at(const struct carom_model *model, size_t member)
{
    if (!model)
        return NULL;
    const struct carom_part *part = member < model->nparts ? model->member[member].part : NULL;
    return part == &carom_part_solid || part == &carom_part_solid_plane ? model->member[member].own : NULL;
}

const struct carom_solid *carom_solid_of(const struct carom_model *model, size_t *member)
{
    if (!model)
        return NULL;
    size_t i = 0;
    while (i < model->nparts && !carom_solid_at(model, i))
        i++;
    if (member && i < model->nparts)
        *member = i;
    return carom_solid_at(model, i);
}

size_t carom_solid_count(const struct carom_model *model)
{
    if (!model)
        return 0;
    size_t n = 0;
    while (carom_solid_at(model, n))
        n++;
    return n;
}

size_t carom_solid_sensor_find(const struct carom_model *model, const char *name, size_t *member,
                               const struct carom_solid_sensor **sensor)
{
    if (!model || !name)
        return SIZE_MAX;
    size_t before = 0;
    for (size_t m = 0; m < carom_solid_count(model); m++) {
        const struct carom_solid *s = carom_solid_at(model, m);
        for (size_t i = 0; i < s->nsensors; i++)
            if (strcmp(s->sensor[i].name, name) == 0) {
                *member = m;
                *sensor = &s->sensor[i];
                return before + i;
            }
        before += s->nsensors;
    }
    return SIZE_MAX;
}

const struct carom_part *carom_solid_part(const struct carom_solid *s)
{
    if (!s)
        return NULL;
    return s->dimension == 3 ? &carom_part_solid : &carom_part_solid_plane;
}

/* --- asking ---------------------------------------------------------------------------------------------------- */

size_t carom_solid_faces(const struct carom_solid *s, enum carom_solid_side side, size_t count, const uint32_t *cell,
                         uint32_t *face)
{
    if (!s)
        return 0;
    size_t found = 0, next = 0; /* faces and cells both rise */
    for (size_t f = 0; f < s->nfaces; f++) {
        while (cell && next < count && cell[next] < s->face[f].cell)
            next++;
        const bool meant = !cell || (next < count && cell[next] == s->face[f].cell);
        if (meant && s->face[f].side == (uint32_t)side)
            face[found++] = (uint32_t)f;
    }
    return found;
}

size_t carom_solid_nearest(const struct carom_solid *s, const double place[3])
{
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t i = 0; i < s->n; i++) {
        double distance = 0.0;
        for (int k = 0; k < s->dimension; k++)
            distance += (place[k] - s->centre[i][k]) * (place[k] - s->centre[i][k]);
        if (distance < least * (1.0 - 1e-12)) { /* among equals the first */
            least = distance;
            best = i;
        }
    }
    return best;
}

/* is what lies along axis k from the centre, towards `sign`, cut off? Cut cells stand at the ends of the body. */
static bool is_cut_off(const struct carom_solid *s, size_t cell, int k, double sign)
{
    const double middle = 0.5 * (s->centre[0][k] + s->centre[s->n - 1][k]);
    return carom_solid_sort_of(s, cell)->halved >> k & 1U && sign * (s->centre[cell][k] - middle) > 0.0;
}

size_t carom_solid_corners(const struct carom_solid *s, size_t cell, double corner[8][3])
{
    static const double sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    for (int c = 0; c < (s->dimension == 3 ? 8 : 4); c++) {
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = k < s->dimension && !is_cut_off(s, cell, k, sign[c][k]) ? 0.5 * sign[c][k] * sort->edge[k] : 0.0;
        if (s->grid.shell) /* wider outside: the planes between cells go through the axis */
            arm[1] *= (s->grid.radius + arm[0]) / s->grid.radius;
        carom_quat_turn(sort->frame, arm, arm);
        for (int k = 0; k < 3; k++)
            corner[c][k] = s->centre[cell][k] + arm[k];
    }
    return s->dimension == 3 ? 8 : 4;
}

size_t carom_solid_size(const struct carom_solid *s)
{
    if (!s)
        return 0;
    const size_t strains = s->flow ? CAROM_YIELD_STRAIN * s->n : 0, damage = s->breaks ? s->nlinks + 1 : 0;
    return s->wide * s->n + strains + damage + (carom_solid_self_is_rough(s) ? 1 : 0) +
           (s->flow || s->nabsorbing > 0 ? CAROM_SOLID_LOSSES : 0);
}

double *carom_solid_losses(const struct carom_solid *s, double *q)
{
    return s->flow || s->nabsorbing > 0 ? q + carom_solid_size(s) - CAROM_SOLID_LOSSES : NULL;
}

double *carom_solid_self_friction_loss(const struct carom_solid *s, double *q)
{
    return q + carom_solid_size(s) - 1 - (s->flow || s->nabsorbing > 0 ? CAROM_SOLID_LOSSES : 0);
}

void carom_solid_rest(const struct carom_solid *s, double *q)
{
    memset(q, 0, carom_solid_size(s) * sizeof *q);
    for (size_t i = 0; i < s->n; i++)
        q[s->wide * i + (size_t)s->dimension] = 1.0;
    for (size_t l = 0; s->breaks && l < s->nlinks; l++)
        carom_solid_fracture_damage(s, q)[l] = s->breaks->cracked[l];
}

void carom_solid_moved(const struct carom_solid *s, const double *q, size_t cell, const double arm[3], double out[3])
{
    double turn[4];
    carom_solid_quaternion(s, q, cell, turn);
    carom_quat_turn(turn, arm, out);
    for (int k = 0; k < 3; k++)
        out[k] += s->centre[cell][k] + (k < s->dimension ? q[s->wide * cell + (size_t)k] : 0.0);
}

void carom_solid_sense(const struct carom_solid *s, const struct carom_solid_sensor *sensor, const double *q,
                       const double *v, double displacement[3], double velocity[3])
{
    for (int k = 0; k < 3; k++)
        displacement[k] = velocity[k] = 0.0;
    for (size_t i = 0; i < sensor->count; i++) {
        const size_t cell = sensor->cell[i];
        double turn[4], total[4], shift[3], arm[3], spin[3] = {0.0, 0.0, 0.0}, sweep[3];
        carom_solid_quaternion(s, q, cell, turn);
        carom_quat_shift(turn, sensor->arm[i], shift);
        for (int k = 0; k < s->dimension; k++)
            displacement[k] += sensor->weight[i] * (q[s->wide * cell + (size_t)k] + shift[k]);
        if (!v)
            continue;
        carom_quat_turn(turn, sensor->arm[i], arm);
        if (s->dimension == 2) {
            spin[2] = v[3 * cell + 2];
        } else {
            carom_quat_product(turn, carom_solid_sort_of(s, cell)->frame, total);
            carom_quat_turn(total, v + 6 * cell + 3, spin);
        }
        carom_vec_cross(spin, arm, sweep);
        for (int k = 0; k < s->dimension; k++)
            velocity[k] += sensor->weight[i] * (v[s->fast * cell + (size_t)k] + sweep[k]);
    }
}

void carom_solid_speeds(const struct carom_solid *s, size_t material, double *p, double *slow)
{
    const struct carom_solid_material *m = &s->material[material];
    double lambda, mu;
    carom_solid_mesh_lame(s, m, &lambda, &mu);
    *p = sqrt((lambda + 2.0 * mu) / m->density);
    *slow = sqrt(mu / m->density);
}

/* --- the part -------------------------------------------------------------------------------------------------- */

void carom_solid_describe(const void *own, struct carom_particles *out)
{
    const struct carom_solid *s = own;
    *out = (struct carom_particles){.dimension = s->dimension, .n = s->n};
}

static void release(void *own)
{
    carom_solid_free(own);
}

static void sizes(const void *own, size_t *nq, size_t *nv, size_t *nports)
{
    const struct carom_solid *s = own;
    *nq = carom_solid_size(s);
    *nv = s->fast * s->n;
    *nports = (size_t)s->dimension * s->n;
}

void carom_solid_scratch(const void *own, size_t *energy, size_t *force)
{
    const struct carom_solid *s = own;
    *energy = carom_solid_forces_room(s, false);
    *force = carom_solid_forces_room(s, true);
    if (s->rates)
        *force += carom_solid_rates_room(s->rates) + 2 * s->fast * s->n;
}

struct carom_solid_desk carom_solid_desk(const struct carom_solid *s, double *scratch)
{
    struct carom_solid_desk d = {.work = carom_solid_forces_work(s, true, scratch)};
    double *rest = scratch + carom_solid_forces_room(s, true);
    if (s->rates) {
        d.frozen = carom_solid_rates_frozen(s->rates, rest);
        d.w = rest + carom_solid_rates_room(s->rates);
        d.drag = d.w + s->fast * s->n;
    }
    return d;
}

/* velocities with spins in space axes: v, or d->w */
static const double *in_space(const struct carom_solid *s, const struct carom_solid_desk *d,
                              struct carom_threads *threads, const double *q, const double *v)
{
    if (s->dimension == 2)
        return v;
    carom_solid_turns_to_space(s, threads, q, v, d->w);
    return d->w;
}

void carom_solid_damp(const struct carom_solid *s, const struct carom_solid_desk *d, struct carom_threads *threads,
                      const double *q, const double *v, double *f)
{
    for (size_t i = 0; s->damping_mass != 0.0 && i < s->n; i++) {
        double slow[6], turn[4];
        for (size_t k = 0; k < s->fast; k++)
            slow[k] = s->damping_mass * carom_solid_inertia(s, i, k) * v[s->fast * i + k];
        if (s->dimension == 3) {
            carom_solid_turns_axes(s, i, q, turn);
            carom_quat_turn(turn, slow + 3, slow + 3);
        }
        for (size_t k = 0; k < s->fast; k++)
            f[s->fast * i + k] -= slow[k];
    }
    if (s->damping_stiffness == 0.0 || !d->drag)
        return;
    carom_solid_rates_freeze(s->rates, &d->frozen, threads, q);
    carom_solid_rates_drag(s->rates, &d->frozen, threads, in_space(s, d, threads, q, v), d->drag);
    for (size_t i = 0; i < s->fast * s->n; i++)
        f[i] += s->damping_stiffness * d->drag[i];
}

/* torque of a cell in space from space to principal axes, with what its spin and its holds do */
static void spin_torque(const struct carom_solid *s, size_t cell, const double *q, const double spin[3],
                        double torque[3])
{
    double turn[4], momentum[3], gyro[3];
    carom_solid_turns_axes(s, cell, q, turn);
    carom_quat_turn_back(turn, torque, torque);
    for (int k = 0; k < 3; k++)
        momentum[k] = carom_solid_sort_of(s, cell)->inertia[k] * spin[k];
    carom_vec_cross(momentum, spin, gyro);
    for (int k = 0; k < 3; k++)
        torque[k] += gyro[k];
    if (carom_solid_turns_held(s, cell)) {
        carom_quat_turn(turn, torque, torque);
        carom_solid_turns_balance(s, cell, q, torque);
        carom_quat_turn_back(turn, torque, torque);
    }
}

struct turning {
    const struct carom_solid *s;
    const double *q, *v;
    double *out;
};

/* forces on cells as v has them: what is held feels none, turns are about principal axes */
static void hold_and_turn(void *own, size_t first, size_t last)
{
    const struct turning *c = own;
    const struct carom_solid *s = c->s;
    for (size_t i = first; i < last; i++) {
        for (size_t k = 0; s->held && k < s->fast; k++)
            if (carom_solid_holds(s, i, k))
                c->out[s->fast * i + k] = 0.0;
        if (s->dimension == 3)
            spin_torque(s, i, c->q, c->v + 6 * i + 3, c->out + 6 * i + 3);
    }
}

void carom_solid_force_shared(const struct carom_solid *s, struct carom_threads *threads, double t, const double *q,
                              const double *v, double *scratch, double *f)
{
    const struct carom_solid_desk d = carom_solid_desk(s, scratch);
    carom_solid_forces(s, &d.work, threads, t, q, f);
    carom_solid_damp(s, &d, threads, q, v, f);
    carom_threads_share(threads, hold_and_turn, &(struct turning){s, q, v, f}, s->n);
}

static void force(const void *own, double t, const double *q, const double *v, double *scratch, double *f)
{
    carom_solid_force_shared(own, NULL, t, q, v, scratch, f);
}

static void mass_apply(const void *own, const double *q, const double *v, double *p)
{
    const struct carom_solid *s = own;
    (void)q;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->fast; k++)
            p[s->fast * i + k] = carom_solid_inertia(s, i, k) * v[s->fast * i + k];
}

static void mass_solve(const void *own, const double *q, const double *p, double *v)
{
    const struct carom_solid *s = own;
    (void)q;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->fast; k++)
            v[s->fast * i + k] = p[s->fast * i + k] / carom_solid_inertia(s, i, k);
}

struct moving {
    const struct carom_solid *s;
    const double *v;
};

static void add_motion(const void *own, size_t first, size_t last, struct carom_sum *sum)
{
    const struct moving *m = own;
    const struct carom_solid *s = m->s;
    for (size_t i = first; i < last; i++)
        for (size_t k = 0; k < s->fast; k++)
            carom_sum_add(sum, 0.5 * carom_solid_inertia(s, i, k) * m->v[s->fast * i + k] * m->v[s->fast * i + k]);
}

static double kinetic_energy(const struct carom_solid *s, struct carom_threads *threads, const double *v)
{
    const struct carom_sum sum = carom_threads_sum(threads, add_motion, &(struct moving){s, v}, s->n);
    return carom_sum_value(&sum);
}

static void energy_shared(const void *own, struct carom_threads *threads, double t, const double *q, const double *v,
                          double *scratch, double *kinetic, double *stored)
{
    const struct carom_solid *s = own;
    const struct carom_solid_work work = carom_solid_forces_work(s, false, scratch);
    *kinetic = kinetic_energy(s, threads, v);
    *stored = carom_solid_forces_energy(s, &work, threads, t, q);
}

static void energy(const void *own, double t, const double *q, const double *v, double *scratch, double *kinetic,
                   double *stored)
{
    energy_shared(own, NULL, t, q, v, scratch, kinetic, stored);
}

/* displacements of the cells' centres, cell by cell */
static void port(const void *own, size_t i, double t, const double *q, struct carom_port *out)
{
    const struct carom_solid *s = own;
    const size_t axes = (size_t)s->dimension;
    (void)t;
    out->value = q[s->wide * (i / axes) + i % axes];
    out->drift = 0.0;
    out->first = s->fast * (i / axes) + i % axes;
    out->count = 1;
    out->slope[0] = 1.0;
}

/* q' = (velocity, q (0, spin) / 2), the spin in the unloaded axes: frame x principal axes */
static void flow(const void *own, const double *q, const double *v, double *rate)
{
    const struct carom_solid *s = own;
    for (size_t i = 0; i < s->n; i++) {
        double spin[4] = {0.0, 0.0, 0.0, 0.0};
        memcpy(rate + 7 * i, v + 6 * i, 3 * sizeof *rate);
        carom_quat_turn(carom_solid_sort_of(s, i)->frame, v + 6 * i + 3, spin + 1);
        carom_quat_product(q + 7 * i + 3, spin, rate + 7 * i + 3);
        for (size_t k = 3; k < 7; k++)
            rate[7 * i + k] *= 0.5;
    }
}

static void power(const void *own, double t, const double *q, const double *v, double *scratch, double *dissipated,
                  double *work)
{
    const struct carom_solid *s = own;
    const struct carom_solid_desk d = carom_solid_desk(s, scratch);
    *dissipated = *work = 0.0;
    if (!s->rates)
        return;
    const double *w = in_space(s, &d, NULL, q, v);
    carom_solid_rates_freeze(s->rates, &d.frozen, NULL, q);
    *dissipated = s->damping_stiffness * carom_solid_rates_drag(s->rates, &d.frozen, NULL, w, d.drag);
    *dissipated += 2.0 * s->damping_mass * kinetic_energy(s, NULL, v);
    carom_solid_loads_follow(s, t, d.frozen.sum);
    *work = carom_solid_loads_power(s, t, q, w, d.frozen.sum);
}

static double jump(const void *own, double t, const double *q, double *scratch)
{
    const struct carom_solid_work work = carom_solid_forces_work(own, false, scratch);
    return carom_solid_loads_jump(own, &work, t, q);
}

/* what bodies in space and in the plane have in common */
#define SOLID                                                                                                     \
    .offers = CAROM_DIAGONAL_MASS | CAROM_CONSTANT_MASS, .sizes = sizes, .scratch = carom_solid_scratch,          \
    .force = force, .mass_apply = mass_apply, .mass_solve = mass_solve, .energy = energy, .port = port,           \
    .energy_shared = energy_shared, .move = carom_solid_move, .power = power, .signal = carom_solid_loads_signal, \
    .jump = jump, .describe = carom_solid_describe, .release = release

const struct carom_part carom_part_solid = {
    .kind = {"solid", "an elastic body of rigid cells, in space", NULL, sizeof(struct carom_solid)},
    SOLID,
    .flow = flow,
};

const struct carom_part carom_part_solid_plane = {
    .kind = {"solid-plane", "an elastic body of rigid cells in plane strain or plane stress", NULL,
             sizeof(struct carom_solid)},
    SOLID,
    .flow = carom_solid_plane_flow,
};
