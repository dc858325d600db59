/* Forces and energy link by link from the records, two links at a time; what each leaves is then gathered cell by cell
 * in the order of its links, so that threads change no bit. Plane bodies are bodies in space that stay in z = 0.
 *
 * A link of which a part d is gone has (1 - d) of its stiffness and of what it adds to dilatations, and its face is
 * free by that part: 1 / share grows by lambda d S S alpha / k. That is the stiffness of a whole link in series with a
 * spring k (1 - d) / d in its face, whose stretch is the opening of the crack; it is the same U of q whatever d, so
 * momenta are kept. Faces that close push back with d k; where cells of the body meet each other (solid_self.c), with
 * d of what they will when the link is broken, bent faces too: nothing jumps where the one becomes the other. */
#include "model/solid/solid_bonds.h"

#include "base/memory.h"
#include "base/sum.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_pair.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_yield.h"

struct call {
    const struct carom_solid *s;
    const double *q, *sum;
    double *room, *out;
    struct carom_solid_list list; /* of links or cells; NULL: all of so many */
};

static size_t number_of(const struct call *c, size_t k)
{
    return c->list.at ? c->list.at[k] : k;
}

static struct carom_solid_list all(size_t count)
{
    return (struct carom_solid_list){NULL, count};
}

/* --- links by cells ----------------------------------------------------------------------------------------------- */

void carom_solid_bonds_free(struct carom_solid_bonds *b)
{
    if (!b)
        return;
    carom_memory_free_all(b->begin, b->entry, b);
}

bool carom_solid_bonds_ready(struct carom_solid *s)
{
    struct carom_solid_bonds *b = s->bonds ? s->bonds : carom_memory_zeroed(1, sizeof *b);
    if (b == s->bonds)
        return b != NULL;
    s->bonds = b;
    b->begin = carom_memory_zeroed(s->n + 2, sizeof *b->begin);
    b->entry = carom_memory_zeroed(2 * s->nlinks, sizeof *b->entry);
    if (!b->begin || !b->entry)
        return false;
    for (size_t l = 0; l < s->nlinks; l++)
        for (size_t side = 0; side < 2; side++)
            b->begin[s->link[l].cell[side] + 2]++;
    for (size_t i = 2; i <= s->n; i++)
        b->begin[i + 1] += b->begin[i];
    for (size_t l = 0; l < s->nlinks; l++)
        for (size_t side = 0; side < 2; side++)
            b->entry[b->begin[s->link[l].cell[side] + 1]++] = (uint32_t)(2 * l + side);
    return true;
}

size_t carom_solid_bonds_room(const struct carom_solid *s)
{
    return CAROM_BOND * s->nlinks + (s->flow ? CAROM_YIELD_ROOM * s->n : 0);
}

/* --- links ------------------------------------------------------------------------------------------------------ */

/* two links as they stand */
struct bond {
    struct carom_pair_side i, j;
    struct carom_pair_form form;
    struct carom_pair_stiffness stiffness;
    struct carom_pair_stretch stretch;
    carom_lane open;
};

static carom_lane lanes(double a, double b)
{
    return (carom_lane){a, b};
}

static struct carom_lane3 both(const double a[3], const double b[3])
{
    return (struct carom_lane3){lanes(a[0], b[0]), lanes(a[1], b[1]), lanes(a[2], b[2])};
}

static struct carom_pair_side side_of(const struct carom_solid *s, const double *q, size_t a, size_t b)
{
    const double *x = q + s->wide * a, *y = q + s->wide * b;
    if (s->dimension == 3)
        return carom_pair_side_of((const double *const[]){x, y});
    const double planar[2][7] = {{x[0], x[1], 0.0, x[2], 0.0, 0.0, x[3]}, {y[0], y[1], 0.0, y[2], 0.0, 0.0, y[3]}};
    return carom_pair_side_of((const double *const[]){planar[0], planar[1]});
}

static void bend(const struct carom_solid *s, const struct carom_solid_shape *a, const struct carom_solid_shape *b,
                 carom_lane out[6])
{
    for (size_t k = 0; k < 6; k++)
        out[k] = s->dimension == 3 ? lanes(a->bend[k], b->bend[k]) : lanes(0.0, 0.0);
    if (s->dimension == 2)
        out[2] = lanes(a->bend[0], b->bend[0]);
}

