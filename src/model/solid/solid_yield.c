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

#include "base/memory.h"
#include "base/power.h"
#include "base/sum.h"
#include "model/solid/solid_pair.h"

enum { BLOCKS = 64, LINK = 12 }; /* of work; numbers a link leaves: force, both torques, what strains its gap */

struct call {
    const struct carom_solid *s;
    const double *q, *sum;
    double *room, *out;
};

/* --- building -------------------------------------------------------------------------------------------------- */

void carom_solid_yield_free(struct carom_solid_yield *y)
{
    if (!y)
        return;
    carom_memory_free(y->begin);
    carom_memory_free(y->entry);
    carom_memory_free(y);
}

static bool list_links(const struct carom_solid *s, struct carom_solid_yield *y)
{
    y->begin = carom_memory_zeroed(s->n + 2, sizeof *y->begin);
    y->entry = carom_memory_zeroed(2 * s->nlinks, sizeof *y->entry);
    if (!y->begin || !y->entry)
        return false;
    for (size_t l = 0; l < s->nlinks; l++)
        for (size_t side = 0; side < 2; side++)
            y->begin[s->link[l].cell[side] + 2]++;
    for (size_t i = 2; i <= s->n; i++)
        y->begin[i + 1] += y->begin[i];
    for (size_t l = 0; l < s->nlinks; l++)
        for (size_t side = 0; side < 2; side++)
            y->entry[y->begin[s->link[l].cell[side] + 1]++] = (uint32_t)(2 * l + side);
    return true;
}

enum carom_status carom_solid_yield(struct carom_solid *s, const struct carom_solid_plasticity *law,
                                    struct carom_error *error)
{
    if (s->dimension != 3)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "plasticity and viscoelasticity are for bodies in space: give the box three axes");
    const bool flows = law->yield > 0.0 && law->yield<HUGE_VAL, relaxes = law->relaxation> 0.0;
    if (flows == relaxes || !(law->hardening >= 0.0) || !(law->kinematic >= 0.0))
        return carom_error_set(
            error, CAROM_E_INPUT,
            "a body has a positive yield stress, with hardening not negative, or a time of relaxation");
    s->plasticity = *law;
    s->flow = carom_memory_zeroed(1, sizeof *s->flow);
    if (!s->flow || !list_links(s, s->flow))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    return CAROM_OK;
}

size_t carom_solid_yield_room(const struct carom_solid *s)
{
    return LINK * s->nlinks + 12 * s->n;
}

/* --- links ------------------------------------------------------------------------------------------------------ */

/* a link as it stands, in both lanes */
struct bond {
    struct carom_pair_side i, j;
    struct carom_pair_form form;
    struct carom_pair_stiffness stiffness;
    struct carom_pair_stretch stretch;
};

static struct carom_lane3 both(const double x[3])
{
    return (struct carom_lane3){{x[0], x[0]}, {x[1], x[1]}, {x[2], x[2]}};
}

static void times(const double e[6], const double x[3], double scale, double out[3])
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
    times(carom_solid_yield_strain(s, q, cell), apart, share, own);
    carom_quat_turn(turn, own, out);
}

static void load(const struct carom_solid *s, const double *q, size_t number, struct bond *b)
{
    const struct carom_solid_link *l = &s->link[number];
    const struct carom_solid_shape *shape = &s->shape[l->shape];
    const double *q0 = q + 7 * (size_t)l->cell[0], *q1 = q + 7 * (size_t)l->cell[1];
    const double share = s->cut[l->shape].share;
    double own[3], other[3];
    b->i = carom_pair_side_of(q0, q0);
    b->j = carom_pair_side_of(q1, q1);
    b->form = (struct carom_pair_form){
        both(shape->apart), both(shape->arm), {{shape->part[0], shape->part[0]}, {shape->part[1], shape->part[1]}}};
    b->stiffness.stiff = (carom_lane){shape->stiff, shape->stiff};
    for (size_t k = 0; k < 6; k++)
        b->stiffness.bend[k] = (carom_lane){shape->bend[k], shape->bend[k]};
    b->stretch = carom_pair_stretch_of(&b->i, &b->j, &b->form);
    times(carom_solid_yield_strain(s, q, l->cell[0]), shape->apart, share, own);
    times(carom_solid_yield_strain(s, q, l->cell[1]), shape->apart, 1.0 - share, other);
    const struct carom_lane3 d0 = both(own), d1 = both(other);
    struct carom_lane3 flow = carom_lane_add(carom_lane_add(d0, carom_lane_shift(b->i.a, b->i.w, d0)),
                                             carom_lane_add(d1, carom_lane_shift(b->j.a, b->j.w, d1)));
    b->stretch.gap = carom_lane_less(b->stretch.gap, flow);
    b->form.arm = carom_lane_add(b->form.arm, d0);
}

