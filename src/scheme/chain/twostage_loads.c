/* Loads of two-stage steps: coefficients, drives at the stages, works. */
#include "scheme/chain/twostage_loads.h"

#include "base/memory.h"
#include "base/sum.h"
#include "solve/cubic.h"

static const double gauss[2] = {0.21132486540518711775, 0.78867513459481288225};

void carom_twostage_loads_free(struct carom_twostage_loads *l)
{
    if (!l)
        return;
    for (int i = 0; i < 2; i++) {
        carom_memory_free_all(l->force[i], l->speed[i]);
    }
    carom_memory_free_all(l->lead, l);
}

struct carom_twostage_loads *carom_twostage_loads_create(const struct carom_beads *beads)
{
    struct carom_twostage_loads *l = carom_memory_zeroed(1, sizeof *l);
    bool all = l != NULL;
    for (int i = 0; all && i < 2; i++) {
        l->force[i] = carom_memory_zeroed(beads->n, sizeof(double));
        l->speed[i] = carom_memory_zeroed(beads->n, sizeof(double));
        all = l->force[i] && l->speed[i];
    }
    if (all)
        all = (l->lead = carom_memory_zeroed(beads->ndrives, sizeof *l->lead)) != NULL;
    if (all)
        return l;
    carom_twostage_loads_free(l);
    return NULL;
}

/* h^2 times the double integral up to c of the line through values at the Gauss nodes */
static struct carom_pair doubly(double h, double c)
{
    const double square = 0.5 * c * c, cube = c * c * c / 6.0, part = h * h / (gauss[1] - gauss[0]);
    return (struct carom_pair){part * (gauss[1] * square - cube), part * (cube - gauss[0] * square)};
}

/* A drive at t + c h. Nodes of tailored tableaux may lie outside the step, where the signal may have broken: there the
 * cubic through both ends of the step goes on. */
static struct carom_motion lead(const struct carom_twostage_loads *l, const struct carom_drive *drive, double c)
{
    if (c >= 0.0 && c <= 1.0)
        return carom_loads_motion(drive, fmin(l->start + c * l->h, l->end));
    const struct carom_motion a = carom_loads_motion(drive, l->start), b = carom_loads_motion(drive, l->end);
    const struct carom_cubic way = {{a.place, b.place}, {l->h * a.rate, l->h * b.rate}};
    return (struct carom_motion){carom_cubic_at(&way, c), carom_cubic_slope(&way, c) / l->h};
}

void carom_twostage_loads_begin(struct carom_twostage_loads *l, struct carom_chain *chain, double t, double h,
                                double t_stop, double c1, double c2)
{
    const struct carom_beads *b = chain->beads;
    l->start = t;
    l->h = h;
    l->end = fmin(t + h, carom_loads_before(t_stop));
    const struct carom_pair first = doubly(h, c1), second = doubly(h, c2);
    l->to_z = (struct carom_block){first.a, first.b, second.a, second.b};
    l->to_x = doubly(h, 1.0);
    for (int i = 0; i < 2; i++) {
        l->node[i] = fmin(t + gauss[i] * h, l->end);
        carom_loads_fill(b, l->node[i], l->filled, l->force[i]);
    }
    l->filled = true;
    for (size_t k = 0; k < b->ndrives; k++) {
        l->lead[k][0] = lead(l, &b->drive[k], c1);
        l->lead[k][1] = lead(l, &b->drive[k], c2);
    }
    l->late = *chain;
    carom_chain_clock(chain, t);
    carom_chain_clock(&l->late, l->end);
}

static struct carom_motion find(const struct carom_twostage_loads *l, const struct carom_chain *chain, int32_t which,
                                int stage)
{
    for (size_t k = 0; k < chain->beads->ndrives; k++)
        if (chain->beads->drive[k].which == which)
            return l->lead[k][stage];
    return (struct carom_motion){0.0, 0.0};
}

struct carom_motion carom_twostage_loads_wall(const struct carom_twostage_loads *l, const struct carom_chain *chain,
                                              int32_t wall, int stage)
{
    return find(l, chain, wall, stage);
}

struct carom_motion carom_twostage_loads_bead(const struct carom_twostage_loads *l, const struct carom_chain *chain,
                                              size_t bead, int stage)
{
    return find(l, chain, (int32_t)bead, stage);
}

/* --- works ------------------------------------------------------------------------------------------------------ */

/* Displacement of something at a Gauss node from both ends; the cubic's rate there misses by what adds up to 0. */
struct span {
    double x0, v0, x1, v1;
};

