/* Blows in a bounded number of steps, see blow_path.h. The springs' forces are those of the middle of a step, for order
 * 2. */
#include "impact/blow_path.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "impact/lzb.h"

enum {
    FINE = 6000,   /* steps of a blow of one contact */
    COARSE = 64,   /* at least, of many of them */
    PLASTIC = 8,   /* times fewer where e = 0 */
    SHARE = 20000, /* blocks that a blow is worth, between these */
    BLOWS = 16,    /* of one contact, steps in all: so many blows of the shortest, and a third as many of the longest */
    FURTHER = 4,   /* blows for each contact more: a pulse runs through all of them */
    SWEEPS = 8,    /* at most, in search of the friction of a step */
    HOLDS = 50,    /* and of what contacts with e = 0 hold */
    ROUNDS = 20    /* in which impulses are made less, before they are none */
};

/* parts of the energy at the start that may be left over: to be given back, in all, and of contacts with e = 0 */
static const double owed_at_end = 1e-11, spent = 1e-6, stopped = 1e-14;
static const double blur = 1e-13;    /* of the fastest approach, or of an energy: less is rounding */
static const double lasting = 3.0;   /* a blow takes so long, in the time of its depth at its speed */
static const double settled = 1e-12; /* changes of friction below this part of the normal impulse are none */
static const double held = 1e-8;     /* and changes of what is held below this part of what the spring has */

bool carom_blow_path_reserve(struct carom_blow_path *path, size_t n)
{
    if (n <= path->room)
        return true;
    carom_blow_path_close(path);
    const size_t room = n + n / 2;
    const bool good = carom_memory_together(
        CAROM_ROOM(path->energy, room), CAROM_ROOM(path->owed, room), CAROM_ROOM(path->deep, room),
        CAROM_ROOM(path->debt, room), CAROM_ROOM(path->press, room), CAROM_ROOM(path->most, room),
        CAROM_ROOM(path->rough, room), CAROM_ROOM(path->taken, room), CAROM_ROOM(path->friction_loss, room),
        CAROM_ROOM(path->own, room), CAROM_ROOM(path->small, 3 * room), CAROM_ROOM(path->change, 3 * room));
    path->room = good ? room : 0;
    return good;
}

void carom_blow_path_close(struct carom_blow_path *path)
{
    carom_memory_free(path->energy);
    *path = (struct carom_blow_path){0};
}

static bool is_plastic(const struct carom_blow_path_problem *of, size_t i)
{
    return !(of->e[i] > 0.0);
}

static bool all_plastic(const struct carom_blow_path_problem *of)
{
    size_t i = 0;
    while (i < of->n && is_plastic(of, i))
        i++;
    return i == of->n;
}

/* Steps of the shortest blow; where no contact gives anything back only its friction has a path. */
static size_t steps_of(const struct carom_blow_path_problem *of)
{
    const size_t blocks = of->first[of->n], share = SHARE / (blocks > 0 ? blocks : 1);
    const size_t fine = share > FINE ? FINE : share, steps = all_plastic(of) ? fine / PLASTIC : fine;
    return steps < COARSE ? COARSE : steps;
}

/* How many blows the path may be long; where nothing is given back no pulse runs back and forth. */
static size_t blows_of(const struct carom_blow_path_problem *of)
{
    return all_plastic(of) ? BLOWS : BLOWS + FURTHER * (of->n - 1);
}

/* --- a contact -------------------------------------------------------------------------------------------------- */

static double depth(const struct carom_blow_path_problem *of, size_t i, double energy)
{
    const double x = (1.0 + of->p[i]) * energy / of->k[i];
    return energy > 0.0 ? carom_power(x, 1.0 / (1.0 + of->p[i])) : 0.0;
}

static double force(const struct carom_blow_path_problem *of, size_t i, double x)
{
    return x > 0.0 ? of->k[i] * carom_lzb_power(x, of->p[i]) : 0.0;
}

