/* Links that break. A link has a crack in its face, of which a part d is gone (solid_bonds.c): a spring in series with
 * it whose stretch is the opening w of the crack, under the traction t of the link. They follow a straight cohesive law
 *
 *     t <= f (1 - w / w_c),   w_c = 2 G_c / f,
 *
 * go back to the origin where they unload, and a link is broken for good at w_c, having taken G_c for every area of its
 * face, whatever its size (Hillerborg's law; with d as memory). f is the strength, but no more than lets 3 cells or
 * so soften at a time: stronger links would jump, and cracks be held by the cells (BRITTLE below). So with
 * G_c alone f rises with the root of the number of cells, and cracks run at Griffith's G = G_c. With a strength alone a
 * link breaks at once, and what it held is lost.
 *
 * t is the root of the mean square of the tension over the face, that of bending too, and of the shear over `shear`.
 * While cells stand still, t falls by `hard` w: the stiffness of both halves of the link with the dilatations that they
 * are part of. So where a link stands on its law after a step is known at once. The energy that goes is that of the
 * body before less that after, to rounding. */
#include "model/solid/solid_fracture.h"

#include "base/memory.h"
#include "base/sum.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/solid_self.h"

/* Of the traction at which a link holds its whole G_c as elastic energy, so that it would break at once. The zone in
 * which links soften is then about 0.9 E G_c / f^2 long (Hillerborg), 3 cells, and a double cantilever beam breaks at
 * G_c to a few percent. With 0.7 cells hold a crack until twice that much, as in a lattice. */
#define BRITTLE 0.4

/* Tractions come to a link in steps: it goes as far below its law as it was above, and both cancel in its energy. */
#define TWICE 2.0

void carom_solid_fracture_free(struct carom_solid_breaks *b)
{
    if (!b)
        return;
    carom_memory_free_all(b->limit, b->hard, b->cracked, b);
}

/* --- building --------------------------------------------------------------------------------------------------- */

/* what is 1 / share of a cell over lambda but for a part of one of its links */
static double share_beside(const struct carom_solid *s, size_t cell, double share, double freed)
{
    return share / (1.0 - share * carom_solid_sort_of(s, cell)->lambda * freed);
}

/* traction that an opening of 1 takes away while cells stand still, with these shares of its cells */
static double hardness(const struct carom_solid *s, size_t link, const double share[2])
{
    const struct carom_solid_shape *shape = &s->shape[s->link[link].shape];
    const double area = s->cut[s->link[link].shape].area;
    double soft = 0.0;
    for (size_t side = 0; side < 2; side++) {
        const double part = shape->part[side] / area, lambda = carom_solid_sort_of(s, s->link[link].cell[side])->lambda;
        soft += part / (shape->stiff + part * lambda * share[side] * area * area);
    }
    return 1.0 / (area * soft);
}

/* is the centre of its face in the box, or on its border? */
static bool is_inside(const struct carom_solid *s, size_t link, double (*box)[3])
{
    const struct carom_solid_shape *shape = &s->shape[s->link[link].shape];
    const double slack = 1e-9 * carom_vec_norm(shape->apart);
    for (int k = 0; box && k < s->dimension; k++) {
        const double face = s->centre[s->link[link].cell[0]][k] + shape->arm[k];
        if (!(face >= box[0][k] - slack) || !(face <= box[1][k] + slack))
            return false;
    }
    return true;
}

static void ready(const struct carom_solid *s, double (*box)[3], struct carom_solid_breaks *b)
{
    const struct carom_solid_fracture *law = &s->fracture;
    for (size_t l = 0; l < s->nlinks; l++) {
        const uint32_t *cell = s->link[l].cell;
        const double share[2] = {carom_solid_sort_of(s, cell[0])->share, carom_solid_sort_of(s, cell[1])->share};
        b->hard[l] = hardness(s, l, share);
        b->limit[l] = law->energy > 0.0 ? BRITTLE * sqrt(2.0 * law->energy * b->hard[l]) : HUGE_VAL;
        if (law->strength > 0.0)
            b->limit[l] = fmin(b->limit[l], law->strength);
        if (!is_inside(s, l, box))
            b->limit[l] = HUGE_VAL;
    }
}

enum carom_status carom_solid_fracture(struct carom_solid *s, const struct carom_solid_fracture *law, double (*box)[3],
                                       struct carom_error *error)
{
    if (!s || !law)
        return carom_error_missing(error);
    const bool strength =
        law->strength > 0.0 && law->strength<HUGE_VAL, energy = law->energy> 0.0 && law->energy < HUGE_VAL;
    if ((!strength && law->strength != 0.0) || (!energy && law->energy != 0.0) || (!strength && !energy) ||
        !(law->shear > 0.0))
        return carom_error_set(error, CAROM_E_INPUT,
                               "links break beyond a positive strength, a positive energy, or both, with a positive "
                               "ratio of shear");
    if (s->flow)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "fracture is for elastic bodies: leave out plasticity and viscoelasticity");
    if (s->damping_stiffness > 0.0)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "damping by stiffness would hold what has broken: give damping: {mass: ...} instead");
    s->fracture = *law;
    struct carom_solid_breaks *b = s->breaks = carom_memory_zeroed(1, sizeof *b);
    if (b) {
        b->limit = carom_memory_zeroed(s->nlinks, sizeof *b->limit);
        b->hard = carom_memory_zeroed(s->nlinks, sizeof *b->hard);
        b->cracked = carom_memory_zeroed(s->nlinks, sizeof *b->cracked);
    }
    if (!b || !b->limit || !b->hard || !b->cracked || !carom_solid_bonds_ready(s))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a solid");
    ready(s, box, b);
    return CAROM_OK;
}

