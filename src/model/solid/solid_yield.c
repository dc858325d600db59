/* J2 plasticity: every cell has a plastic strain e of trace 0 in its own axes, and a link between I and J opens by
 * that much without a force: Du - D (alpha_I Q_I e_I + alpha_J Q_J e_J) n takes the place of Du in the energy of
 * solid_pair.h. That only moves the points of the cells at which the link holds them, so the forces are the same
 * function of longer arms, and momenta are kept.
 *
 * The slope of the energy against e is V times the mean stress of the cell, so von Mises' condition on that stress,
 *
 *     sqrt(3/2) |s - X| <= sigma_y + H p,   X = 2/3 H_k e,
 *
 * is that of the material in uniform stress, on any cells. Cells return to it along s - X (radial return) once a
 * step. What the elastic energy loses by that is the plastic work: the energy is a square of places and strains, so
 * the mean of the slopes before and after a step is exact. Maxwell's body is the same with strains that follow the
 * stress in time. Faces that carry loads add to a cell's stress. Only bodies
 * in space. */
#include "model/solid/solid_yield.h"

#include <string.h>

#include "base/power.h"
#include "base/sum.h"
#include "model/solid/solid_bonds.h"

enum carom_status carom_solid_yield(struct carom_solid *s, const struct carom_solid_plasticity *law,
                                    struct carom_error *error)
{
    if (!s || !law)
        return carom_error_missing(error);
    if (s->dimension != 3)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "plasticity and viscoelasticity are for bodies in space: give the box three axes");
    const bool flows = law->yield > 0.0 && law->yield<HUGE_VAL, relaxes = law->relaxation> 0.0;
    if (flows == relaxes || !(law->hardening >= 0.0) || !(law->kinematic >= 0.0))
        return carom_error_set(
            error, CAROM_E_INPUT,
            "a body has a positive yield stress, with hardening not negative, or a time of relaxation");
    s->plasticity = *law;
    s->flow = true;
    if (!carom_solid_bonds_ready(s))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    return CAROM_OK;
}

void carom_solid_yield_times(const double e[6], const double x[3], double scale, double out[3])
{
    out[0] = scale * (e[0] * x[0] + e[5] * x[1] + e[4] * x[2]);
    out[1] = scale * (e[5] * x[0] + e[1] * x[1] + e[3] * x[2]);
    out[2] = scale * (e[4] * x[0] + e[3] * x[1] + e[2] * x[2]);
}

void carom_solid_yield_open(const struct carom_solid *s, const double *q, size_t cell, const double apart[3],
                            double share, double out[3])
{
    double turn[4], own[3];
    carom_solid_quaternion(s, q, cell, turn);
    carom_solid_yield_times(carom_solid_yield_strain(s, q, cell), apart, share, own);
    carom_quat_turn(turn, own, out);
}

double carom_solid_yield_most(const struct carom_solid *s, const double *q)
{
    double most = 0.0;
    for (size_t i = 0; s->flow && i < s->n; i++) {
        const double *e = carom_solid_yield_strain(s, q, i);
        most = fmax(most, carom_vec_dot(e, e) + 2.0 * carom_vec_dot(e + 3, e + 3));
    }
    return sqrt(2.0 / 3.0 * most);
}

/* --- flow ------------------------------------------------------------------------------------------------------- */

/* out += the symmetric part of x y, xx yy zz yz xz xy */
static void add(const double x[3], const double y[3], double scale, double out[6])
{
    for (int k = 0; k < 3; k++)
        out[k] += scale * x[k] * y[k];
    out[3] += 0.5 * scale * (x[1] * y[2] + x[2] * y[1]);
    out[4] += 0.5 * scale * (x[0] * y[2] + x[2] * y[0]);
    out[5] += 0.5 * scale * (x[0] * y[1] + x[1] * y[0]);
}

/* less the slope of the energy against the cell's plastic strain */
static void slope(const struct carom_solid *s, const double *q, const double *room, size_t cell, double out[6])
{
    double turn[4];
    carom_solid_quaternion(s, q, cell, turn);
    for (int k = 0; k < 6; k++)
        out[k] = 0.0;
    for (size_t k = s->bonds->begin[cell]; k < s->bonds->begin[cell + 1]; k++) {
        const size_t l = s->bonds->entry[k] / 2, shape = s->link[l].shape;
        const double share = s->bonds->entry[k] % 2 ? 1.0 - s->cut[shape].share : s->cut[shape].share;
        double own[3];
        carom_quat_turn_back(turn, room + CAROM_BOND * l + CAROM_BOND_GRIP, own);
        add(s->shape[shape].apart, own, share, out);
    }
}