/* Poisson: what is stored where so much is owed goes as that of an elastic spring does */
static double stored(const struct carom_blow_path *path, size_t i, double owed)
{
    const double paid = 1.0 - owed / path->debt[i];
    return owed > 0.0 ? path->deep[i] * (1.0 - paid * paid) : 0.0;
}

static void let_go(struct carom_blow_path *path, size_t i)
{
    path->energy[i] = path->owed[i] = path->debt[i] = 0.0;
}

static const double *own_block(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    return of->block + path->own[i] * of->dim * of->dim;
}

static void turn_back(struct carom_blow_path *path, size_t i)
{
    if (path->debt[i] > 0.0)
        return;
    path->debt[i] = path->owed[i];
    path->deep[i] = path->energy[i];
}

/* Poisson: as much of what is owed as the force in the middle of h comes to */
static double due_owed(struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i, double h)
{
    turn_back(path, i);
    const double half = 0.5 * h * force(of, i, depth(of, i, path->energy[i]));
    const double then = stored(path, i, path->owed[i] - half);
    return then > 0.0 ? fmin(h * force(of, i, depth(of, i, then)), path->owed[i]) : path->owed[i];
}

/* Stronge: the impulse by the force in the middle of h of one that springs back, or by which it gives all it has */
static double due_out(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i, double h)
{
    const double e = of->e[i], u = fmax(of->u[of->dim * i], 0.0), most = e * e * path->energy[i];
    const double x = depth(of, i, path->energy[i]), back = h * u / (e * e), a = own_block(path, of, i)[0];
    return x > back ? h * force(of, i, x - 0.5 * back) : (1.0 - 1e-9) * 2.0 * most / (u + sqrt(u * u + 2.0 * a * most));
}

/* the impulse that contact i has to give in a step h, from what there is at its start; with e = 0 at most, as it then
 * holds what it has stopped and never drives it apart */
static double due(struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i, double h)
{
    const double u = of->u[of->dim * i], mobility = own_block(path, of, i)[0];
    if (!(mobility > 0.0))
        return 0.0;
    if (u < -path->quiet || is_plastic(of, i))
        return h * force(of, i, depth(of, i, path->energy[i]) - 0.5 * h * fmin(u, 0.0));
    if (!(path->energy[i] * mobility > path->quiet * path->quiet)) {
        let_go(path, i);
        return 0.0;
    }
    return of->law == CAROM_LZB_FRICTION_POISSON ? due_owed(path, of, i, h) : due_out(path, of, i, h);
}

/* A small impulse that presses and springs back, while the rate of its gap changes evenly. */
struct parts {
    double in, out;       /* impulses */
    double stored, given; /* works */
};

static struct parts parts_of(double p, double u0, double u1)
{
    const double early = fabs(u0), late = fabs(u1), part = early + late > 0.0 ? early / (early + late) : 1.0;
    if (u0 * u1 >= 0.0)
        return u0 + u1 < 0.0 ? (struct parts){.in = p, .stored = 0.5 * p * (early + late)}
                             : (struct parts){.out = p, .given = 0.5 * p * (early + late)};
    const double first = p * part, second = p - first;
    return u0 < 0.0 ? (struct parts){first, second, 0.5 * first * early, 0.5 * second * late}
                    : (struct parts){second, first, 0.5 * second * late, 0.5 * first * early};
}

/* --- a step of all contacts -------------------------------------------------------------------------------------- */

/* contact i gives r more: W is symmetric, its row is its column */
static void push(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i,
                 const double *r)
{
    const size_t dim = of->dim, square = dim * dim;
    for (size_t l = of->first[i]; l < of->first[i + 1]; l++)
        for (size_t k = 0; k < dim; k++)
            for (size_t m = 0; m < dim; m++)
                path->change[of->column[l] * dim + m] += of->block[l * square + k * dim + m] * r[k];
    for (size_t k = 0; k < dim; k++)
        path->small[dim * i + k] += r[k];
}