static void block_of(size_t count, size_t block, size_t *first, size_t *last)
{
    *first = count * block / BLOCKS;
    *last = count * (block + 1) / BLOCKS;
}

static void put(double *out, struct carom_lane3 x)
{
    out[0] = x.x[0];
    out[1] = x.y[0];
    out[2] = x.z[0];
}

static void open_links(void *own, size_t block)
{
    const struct call *c = own;
    size_t first, last;
    block_of(c->s->nlinks, block, &first, &last);
    for (size_t l = first; l < last; l++) {
        struct bond b;
        load(c->s, c->q, l, &b);
        c->room[LINK * l] = carom_pair_open(&b.i, &b.j, &b.form, &b.stretch)[0];
    }
}

static void press_cells(void *own, size_t block)
{
    const struct call *c = own;
    const struct carom_solid *s = c->s;
    size_t first, last;
    block_of(s->n, block, &first, &last);
    for (size_t i = first; i < last; i++) {
        const struct carom_solid_sort *sort = carom_solid_sort_of(s, i);
        for (size_t k = s->flow->begin[i]; k < s->flow->begin[i + 1]; k++) {
            const size_t l = s->flow->entry[k] / 2, side = s->flow->entry[k] % 2;
            c->out[i] += s->shape[s->link[l].shape].part[side] * c->room[LINK * l];
        }
        c->out[i] *= sort->share * sort->lambda;
    }
}

void carom_solid_yield_dilate(const struct carom_solid *s, struct carom_threads *threads, const double *q, double *sum,
                              double *room)
{
    struct call c = {.s = s, .q = q, .room = room, .out = sum};
    carom_threads_run(threads, open_links, &c, BLOCKS);
    carom_threads_run(threads, press_cells, &c, BLOCKS);
}

static void pull_links(void *own, size_t block)
{
    const struct call *c = own;
    const struct carom_solid *s = c->s;
    size_t first, last;
    block_of(s->nlinks, block, &first, &last);
    for (size_t l = first; l < last; l++) {
        struct bond b;
        double *out = c->room + LINK * l;
        load(s, c->q, l, &b);
        const carom_lane press =
            b.form.part[0] * c->sum[s->link[l].cell[0]] + b.form.part[1] * c->sum[s->link[l].cell[1]];
        const struct carom_pair_pull pull = carom_pair_pull_of(&b.i, &b.j, &b.form, &b.stiffness, &b.stretch, press);
        const struct carom_lane3 apart = carom_pair_apart(&b.i, &b.j, &b.form);
        put(out, pull.force);
        put(out + 3, pull.on_first);
        put(out + 6, pull.off_second);
        put(out + 9, carom_lane_add(carom_lane_times(b.stiffness.stiff, b.stretch.gap),
                                    carom_lane_times(press * b.stretch.inverse, apart)));
    }
}

static void gather(void *own, size_t block)
{
    const struct call *c = own;
    const struct carom_solid *s = c->s;
    size_t first, last;
    block_of(s->n, block, &first, &last);
    for (size_t i = first; i < last; i++)
        for (size_t k = s->flow->begin[i]; k < s->flow->begin[i + 1]; k++) {
            const double *from = c->room + LINK * (size_t)(s->flow->entry[k] / 2);
            const bool second = s->flow->entry[k] % 2;
            for (size_t a = 0; a < 3; a++) {
                c->out[6 * i + a] += second ? -from[a] : from[a];
                c->out[6 * i + 3 + a] += second ? -from[6 + a] : from[3 + a];
            }
        }
}