/* gaps that plastic strains of both cells open */
static void flow(const struct carom_solid *s, const double *q, const size_t number[2], struct bond *b)
{
    double own[2][3], other[2][3];
    for (size_t k = 0; k < 2; k++) {
        const struct carom_solid_link *l = &s->link[number[k]];
        const double *apart = s->shape[l->shape].apart, share = s->cut[l->shape].share;
        carom_solid_yield_times(carom_solid_yield_strain(s, q, l->cell[0]), apart, share, own[k]);
        carom_solid_yield_times(carom_solid_yield_strain(s, q, l->cell[1]), apart, 1.0 - share, other[k]);
    }
    const struct carom_lane3 d0 = both(own[0], own[1]), d1 = both(other[0], other[1]);
    struct carom_lane3 opens = carom_lane_add(carom_lane_add(d0, carom_lane_shift(b->i.a, b->i.w, d0)),
                                              carom_lane_add(d1, carom_lane_shift(b->j.a, b->j.w, d1)));
    b->stretch.gap = carom_lane_less(b->stretch.gap, opens);
    b->form.arm = carom_lane_add(b->form.arm, d0);
}

static void load(const struct carom_solid *s, const double *q, const size_t number[2], struct bond *b)
{
    const struct carom_solid_link *l0 = &s->link[number[0]], *l1 = &s->link[number[1]];
    const struct carom_solid_shape *s0 = &s->shape[l0->shape], *s1 = &s->shape[l1->shape];
    b->i = side_of(s, q, l0->cell[0], l1->cell[0]);
    b->j = side_of(s, q, l0->cell[1], l1->cell[1]);
    b->form = (struct carom_pair_form){both(s0->apart, s1->apart),
                                       both(s0->arm, s1->arm),
                                       {lanes(s0->part[0], s1->part[0]), lanes(s0->part[1], s1->part[1])}};
    b->stiffness.stiff = lanes(s0->stiff, s1->stiff);
    bend(s, s0, s1, b->stiffness.bend);
    b->stretch = carom_pair_stretch_of(&b->i, &b->j, &b->form);
    if (s->flow)
        flow(s, q, number, b);
    b->open = carom_pair_open(&b->i, &b->j, &b->form, &b->stretch);
}

/* What a link that is `open` by so much has beside its linear law: its force along the link, and (energy) its energy.
 * Halves of two materials are in series. */
static double beyond(const struct carom_solid *s, size_t number, double open, bool energy)
{
    const struct carom_solid_link *l = &s->link[number];
    const struct carom_solid_cut *cut = &s->cut[l->shape];
    const double length = carom_vec_norm(s->shape[l->shape].apart), e = open / length;
    const double young = 1.0 / (cut->share / s->material[cut->material[0]].young +
                                (1.0 - cut->share) / s->material[cut->material[1]].young);
    const double a = s->nonlinear.quadratic, b = s->nonlinear.cubic;
    return energy ? cut->area * young * length * (a / 3.0 + b / 4.0 * e) * e * e * e
                  : cut->area * young * (a + b * e) * e * e;
}

static bool is_nonlinear(const struct carom_solid *s)
{
    return s->nonlinear.quadratic != 0.0 || s->nonlinear.cubic != 0.0;
}

/* two links of [first, last), or the last one twice */
static void pick(const struct call *c, size_t l, size_t last, size_t number[2])
{
    number[0] = number_of(c, l);
    number[1] = number_of(c, l + 1 < last ? l + 1 : l);
}

static carom_lane gone(const struct carom_solid *s, const double *q, const size_t number[2])
{
    return lanes(carom_solid_fracture_damage(s, q)[number[0]], carom_solid_fracture_damage(s, q)[number[1]]);
}

static carom_lane bent(const struct bond *b)
{
    const struct carom_lane3 r = carom_pair_relative(&b->i, &b->j);
    return 2.0 * carom_lane_dot(r, carom_pair_bent(&b->stiffness, r));
}

static carom_lane energy(const struct bond *b)
{
    return 0.5 * b->stiffness.stiff * carom_lane_dot(b->stretch.gap, b->stretch.gap) + bent(b);
}

/* of faces that close, as if nothing else held them */
static double pressed(const struct carom_solid *s, const double *q, size_t link, const struct bond *b)
{
    double pull[9];
    const double closed = fmax(-b->open[0], 0.0);
    return s->self ? carom_solid_self_closed(s, q, link, pull) : 0.5 * b->stiffness.stiff[0] * closed * closed;
}

/* what the faces of a link push that is breaking, where cells meet each other; those of broken links do so with all */
static void push_faces(const struct call *c, size_t link, double out[9])
{
    const double lost = carom_solid_fracture_damage(c->s, c->q)[link];
    double pull[9];
    if (!(lost > 0.0) || lost == 1.0)
        return;
    carom_solid_self_closed(c->s, c->q, link, pull);
    for (size_t k = 0; k < 9; k++)
        out[k] += lost * pull[k];
}