/* the normal impulse of contact i, which has e = 0, once more: as much as stops it, no more than its spring gives */
static double hold_again(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    const size_t at = of->dim * i;
    const double rate = of->u[at] + path->change[at], mobility = own_block(path, of, i)[0];
    const double p = fmin(fmax(path->small[at] - rate / mobility, 0.0), path->most[i]), more = p - path->small[at];
    if (more != 0.0)
        push(path, of, i, (double[3]){more, 0.0, 0.0});
    path->press[i] = p;
    return fabs(more) - held * path->most[i];
}

/* the friction of contact i once more, by what the others do now; how much it changed */
static double rub_again(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    const size_t dim = of->dim;
    const double *a = own_block(path, of, i);
    double *r = path->small + dim * i, change[2] = {0.0}, q[2], more[3] = {0.0};
    for (size_t k = 1; k < dim; k++) {
        change[k - 1] = path->change[dim * i + k];
        for (size_t l = 1; l < dim; l++)
            change[k - 1] -= a[k * dim + l] * r[l];
    }
    carom_blow_friction(dim, a, path->rough[i] * r[0], of->u + dim * i + 1, change, q);
    for (size_t k = 1; k < dim; k++)
        more[k] = q[k - 1] - r[k];
    if (more[1] != 0.0 || more[2] != 0.0)
        push(path, of, i, more);
    return fmax(fabs(more[1]), fabs(more[2])) - settled * r[0];
}

/* all small impulses at once, and what they change: normals first, then the friction that follows from all of them */
static void compose(const struct carom_blow_path *path, const struct carom_blow_path_problem *of)
{
    const size_t n = of->n, dim = of->dim;
    memset(path->small, 0, n * dim * sizeof *path->small);
    memset(path->change, 0, n * dim * sizeof *path->change);
    for (size_t i = 0; i < n; i++)
        if (path->press[i] > 0.0)
            push(path, of, i, (double[3]){path->press[i], 0.0, 0.0});
    bool moves = true, holds = false;
    for (size_t i = 0; i < n && !holds; i++)
        holds = is_plastic(of, i);
    for (size_t sweep = 0; sweep < (holds ? HOLDS : SWEEPS) && moves; sweep++) {
        moves = false;
        for (size_t l = 0; l < n; l++) {
            const size_t i = sweep % 2 == 0 ? l : n - 1 - l;
            if (is_plastic(of, i) && path->most[i] > 0.0)
                moves |= hold_again(path, of, i) > 0.0;
            if (of->mu[i] > 0.0 && (path->press[i] > 0.0 || (is_plastic(of, i) && path->most[i] > 0.0)))
                moves |= rub_again(path, of, i) > 0.0;
        }
    }
}

/* the work of the friction of contact i */
static double rub_work(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    double work = 0.0;
    for (size_t a = of->dim * i + 1; a < of->dim * (i + 1); a++)
        work += path->small[a] * (of->u[a] + 0.5 * path->change[a]);
    return work;
}

/* what it gives: by the length of the step, as in truth it only takes */
static double rub_gives(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    return fmax(rub_work(path, of, i), 0.0);
}

/* Poisson's law tells the impulse that a contact gives back and not its work, which is e^2 of what it took only where
 * neither friction nor other contacts change its rate meanwhile. What it gives beyond that must come out of what all of
 * them have lost so far, of which each has its share in a step. This is what contact i has lost for good. */
static double lost_by(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    return path->taken[i] + path->friction_loss[i] - of->e[i] * of->e[i] * path->energy[i];
}

static double share_of(const struct carom_blow_path *path, const struct carom_blow_path_problem *of)
{
    double lost = blur * path->start; /* rounding: with e = 1 nothing is */
    for (size_t i = 0; i < of->n; i++)
        lost += lost_by(path, of, i);
    return fmax(lost, 0.0) / (double)of->n;
}