/* V times the stress: with the forces on the cell's faces */
static void add_loads(const struct carom_solid *s, double t, const double *q, size_t entry, double out[6])
{
    const struct carom_solid_entry *at = &s->entry[entry];
    const struct carom_solid_load *load_of = &s->load[at->load];
    double force[3], arm[3], turn[4];
    if (!carom_solid_loads_on_faces(load_of))
        return;
    const struct carom_solid_face *face = &s->face[load_of->at[at->number]];
    carom_solid_loads_face(s, load_of, face, carom_signal_value(&load_of->signal, t), q, force, arm);
    carom_solid_quaternion(s, q, at->cell, turn);
    carom_quat_turn_back(turn, force, force);
    add(face->arm, force, 1.0, out);
}

static double length(const double x[6])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + 2.0 * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]));
}

/* Maxwell's body over the time h: the shear stress goes down by its exact part */
static bool relax_cell(const struct carom_solid *s, size_t cell, const double stress[6], double h, double *strain)
{
    const double mean = (stress[0] + stress[1] + stress[2]) / 3.0, mu = carom_solid_sort_of(s, cell)->mu;
    const double part = -carom_power_expm1(-h / s->plasticity.relaxation) / (2.0 * mu);
    double step[6];
    for (int k = 0; k < 6; k++) {
        step[k] = part * (stress[k] - (k < 3 ? mean : 0.0));
        strain[k] += step[k];
    }
    strain[6] += sqrt(2.0 / 3.0) * length(step);
    return length(step) > 0.0;
}

/* radial return under this stress; is there any? */
static bool yield_cell(const struct carom_solid *s, size_t cell, const double stress[6], double h, double *strain)
{
    if (s->plasticity.relaxation > 0.0)
        return relax_cell(s, cell, stress, h, strain);
    const struct carom_solid_plasticity *law = &s->plasticity;
    const double mean = (stress[0] + stress[1] + stress[2]) / 3.0, mu = carom_solid_sort_of(s, cell)->mu;
    double way[6];
    for (int k = 0; k < 6; k++)
        way[k] = stress[k] - (k < 3 ? mean : 0.0) - 2.0 / 3.0 * law->kinematic * strain[k];
    const double size = length(way), mises = sqrt(1.5) * size;
    const double beyond = mises - law->yield - law->hardening * strain[6];
    if (!(beyond > 0.0))
        return false;
    const double more = beyond / (3.0 * mu + law->hardening + law->kinematic);
    for (int k = 0; k < 6; k++)
        strain[k] += sqrt(1.5) * more * way[k] / size;
    strain[6] += more;
    return true;
}