static void open_links(void *own, size_t block)
{
    const struct call *c = own;
    size_t first, last, number[2];
    carom_solid_bonds_block(c->list.count, block, &first, &last);
    for (size_t l = first; l < last; l += CAROM_LANES) {
        struct bond b;
        pick(c, l, last, number);
        load(c->s, c->q, number, &b);
        const carom_lane open = c->s->breaks ? (1.0 - gone(c->s, c->q, number)) * b.open : b.open;
        for (size_t k = 0; k < CAROM_LANES; k++)
            c->room[CAROM_BOND * number[k] + CAROM_BOND_OPEN] = open[k];
    }
}

double carom_solid_bonds_share(const struct carom_solid *s, const double *q, size_t cell)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    double freed = 0.0;
    for (size_t k = s->bonds->begin[cell]; s->breaks && k < s->bonds->begin[cell + 1]; k++) {
        const size_t l = s->bonds->entry[k] / 2, side = s->bonds->entry[k] % 2;
        const double gone = carom_solid_fracture_damage(s, q)[l];
        freed += gone > 0.0 ? gone * carom_solid_fracture_frees(s, l, side) : 0.0;
    }
    return freed > 0.0 ? sort->share / (1.0 + sort->share * sort->lambda * freed) : sort->share;
}

static void press_cells(void *own, size_t block)
{
    const struct call *c = own;
    const struct carom_solid *s = c->s;
    size_t first, last;
    carom_solid_bonds_block(c->list.count, block, &first, &last);
    for (size_t at = first; at < last; at++) {
        const size_t i = number_of(c, at);
        for (size_t k = s->bonds->begin[i]; k < s->bonds->begin[i + 1]; k++) {
            const size_t l = s->bonds->entry[k] / 2, side = s->bonds->entry[k] % 2;
            c->out[i] += s->shape[s->link[l].shape].part[side] * c->room[CAROM_BOND * l + CAROM_BOND_OPEN];
        }
        c->out[i] *= carom_solid_bonds_share(s, c->q, i) * carom_solid_sort_of(s, i)->lambda;
    }
}

void carom_solid_bonds_dilate(const struct carom_solid *s, const struct carom_solid_some *some,
                              struct carom_threads *threads, const double *q, double *sum, double *room)
{
    struct call c = {.s = s, .q = q, .room = room, .out = sum, .list = some ? some->near_links : all(s->nlinks)};
    carom_threads_run(threads, open_links, &c, CAROM_BOND_BLOCKS);
    c.list = some ? some->near_cells : all(s->n);
    carom_threads_run(threads, press_cells, &c, CAROM_BOND_BLOCKS);
}

static void put(double *out, struct carom_lane3 x, size_t k)
{
    out[0] = x.x[k];
    out[1] = x.y[k];
    out[2] = x.z[k];
}

/* what is left of links that break; how they are strained as if they were whole goes to `out` */
static void weaken(const struct call *c, const size_t number[2], struct bond *b, carom_lane *press)
{
    const carom_lane lost = gone(c->s, c->q, number), whole = 1.0 - lost, stiff = b->stiffness.stiff;
    const carom_lane along = stiff * b->open + *press;
    const carom_lane across = stiff * stiff * (carom_lane_dot(b->stretch.gap, b->stretch.gap) - b->open * b->open);
    const carom_lane flexed = bent(b);
    for (size_t k = 0; k < CAROM_LANES; k++) {
        double *out = c->room + CAROM_BOND * number[k];
        out[CAROM_BOND_ALONG] = along[k];
        out[CAROM_BOND_ACROSS] = across[k];
        out[CAROM_BOND_BENT] = flexed[k];
    }
    *press *= whole;
    if (!c->s->self)
        *press -= lost * stiff * carom_lane_positive(-b->open);
    b->stiffness.stiff = whole * stiff;
    for (size_t k = 0; k < 6; k++)
        b->stiffness.bend[k] = whole * b->stiffness.bend[k];
}

static void pull_links(void *own, size_t block)
{
    const struct call *c = own;
    const struct carom_solid *s = c->s;
    size_t first, last, number[2];
    carom_solid_bonds_block(c->list.count, block, &first, &last);
    for (size_t l = first; l < last; l += CAROM_LANES) {
        struct bond b;
        pick(c, l, last, number);
        load(s, c->q, number, &b);
        const uint32_t *c0 = s->link[number[0]].cell, *c1 = s->link[number[1]].cell;
        carom_lane press =
            b.form.part[0] * lanes(c->sum[c0[0]], c->sum[c1[0]]) + b.form.part[1] * lanes(c->sum[c0[1]], c->sum[c1[1]]);
        if (is_nonlinear(s))
            press += lanes(beyond(s, number[0], b.open[0], false), beyond(s, number[1], b.open[1], false));
        if (s->breaks)
            weaken(c, number, &b, &press);
        const struct carom_pair_pull pull = carom_pair_pull_of(&b.i, &b.j, &b.form, &b.stiffness, &b.stretch, press);
        const struct carom_lane3 apart = carom_pair_apart(&b.i, &b.j, &b.form);
        const struct carom_lane3 grip = carom_lane_add(carom_lane_times(b.stiffness.stiff, b.stretch.gap),
                                                       carom_lane_times(press * b.stretch.inverse, apart));
        for (size_t k = 0; k < CAROM_LANES; k++) {
            double *out = c->room + CAROM_BOND * number[k];
            put(out, pull.force, k);
            put(out + 3, pull.on_first, k);
            put(out + 6, pull.off_second, k);
            if (s->breaks && s->self)
                push_faces(c, number[k], out);
            if (s->flow)
                put(out + CAROM_BOND_GRIP, grip, k);
        }
    }
}