void carom_solid_yield_pull(const struct carom_solid *s, struct carom_threads *threads, const double *q,
                            const double *sum, double *room, double *f)
{
    struct call c = {.s = s, .q = q, .sum = sum, .room = room, .out = f};
    carom_threads_run(threads, pull_links, &c, BLOCKS);
    carom_threads_run(threads, gather, &c, BLOCKS);
}

double carom_solid_yield_energy(const struct carom_solid *s, const double *q)
{
    struct carom_sum sum = {0.0, 0.0};
    for (size_t l = 0; l < s->nlinks; l++) {
        struct bond b;
        load(s, q, l, &b);
        const struct carom_lane3 r = carom_pair_relative(&b.i, &b.j);
        carom_sum_add(&sum, (0.5 * b.stiffness.stiff * carom_lane_dot(b.stretch.gap, b.stretch.gap) +
                             2.0 * carom_lane_dot(r, carom_pair_bent(&b.stiffness, r)))[0]);
    }
    return carom_sum_value(&sum);
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
    for (size_t k = s->flow->begin[cell]; k < s->flow->begin[cell + 1]; k++) {
        const size_t l = s->flow->entry[k] / 2, shape = s->link[l].shape;
        const double share = s->flow->entry[k] % 2 ? 1.0 - s->cut[shape].share : s->cut[shape].share;
        double own[3];
        carom_quat_turn_back(turn, room + LINK * l + 9, own);
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

static void work_links(const struct carom_solid *s, const struct carom_solid_work *work, struct carom_threads *threads,
                       double t, const double *q)
{
    memset(work->pressure, 0, s->n * sizeof *work->pressure);
    carom_solid_loads_dilate(s, t, work->pressure);
    carom_solid_yield_dilate(s, threads, q, work->pressure, work->stretch);
    struct call c = {.s = s, .q = q, .sum = work->pressure, .room = work->stretch};
    carom_threads_run(threads, pull_links, &c, BLOCKS);
}

static double dot(const double a[6], const double b[6])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + 2.0 * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/* all cells flow under the stresses there are; is there any? */
static bool flow_cells(const struct carom_solid *s, const struct carom_solid_work *work, double t, double h, double *q)
{
    bool any = false;
    size_t entry = 0;
    for (size_t i = 0; i < s->n; i++) {
        double stress[6];
        slope(s, q, work->stretch, i, stress);
        for (; entry < s->nentries && s->entry[entry].cell == i; entry++)
            add_loads(s, t, q, entry, stress);
        for (int k = 0; k < 6; k++)
            stress[k] /= carom_solid_sort_of(s, i)->volume;
        any |= yield_cell(s, i, stress, h, carom_solid_yield_strain(s, q, i));
    }
    return any;
}

/* strains and slopes as they are, 12 numbers a cell */
static void remember(const struct carom_solid *s, const double *q, const double *room, double *out)
{
    for (size_t i = 0; i < s->n; i++) {
        memcpy(out + 12 * i, carom_solid_yield_strain(s, q, i), 6 * sizeof *out);
        slope(s, q, room, i, out + 12 * i + 6);
    }
}

double carom_solid_yield_flow(const struct carom_solid *s, const struct carom_solid_work *work,
                              struct carom_threads *threads, double t, double h, const double *q0, double *q)
{
    double *before = work->stretch + LINK * s->nlinks;
    struct carom_sum sum = {0.0, 0.0};
    if (q0)
        remember(s, q0, work->stretch, before);
    work_links(s, work, threads, t, q);
    if (!q0)
        remember(s, q, work->stretch, before);
    if (!flow_cells(s, work, t, h, q))
        return 0.0;
    work_links(s, work, threads, t, q);
    for (size_t i = 0; i < s->n; i++) {
        const double *strain = carom_solid_yield_strain(s, q, i);
        double force[6], step[6];
        for (size_t k = 0; k < 6; k++)
            step[k] = strain[k] - before[12 * i + k];
        if (length(step) == 0.0)
            continue;
        slope(s, q, work->stretch, i, force);
        for (size_t k = 0; k < 6; k++)
            force[k] = 0.5 * (force[k] + before[12 * i + 6 + k]);
        carom_sum_add(&sum, dot(force, step));
    }
    return carom_sum_value(&sum);
}