static double dot(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

struct call {
    const struct carom_solid *s;
    const double *room;
    double t, h, *q;
    const double *q0;
    double *before; /* strains and slopes before cells flow, then what each has lost */
    struct carom_solid_list list;
    bool any[CAROM_BOND_BLOCKS];
};

static struct call call_of(const struct carom_solid *s, const struct carom_solid_work *work)
{
    return (struct call){.s = s,
                         .room = work->stretch,
                         .before = work->stretch + CAROM_BOND * s->nlinks,
                         .list = work->some ? work->some->own_cells : (struct carom_solid_list){NULL, s->n}};
}

/* the cells of a block: number k of [first, last) */
static size_t cells_of(const struct call *c, size_t block, size_t *first)
{
    size_t last;
    carom_solid_bonds_block(c->list.count, block, first, &last);
    return last;
}

static size_t cell_of(const struct call *c, size_t k)
{
    return c->list.at ? c->list.at[k] : k;
}

static void work_links(const struct carom_solid *s, const struct carom_solid_work *work, struct carom_threads *threads,
                       double t, const double *q)
{
    memset(work->pressure, 0, s->n * sizeof *work->pressure);
    carom_solid_loads_dilate(s, t, 0, s->n, work->pressure);
    carom_solid_bonds_dilate(s, work->some, threads, q, work->pressure, work->stretch);
    carom_solid_bonds_links(s, work->some, threads, q, work->pressure, work->stretch);
}

/* strains and slopes as they are */
static void remember(void *own, size_t block)
{
    const struct call *c = own;
    size_t first;
    for (size_t last = cells_of(c, block, &first); first < last; first++) {
        const size_t i = cell_of(c, first);
        double *out = c->before + CAROM_YIELD_ROOM * i;
        memcpy(out, carom_solid_yield_strain(c->s, c->q0, i), 6 * sizeof *out);
        slope(c->s, c->q0, c->room, i, out + 6);
    }
}

/* cells flow under the stresses there are */
static void flow_cells(void *own, size_t block)
{
    struct call *c = own;
    const struct carom_solid *s = c->s;
    size_t first;
    for (size_t last = cells_of(c, block, &first); first < last; first++) {
        const size_t i = cell_of(c, first);
        double stress[6];
        slope(s, c->q, c->room, i, stress);
        for (size_t e = carom_solid_loads_first(s, i); e < s->nentries && s->entry[e].cell == i; e++)
            add_loads(s, c->t, c->q, e, stress);
        for (int k = 0; k < 6; k++)
            stress[k] /= carom_solid_sort_of(s, i)->volume;
        c->any[block] |= yield_cell(s, i, stress, c->h, carom_solid_yield_strain(s, c->q, i));
    }
}

static void lose(void *own, size_t block)
{
    const struct call *c = own;
    size_t first;
    for (size_t last = cells_of(c, block, &first); first < last; first++) {
        const size_t i = cell_of(c, first);
        double *before = c->before + CAROM_YIELD_ROOM * i;
        const double *strain = carom_solid_yield_strain(c->s, c->q, i);
        double force[6], step[6];
        for (size_t k = 0; k < 6; k++)
            step[k] = strain[k] - before[k];
        before[0] = 0.0;
        if (length(step) == 0.0)
            continue;
        slope(c->s, c->q, c->room, i, force);
        for (size_t k = 0; k < 6; k++)
            force[k] = 0.5 * (force[k] + before[6 + k]);
        before[0] = dot(force, step);
    }
}

bool carom_solid_yield_move(const struct carom_solid *s, const struct carom_solid_work *work,
                            struct carom_threads *threads, double t, double h, const double *q0, double *q)
{
    struct call c = call_of(s, work);
    bool any = false;
    c.t = t;
    c.h = h;
    c.q = q;
    c.q0 = q0 ? q0 : q;
    if (q0)
        carom_threads_run(threads, remember, &c, CAROM_BOND_BLOCKS);
    work_links(s, work, threads, t, q);
    if (!q0)
        carom_threads_run(threads, remember, &c, CAROM_BOND_BLOCKS);
    carom_threads_run(threads, flow_cells, &c, CAROM_BOND_BLOCKS);
    for (size_t b = 0; b < CAROM_BOND_BLOCKS; b++)
        any |= c.any[b];
    return any;
}

void carom_solid_yield_lose(const struct carom_solid *s, const struct carom_solid_work *work,
                            struct carom_threads *threads, double t, double *q)
{
    struct call c = call_of(s, work);
    c.q = q;
    work_links(s, work, threads, t, q);
    carom_threads_run(threads, lose, &c, CAROM_BOND_BLOCKS);
}

double carom_solid_yield_lost(const struct carom_solid *s, const struct carom_solid_work *work, size_t cell)
{
    return work->stretch[CAROM_BOND * s->nlinks + CAROM_YIELD_ROOM * cell];
}

double carom_solid_yield_flow(const struct carom_solid *s, const struct carom_solid_work *work,
                              struct carom_threads *threads, double t, double h, const double *q0, double *q)
{
    struct carom_sum sum = {0.0, 0.0};
    if (!carom_solid_yield_move(s, work, threads, t, h, q0, q))
        return 0.0;
    carom_solid_yield_lose(s, work, threads, t, q);
    for (size_t b = 0; b < carom_solid_batches(s); b++) {
        struct carom_sum part = {0.0, 0.0};
        for (size_t i = b * CAROM_SOLID_BATCH; i < carom_solid_batch_end(s, b); i++)
            carom_sum_add(&part, carom_solid_yield_lost(s, work, i));
        carom_sum_add(&sum, carom_sum_value(&part));
    }
    return carom_sum_value(&sum);
}