static void gather(void *own, size_t block)
{
    const struct call *c = own;
    const struct carom_solid *s = c->s;
    const bool space = s->dimension == 3;
    size_t first, last;
    carom_solid_bonds_block(c->list.count, block, &first, &last);
    for (size_t at = first; at < last; at++)
        for (size_t i = number_of(c, at), k = s->bonds->begin[i]; k < s->bonds->begin[i + 1]; k++) {
            const double *from = c->room + CAROM_BOND * (size_t)(s->bonds->entry[k] / 2);
            const bool second = s->bonds->entry[k] % 2;
            double *f = c->out + s->fast * i;
            for (size_t a = 0; a < (space ? 3 : 2); a++)
                f[a] += second ? -from[a] : from[a];
            for (size_t a = space ? 0 : 2; a < 3; a++)
                f[space ? 3 + a : 2] += second ? -from[6 + a] : from[3 + a];
        }
}

void carom_solid_bonds_links(const struct carom_solid *s, const struct carom_solid_some *some,
                             struct carom_threads *threads, const double *q, const double *sum, double *room)
{
    struct call c = {.s = s, .q = q, .sum = sum, .room = room, .list = some ? some->own_links : all(s->nlinks)};
    carom_threads_run(threads, pull_links, &c, CAROM_BOND_BLOCKS);
}

void carom_solid_bonds_pull(const struct carom_solid *s, const struct carom_solid_some *some,
                            struct carom_threads *threads, const double *q, const double *sum, double *room, double *f)
{
    struct call c = {.s = s, .room = room, .out = f, .list = some ? some->own_cells : all(s->n)};
    carom_solid_bonds_links(s, some, threads, q, sum, room);
    carom_threads_run(threads, gather, &c, CAROM_BOND_BLOCKS);
}

void carom_solid_bonds_energy(const void *own, size_t first, size_t last, struct carom_sum *sum)
{
    const struct carom_solid_call *call = own;
    const struct carom_solid *s = call->solid;
    const double *q = call->q;
    for (size_t l = first; l < last; l++) {
        const double lost = s->breaks ? carom_solid_fracture_damage(s, q)[l] : 0.0;
        struct bond b;
        load(s, q, (size_t[2]){l, l}, &b);
        if (is_nonlinear(s))
            carom_sum_add(sum, beyond(s, l, b.open[0], true));
        carom_sum_add(sum, (1.0 - lost) * energy(&b)[0]);
        if (lost > 0.0 && !(s->self && lost == 1.0))
            carom_sum_add(sum, lost * pressed(s, q, l, &b));
    }
}

double carom_solid_bonds_held(const struct carom_solid *s, const double *q, size_t link, double gone)
{
    const double was = carom_solid_fracture_damage(s, q)[link];
    struct bond b;
    load(s, q, (size_t[2]){link, link}, &b);
    if (s->self && gone == 1.0) /* closed faces become those of others */
        return (gone - was) * energy(&b)[0] + was * pressed(s, q, link, &b);
    return (gone - was) * (energy(&b)[0] - pressed(s, q, link, &b));
}

double carom_solid_bonds_beyond(const struct carom_solid *s, size_t link, double open)
{
    return is_nonlinear(s) ? beyond(s, link, open, false) : 0.0;
}

enum carom_status carom_solid_bonds_nonlinear(struct carom_solid *s, const struct carom_solid_nonlinear *law,
                                              struct carom_error *error)
{
    if (!s || !law)
        return carom_error_missing(error);
    if (!isfinite(law->quadratic) || !isfinite(law->cubic))
        return carom_error_set(error, CAROM_E_INPUT, "the numbers of a nonlinear law are finite");
    if (s->flow || s->breaks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "nonlinear links are for elastic bodies: leave out fracture, plasticity and "
                               "viscoelasticity");
    s->nonlinear = *law;
    return carom_solid_bonds_ready(s) ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
}