/* Poisson: the largest of the impulses x->out */
static double most_out(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i,
                       const struct parts *x)
{
    const double e = of->e[i], owed = path->owed[i] + e * x->in;
    const double work = e * e * (path->energy[i] + x->stored) + path->share - rub_gives(path, of, i);
    return x->given > work ? fmin(owed, fmax(work, 0.0) / x->given * x->out) : owed;
}

/* Poisson: contact i, which had lost so much, has given more than its share: what it still has and owes is less */
static void give_up(struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i, double had_lost)
{
    const double more = had_lost - lost_by(path, of, i) - path->share;
    if (!(more > 0.0))
        return;
    path->energy[i] = fmax(path->energy[i] - more / (of->e[i] * of->e[i]), 0.0);
    if (path->debt[i] > 0.0)
        path->owed[i] = path->debt[i] * (1.0 - sqrt(fmax(1.0 - path->energy[i] / path->deep[i], 0.0)));
}

/* May contact i give what it would? Else its impulse is made less, or it has no friction: no energy is created. */
static bool is_fair(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i, int round)
{
    double *p = &path->press[i];
    const double e = of->e[i], u0 = of->u[of->dim * i], u1 = u0 + path->change[of->dim * i];
    const struct parts x = parts_of(*p, u0, u1);
    const bool poisson = of->law == CAROM_LZB_FRICTION_POISSON;
    const double has = path->energy[i] + x.stored - (poisson ? 0.0 : rub_gives(path, of, i));
    const double asked = poisson ? x.out : x.given;
    const double most = poisson ? most_out(path, of, i, &x) : e * e * fmax(has, 0.0);
    if (has < 0.0) {
        path->rough[i] = 0.0;
        return false;
    }
    if (is_plastic(of, i)) { /* what sweeps have left over comes out of what it has taken */
        if (has >= x.given)
            return true;
        *p = path->most[i] = round >= ROUNDS ? 0.0 : 0.5 * *p;
        return false;
    }
    if (asked <= most * (1.0 + 1e-14) || (u0 < 0.0 && u1 <= path->quiet))
        return true;
    const double part = asked > 0.0 ? (1.0 - 1e-6) * most / asked : 0.0;
    *p *= round >= ROUNDS ? 0.0 : u0 < 0.0 && u1 > 0.0 ? (part * u1 - u0) / (u1 - u0) : part;
    return false;
}

/* what contact i has stored after the step */
static void settle(struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    const double e = of->e[i], u0 = of->u[of->dim * i], had_lost = lost_by(path, of, i);
    const struct parts x = parts_of(path->press[i], u0, u0 + path->change[of->dim * i]);
    path->energy[i] += x.stored;
    path->taken[i] += x.stored - x.given;
    path->friction_loss[i] -= rub_work(path, of, i);
    if (is_plastic(of, i)) {
        path->energy[i] = fmax(path->energy[i] - rub_gives(path, of, i) - x.given, 0.0);
        return;
    }
    path->owed[i] += e * x.in;
    if (x.in > 0.0)
        path->debt[i] = 0.0;
    if (x.out > 0.0 && of->law == CAROM_LZB_FRICTION_POISSON) {
        turn_back(path, i);
        path->owed[i] -= x.out;
        path->energy[i] = stored(path, i, path->owed[i]);
    } else if (of->law == CAROM_LZB_FRICTION_STRONGE)
        path->energy[i] -= rub_gives(path, of, i) + (e > 0.0 ? x.given / (e * e) : 0.0);
    if (of->law == CAROM_LZB_FRICTION_POISSON)
        give_up(path, of, i, had_lost);
    if (!(path->energy[i] > 0.0))
        let_go(path, i);
}