size_t carom_solid_fracture_crack(struct carom_solid *s, const double at[3], const double normal[3], double (*box)[3])
{
    if (!s)
        return 0;
    size_t met = 0;
    for (size_t l = 0; l < s->nlinks; l++) {
        const struct carom_solid_link *link = &s->link[l];
        const double slack = 1e-9 * carom_vec_norm(s->shape[link->shape].apart) * carom_vec_norm(normal);
        double side[2] = {slack, slack}; /* centres on the plane are all on one side of it */
        for (int k = 0; k < s->dimension; k++)
            for (size_t end = 0; end < 2; end++)
                side[end] += normal[k] * (s->centre[link->cell[end]][k] - at[k]);
        if (!is_inside(s, l, box) || (side[0] < 0.0) == (side[1] < 0.0))
            continue;
        s->breaks->cracked[l] = 1;
        met++;
    }
    return met;
}

double carom_solid_fracture_weakest(const struct carom_solid *s)
{
    double weakest = HUGE_VAL;
    for (size_t l = 0; l < s->nlinks; l++)
        weakest = fmin(weakest, s->breaks->limit[l]);
    return weakest;
}

/* what a link bears falls with the root of its length */
double carom_solid_fracture_size(const struct carom_solid *s)
{
    double size = HUGE_VAL;
    for (size_t l = 0; l < s->nlinks; l++) {
        const double part = BRITTLE * BRITTLE * 2.0 * s->fracture.energy * s->breaks->hard[l];
        size = fmin(size, part / (s->fracture.strength * s->fracture.strength) *
                              carom_vec_norm(s->shape[s->link[l].shape].apart));
    }
    return size;
}

double carom_solid_fracture_opening(const struct carom_solid *s)
{
    double opening = HUGE_VAL;
    for (size_t l = 0; s->breaks && l < s->nlinks; l++)
        if (s->breaks->limit[l] < HUGE_VAL)
            opening = fmin(opening, 2.0 * s->fracture.energy / s->breaks->limit[l]);
    return opening < HUGE_VAL ? opening : 0.0;
}

double carom_solid_fracture_area(const struct carom_solid *s, const double *q)
{
    struct carom_sum sum = {0.0, 0.0};
    for (size_t l = 0; s->breaks && l < s->nlinks; l++)
        if (carom_solid_fracture_damage(s, q)[l] == 1.0)
            carom_sum_add(&sum, s->cut[s->link[l].shape].area);
    return carom_sum_value(&sum);
}

double carom_solid_fracture_of(const struct carom_solid *s, const double *q, size_t cell)
{
    double gone = 0.0, all = 0.0;
    for (size_t k = s->bonds->begin[cell]; k < s->bonds->begin[cell + 1]; k++) {
        const size_t l = s->bonds->entry[k] / 2;
        gone += carom_solid_fracture_damage(s, q)[l] * s->cut[s->link[l].shape].area;
        all += s->cut[s->link[l].shape].area;
    }
    return all > 0.0 ? gone / all : 0.0;
}

/* --- breaking ---------------------------------------------------------------------------------------------------- */

struct call {
    const struct carom_solid *s;
    const double *q;
    double *room;
    struct carom_solid_list list;                            /* of links; NULL: all */
    bool any[CAROM_BOND_BLOCKS], through[CAROM_BOND_BLOCKS]; /* does a link go on breaking; is one broken? */
};

/* the traction of a link as if it were whole */
static double traction(const struct carom_solid *s, size_t link, const double *room)
{
    const struct carom_solid_shape *shape = &s->shape[s->link[link].shape];
    const double area = s->cut[s->link[link].shape].area, hard = s->breaks->hard[link];
    const double along = room[CAROM_BOND_ALONG] / area, across = fmax(room[CAROM_BOND_ACROSS], 0.0) / (area * area);
    const double bend = 2.0 * hard * room[CAROM_BOND_BENT] / area, shear = s->fracture.shear * s->fracture.shear;
    /* a face that is pressed opens at its edge alone, if bending is more */
    const double pulled = along >= 0.0 ? along * along + bend : fmax(sqrt(bend) + along, 0.0);
    const double tension = along >= 0.0 ? pulled : pulled * pulled;
    /* with an energy alone shear counts by its energy */
    const double weight = s->fracture.strength > 0.0 ? 1.0 : hard * area / shape->stiff;
    return sqrt(tension + weight * across / shear);
}