static struct carom_motion at_node(const struct carom_twostage_loads *l, const struct span *s, int i)
{
    const struct carom_cubic way = {{s->x0, s->x1}, {l->h * s->v0, l->h * s->v1}};
    return (struct carom_motion){carom_cubic_at(&way, gauss[i]), carom_cubic_slope(&way, gauss[i]) / l->h};
}

/* bead or wall on one side of a contact */
static struct span side(const struct carom_twostage_loads *l, const struct carom_chain *chain, int32_t which,
                        const struct carom_state *from, const struct carom_state *to)
{
    if (which < 0) {
        const int w = which == CAROM_WALL_LEFT ? 0 : 1;
        return (struct span){chain->wall[w].place, chain->wall[w].rate, l->late.wall[w].place, l->late.wall[w].rate};
    }
    return (struct span){from->q[which], l->speed[0][which], to->q[which], l->speed[1][which]};
}

/* Work at contact j of a drive that moves it like `own`. Near touch the damper's force begins like a square root: what
 * its impulse is beyond the sum over the nodes counts with the drive's rate at the shallower end. */
static double contact_work(const struct carom_twostage_loads *l, const struct carom_model *model,
                           const struct carom_chain *chain, size_t j, const struct span *own,
                           const struct carom_state *from, const struct carom_state *to)
{
    const struct span a = side(l, chain, model->pair[j][0], from, to), b = side(l, chain, model->pair[j][1], from, to);
    const double d0 = a.x0 - b.x0 - model->gap[j], d1 = a.x1 - b.x1 - model->gap[j];
    double sum = 0.0, impulse = 0.0, viscous[2];
    for (int i = 0; i < 2; i++) {
        const struct carom_motion left = at_node(l, &a, i), right = at_node(l, &b, i), mine = at_node(l, own, i);
        const double deform = left.place - right.place - model->gap[j], rate = left.rate - right.rate;
        double elastic, drag;
        const struct carom_response want = {.elastic = &elastic, .drag = &drag};
        carom_contacts_evaluate(model, j, j + 1, &deform, NULL, NULL, &want);
        sum += 0.5 * l->h * mine.rate * (elastic + drag * rate);
        impulse += 0.5 * l->h * drag * rate;
    }
    struct carom_response want = {.viscous = &viscous[0]};
    carom_contacts_evaluate(model, j, j + 1, &d0, NULL, NULL, &want);
    want.viscous = &viscous[1];
    carom_contacts_evaluate(model, j, j + 1, &d1, NULL, NULL, &want);
    return sum + (d0 < d1 ? own->v0 : own->v1) * (viscous[1] - viscous[0] - impulse);
}

static double drive_work(const struct carom_twostage_loads *l, const struct carom_model *model,
                         const struct carom_chain *chain, const struct carom_state *from, const struct carom_state *to)
{
    const struct carom_beads *b = chain->beads;
    double sum = 0.0;
    for (size_t k = 0; k < b->ndrives; k++) {
        const struct carom_motion start = carom_loads_motion(&b->drive[k], l->start),
                                  end = carom_loads_motion(&b->drive[k], l->end);
        const struct span own = {start.place, start.rate, end.place, end.rate};
        size_t left, right;
        carom_chain_contacts(chain, b->drive[k].which, &left, &right);
        if (left < chain->nc)
            sum -= contact_work(l, model, chain, left, &own, from, to);
        if (right < chain->nc)
            sum += contact_work(l, model, chain, right, &own, from, to);
    }
    return sum;
}

void carom_twostage_loads_settle(const struct carom_twostage_loads *l, const struct carom_model *model,
                                 const struct carom_chain *chain, const struct carom_state *from,
                                 struct carom_state *to)
{
    const struct carom_beads *b = chain->beads;
    struct carom_sum spent = {0.0, 0.0};
    double work = drive_work(l, model, chain, from, to);
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; b->damper && k < b->n; k++) {
            const struct span s = side(l, chain, (int32_t)k, from, to);
            const double v = at_node(l, &s, i).rate;
            carom_sum_add(&spent, 0.5 * l->h * carom_loads_damper(b, k) * v * v);
        }
        for (size_t k = 0; k < b->nloads; k++) {
            const struct span s = side(l, chain, (int32_t)b->load[k].bead, from, to);
            if (!carom_loads_driven(b, b->load[k].bead))
                work += 0.5 * l->h * carom_signal_value(&b->load[k].force, l->node[i]) * at_node(l, &s, i).rate;
        }
    }
    to->spent[0] += carom_sum_value(&spent);
    to->work[0] += work;
}