static void step(struct carom_blow_path *path, const struct carom_blow_path_problem *of, double h)
{
    path->share = of->law == CAROM_LZB_FRICTION_POISSON ? share_of(path, of) : 0.0;
    for (size_t i = 0; i < of->n; i++) {
        path->most[i] = due(path, of, i, h);
        path->press[i] = is_plastic(of, i) ? fmin(path->press[i], path->most[i]) : path->most[i];
        path->rough[i] = of->mu[i];
    }
    bool fair = false;
    for (int round = 0; !fair; round++) {
        compose(path, of);
        fair = true;
        for (size_t i = 0; i < of->n; i++)
            fair &= !(path->press[i] > 0.0) || is_fair(path, of, i, round);
    }
    for (size_t i = 0; i < of->n; i++)
        if (path->press[i] > 0.0)
            settle(path, of, i);
    for (size_t a = 0; a < of->n * of->dim; a++) {
        of->u[a] += path->change[a];
        of->impulse[a] += path->small[a];
    }
}

/* --- the path --------------------------------------------------------------------------------------------------- */

/* energy that contact i has stored and may give back, and that of its approach */
static double energy_of(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    const double in = -of->u[of->dim * i], mobility = of->block[path->own[i] * of->dim * of->dim];
    return (is_plastic(of, i) ? 0.0 : path->energy[i]) +
           (in > path->quiet && mobility > 0.0 ? 0.5 * in * in / mobility : 0.0);
}

/* what contacts might still give back */
static double left_over(const struct carom_blow_path *path, const struct carom_blow_path_problem *of)
{
    double again = 0.0;
    for (size_t i = 0; i < of->n; i++)
        again += of->e[i] * of->e[i] * energy_of(path, of, i);
    return again;
}

/* Is as good as nothing left of `start`? Contacts with e = 0 are to hold all that they have stopped. */
static bool is_over(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, double start)
{
    double sum = 0.0, slips_by = 0.0;
    for (size_t i = 0; i < of->n; i++)
        *(is_plastic(of, i) ? &slips_by : &sum) += energy_of(path, of, i);
    return sum <= spent * start && slips_by <= stopped * start && left_over(path, of) <= owed_at_end * start;
}

static void begin(struct carom_blow_path *path, const struct carom_blow_path_problem *of)
{
    memset(of->impulse, 0, of->n * of->dim * sizeof *of->impulse);
    for (size_t i = 0; i < of->n; i++) {
        let_go(path, i);
        path->press[i] = path->taken[i] = path->friction_loss[i] = 0.0;
        path->own[i] = of->first[i];
        for (size_t l = of->first[i]; l < of->first[i + 1]; l++)
            if (of->column[l] == i)
                path->own[i] = l;
    }
}

/* The step: a part of the shortest blow at the fastest approach, or of the longest where that is more. */
static double step_of(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, double fast)
{
    const double steps = (double)steps_of(of);
    double shortest = HUGE_VAL, longest = 0.0;
    for (size_t i = 0; i < of->n; i++) {
        const double mobility = of->block[path->own[i] * of->dim * of->dim];
        const double time = mobility > 0.0 ? lasting * depth(of, i, 0.5 * fast * fast / mobility) / fast : 0.0;
        shortest = time > 0.0 ? fmin(shortest, time) : shortest;
        longest = fmax(longest, time);
    }
    return fmax(shortest, 3.0 * longest / BLOWS) / steps;
}

bool carom_blow_path_follow(struct carom_blow_path *path, const struct carom_blow_path_problem *of)
{
    double fast = 0.0, start = 0.0;
    path->left = 0.0;
    begin(path, of);
    for (size_t i = 0; i < of->n; i++)
        fast = fmax(fast, -of->u[of->dim * i]);
    path->quiet = blur * fast;
    for (size_t i = 0; i < of->n; i++)
        start += energy_of(path, of, i);
    if (!(start > 0.0))
        return true;
    path->start = start;
    const double h = step_of(path, of, fast);
    for (size_t k = 0, most = blows_of(of) * steps_of(of); k < most; k++) {
        step(path, of, h);
        if (is_over(path, of, start))
            return true;
    }
    path->left = left_over(path, of);
    return !(path->left > owed_at_end * start);
}