/* hard as it is now, the crack of the link itself left out */
static double hard_now(const struct carom_solid *s, const double *q, size_t link)
{
    const double gone = carom_solid_fracture_damage(s, q)[link];
    double share[2];
    for (size_t side = 0; side < 2; side++) {
        const size_t cell = s->link[link].cell[side];
        share[side] = share_beside(s, cell, carom_solid_bonds_share(s, q, cell),
                                   gone * carom_solid_fracture_frees(s, link, side));
    }
    return hardness(s, link, share);
}

/* how much of a link is gone after this traction, that of the whole link */
static double go(const struct carom_solid *s, const double *q, size_t link, double whole)
{
    const double gone = carom_solid_fracture_damage(s, q)[link], limit = s->breaks->limit[link];
    const double soft = s->cut[s->link[link].shape].area / s->shape[s->link[link].shape].stiff;
    if (!(s->fracture.energy > 0.0))
        return whole > limit ? 1.0 : gone;
    const double slope = 0.5 * limit * limit / s->fracture.energy, t = (1.0 - gone) * whole, w = gone * whole * soft;
    const double beyond = t + slope * w - limit;
    if (gone == 1.0 || !(beyond > 0.0))
        return gone;
    const double hard = hard_now(s, q, link), open = w + TWICE * beyond / (hard - slope), left = t - hard * (open - w);
    return hard > slope && left > 0.0 ? fmax(gone, open / (left * soft + open)) : 1.0;
}

static void look(void *own, size_t block)
{
    struct call *c = own;
    size_t first, last;
    carom_solid_bonds_block(c->list.count, block, &first, &last);
    for (size_t at = first; at < last; at++) {
        const size_t l = c->list.at ? c->list.at[at] : at;
        double *room = c->room + CAROM_BOND * l;
        room[CAROM_BOND_OPEN] = go(c->s, c->q, l, traction(c->s, l, room));
        const bool breaks = room[CAROM_BOND_OPEN] != carom_solid_fracture_damage(c->s, c->q)[l];
        c->any[block] |= breaks;
        c->through[block] |= breaks && room[CAROM_BOND_OPEN] == 1.0;
    }
}

static bool look_all(struct call *c, const struct carom_solid_some *some, struct carom_threads *threads)
{
    bool any = false;
    c->list = some ? some->own_links : (struct carom_solid_list){NULL, c->s->nlinks};
    carom_threads_run(threads, look, c, CAROM_BOND_BLOCKS);
    for (size_t b = 0; b < CAROM_BOND_BLOCKS; b++)
        any |= c->any[b];
    return any;
}

bool carom_solid_fracture_look(const struct carom_solid *s, const struct carom_solid_work *work,
                               struct carom_threads *threads, const double *q)
{
    struct call c = {.s = s, .q = q, .room = work->stretch};
    return look_all(&c, work->some, threads);
}

double carom_solid_fracture_pressed(const struct carom_solid *s, double t, const double *q, const double *pressure)
{
    struct carom_sum sum = {carom_solid_loads_energy(s, t, pressure), 0.0};
    for (size_t i = 0; i < s->n; i++)
        if (pressure[i] != 0.0)
            carom_sum_add(&sum, 0.5 * pressure[i] * pressure[i] /
                                    (carom_solid_sort_of(s, i)->lambda * carom_solid_bonds_share(s, q, i)));
    return carom_sum_value(&sum);
}

bool carom_solid_fracture_break(const struct carom_solid *s, const struct carom_solid_work *work,
                                struct carom_threads *threads, double t, double *q, double *f, double *lost)
{
    struct call c = {.s = s, .q = q, .room = work->stretch};
    double *damage = carom_solid_fracture_damage(s, q);
    bool through = false;
    if (!look_all(&c, NULL, threads))
        return false;
    for (size_t b = 0; b < CAROM_BOND_BLOCKS; b++)
        through |= c.through[b] && s->self; /* more faces can be met */
    struct carom_sum sum = {carom_solid_fracture_pressed(s, t, q, work->pressure), 0.0};
    if (through)
        carom_sum_add(&sum, carom_solid_self_energy(s, work->around, q));
    for (size_t l = 0; l < s->nlinks; l++) {
        const double gone = work->stretch[CAROM_BOND * l + CAROM_BOND_OPEN];
        if (gone == damage[l])
            continue;
        carom_sum_add(&sum, carom_solid_bonds_held(s, q, l, gone));
        damage[l] = gone;
    }
    carom_solid_forces(s, work, threads, t, q, f);
    carom_sum_add(&sum, -carom_solid_fracture_pressed(s, t, q, work->pressure));
    if (through)
        carom_sum_add(&sum, -carom_solid_self_energy(s, work->around, q));
    *lost = carom_sum_value(&sum);
    return true;
}
