/* Friction of several contacts in space along the path of a blow, see lzb_several.h. */
#include "impact/lzb_several.h"

#include <math.h>
#include <string.h>

#include "impact/lzb.h"
#include "solve/eigen.h"

static const double unmoved = 1e-3;   /* of what slips are found to: friction that changes them less is not asked for */
static const double unfelt = 0.01;    /* of what counts as none: slips that rounding leaves where they cannot all end */
static const double immobile = 1e-13; /* of the largest mobility: directions of slips that have none */
static const double rounding = 1e-8;  /* of the fastest: slips along them, which cannot be */
static const double hidden = 1e-9;    /* of the largest of a mode without mobility: parts in it that are none */
static const double nearly = 0.99;    /* of the way to where a slip stops */
static const double hardly = 5.0;     /* times what counts as none: slips that stop without a trace */

static double length_of(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

static double product(size_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += x[k] * y[k];
    return sum;
}

static bool holds_more(const struct carom_lzb_friction *r, size_t i)
{
    return r->of->mu_static[i] > r->of->mu[i];
}

/* of the impulse, or force, of contact i: what friction has at most */
static double part_of(const struct carom_lzb_friction *r, size_t i)
{
    return r->slides[i] == CAROM_LZB_CONE_REST && holds_more(r, i) ? r->of->mu_static[i] : r->of->mu[i];
}

static double cone(const struct carom_lzb_friction *r, size_t i)
{
    return part_of(r, i) * r->force[i];
}

static double mobility(const struct carom_lzb_friction *r, size_t i)
{
    return fmax(carom_lzb_cone_coupling(r, i, 1, i, 1), carom_lzb_cone_coupling(r, i, 2, i, 2));
}

/* --- slips that no impulse changes ------------------------------------------------------------------------------- */

/* Tangential rows, or columns, of r->matrix without what is along a mode of mobility. */
static void take_out(struct carom_lzb_friction *r, const double *mode, bool rows)
{
    const size_t all = 3 * r->n, along = rows ? all : 1, across = rows ? 1 : all;
    for (size_t c = 0; c < all; c++) {
        double part = 0.0;
        for (size_t l = 0; l < 2 * r->n; l++)
            part += mode[l] * r->matrix[(l / 2 * 3 + 1 + l % 2) * along + c * across];
        for (size_t l = 0; l < 2 * r->n; l++)
            r->matrix[(l / 2 * 3 + 1 + l % 2) * along + c * across] -= part * mode[l];
    }
}

/* Slips count from what they are along a mode that has no mobility. */
static void set_aside(struct carom_lzb_friction *r, const double *mode)
{
    double part = 0.0;
    for (size_t l = 0; l < 2 * r->n; l++)
        part += mode[l] * r->of->slip[l];
    for (size_t l = 0; l < 2 * r->n && fabs(part) <= rounding * r->fastest; l++)
        r->zero[l] += part * mode[l];
    take_out(r, mode, true);
    take_out(r, mode, false);
}

/* row += part * other */
static void add(size_t wide, double *row, double part, const double *other)
{
    for (size_t l = 0; l < wide; l++)
        row[l] += part * other[l];
}

/* row k of m and a column: the largest number of rows from k on, which is brought into row k */
static size_t pivot(size_t m, size_t wide, double *mode, size_t k)
{
    size_t at = k * wide;
    for (size_t l = k * wide; l < m * wide; l++)
        at = fabs(mode[l]) > fabs(mode[at]) ? l : at;
    for (size_t l = 0; l < wide && at / wide != k; l++) {
        const double swap = mode[k * wide + l];
        mode[k * wide + l] = mode[at / wide * wide + l];
        mode[at / wide * wide + l] = swap;
    }
    return at % wide;
}

/* Of m modes without mobility those of the fewest contacts: two corners that hold each other do so whatever a third
 * does, which has a little of the mode where they are tilted by a little. As that slips they would never stop. */
static void part_modes(size_t m, size_t wide, double *mode)
{
    for (size_t k = 0; k < m; k++) {
        const size_t column = pivot(m, wide, mode, k);
        const double largest = mode[k * wide + column];
        for (size_t l = 0; l < wide; l++)
            mode[k * wide + l] /= largest;
        for (size_t other = 0; other < m; other++)
            if (other != k)
                add(wide, mode + other * wide, -mode[other * wide + column], mode + k * wide);
    }
    for (size_t l = 0; l < m * wide; l++)
        mode[l] = fabs(mode[l]) > hidden ? mode[l] : 0.0;
}

/* row k without those before it, of length 1 */
static void straighten(size_t k, size_t wide, double *mode)
{
    double *row = mode + k * wide;
    for (size_t again = 0; again < 2; again++)
        for (size_t other = 0; other < k; other++)
            add(wide, row, -product(wide, row, mode + other * wide), mode + other * wide);
    const double length = sqrt(product(wide, row, row));
    for (size_t l = 0; l < wide; l++)
        row[l] /= length;
}

void carom_lzb_several_begin(struct carom_lzb_friction *r)
{
    const size_t wide = 2 * r->n;
    double *value = r->discs->b, *mode = r->discs->a, largest = 0.0;
    size_t m = 0;
    memset(r->discs->matrix, 0, wide * wide * sizeof *value);
    for (size_t k = 0; k < wide * wide; k++)
        mode[k] = carom_lzb_cone_coupling(r, k / wide / 2, 1 + k / wide % 2, k % wide / 2, 1 + k % wide % 2);
    if (!carom_eigen_symmetric_vectors(wide, mode, value, r->discs->step, r->discs->matrix))
        return;
    memcpy(r->matrix, r->of->w, 9 * r->n * r->n * sizeof *r->matrix);
    for (size_t k = 0; k < wide; k++)
        largest = fmax(largest, value[k]);
    for (size_t k = 0; k < wide; k++)
        if (value[k] <= immobile * largest) {
            for (size_t l = 0; l < wide; l++)
                mode[m * wide + l] = r->discs->matrix[l * wide + k];
            m++;
        }
    part_modes(m, wide, mode);
    for (size_t k = 0; k < m; k++) {
        straighten(k, wide, mode);
        set_aside(r, mode + k * wide);
    }
    r->w = r->matrix;
}

/* --- friction of a short step ------------------------------------------------------------------------------------- */

/* how direction a of contact i is accelerated by all forces, and by all pulls but those of `who` */
static double pushed(const struct carom_lzb_friction *r, size_t i, size_t a)
{
    double sum = 0.0;
    for (size_t j = 0; j < r->n; j++) {
        sum += carom_lzb_cone_coupling(r, i, a, j, 0) * r->force[j];
        for (size_t b = 0; b < 2; b++)
            sum += carom_lzb_cone_coupling(r, i, a, j, 1 + b) * r->pull[2 * j + b];
    }
    return sum;
}

/* r->pull of `who` in a short step of size h, from what it was, which r->side keeps; slips count by `by` */
static void find_pulls(struct carom_lzb_friction *r, double h, double by)
{
    struct carom_discs *d = r->discs;
    for (size_t k = 0; k < 2 * d->n; k++) {
        double *pull = &r->pull[2 * r->who[k / 2] + k % 2];
        d->q[k] = h * *pull;
        *pull = 0.0;
    }
    for (size_t k = 0; k < 2 * d->n; k++) {
        const size_t i = r->who[k / 2], a = k % 2;
        d->radius[k / 2] = h * cone(r, i);
        d->b[k] = by * r->slip[2 * i + a] + h * pushed(r, i, 1 + a);
        for (size_t l = 0; l < 2 * d->n; l++)
            d->a[2 * k * d->n + l] = carom_lzb_cone_coupling(r, i, 1 + a, r->who[l / 2], 1 + l % 2);
    }
    r->unsolved = d->n > 0 && !(carom_discs_solve(d, r->exact) <= fmax(r->exact, unfelt * r->still));
    for (size_t k = 0; k < 2 * d->n; k++)
        r->pull[2 * r->who[k / 2] + k % 2] = d->q[k] / h;
}

/* against the slip of contact i, as it is */
static void oppose(struct carom_lzb_friction *r, size_t i)
{
    const double *slip = r->slip + 2 * i, speed = length_of(slip);
    for (size_t a = 0; a < 2; a++)
        r->pull[2 * i + a] = speed > 0.0 ? -cone(r, i) * slip[a] / speed : 0.0;
}

static void pull(struct carom_lzb_friction *r, double h)
{
    r->discs->n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (cone(r, i) * mobility(r, i) * h > unmoved * r->exact)
            r->who[r->discs->n++] = i;
        else
            oppose(r, i);
    find_pulls(r, h, 1.0);
}

/* --- short steps -------------------------------------------------------------------------------------------------- */

/* forces of the springs at r->y and `more` */
static void press(struct carom_lzb_friction *r, const double *more)
{
    for (size_t i = 0; i < r->n; i++) {
        const double x = r->y[NUMBERS * i + X] + more[NUMBERS * i + X];
        r->force[i] = r->way[i] != OPEN && x > 0.0 ? r->of->k[i] * carom_lzb_power(x, r->of->p[i]) : 0.0;
    }
}

/* Does contact i, its slip having been `before`, stop, start or turn about in a short step? All sizes of short steps
 * may agree on what is wrong then, but by no more than the slip was. */
static void note_kink(struct carom_lzb_friction *r, size_t i, const double before[2])
{
    const double *slip = r->slip + 2 * i, was = length_of(before), is = length_of(slip), none = r->still;
    if (!(cone(r, i) > 0.0) || (was <= none && is <= none))
        return;
    if (was > none && is > none && slip[0] * before[0] + slip[1] * before[1] >= 0.5 * was * is)
        return;
    r->bent = true;
    r->kinked = was > hardly * none ? fmax(r->kinked, was) : r->kinked;
}

/* speeds of contact i after a short step */
static void hasten(struct carom_lzb_friction *r, size_t i, double h)
{
    const double before[2] = {r->slip[2 * i], r->slip[2 * i + 1]};
    r->away[i] += h * pushed(r, i, 0);
    for (size_t a = 0; a < 2; a++)
        r->slip[2 * i + a] += h * pushed(r, i, 1 + a);
    note_kink(r, i, before);
}

/* what contact i has got after it */
static void gather(struct carom_lzb_friction *r, size_t i, double h, double *more)
{
    const double *pull = r->pull + 2 * i, *slip = r->slip + 2 * i;
    more[P] += h * r->force[i];
    more[RUBS] -= h * (pull[0] * slip[0] + pull[1] * slip[1]);
    more[LOSES] -= h * r->force[i] * r->away[i];
    more[Q] += h * pull[0];
    more[Q + 1] += h * pull[1];
    more[X] += h * carom_lzb_friction_presses(r, i, r->y[NUMBERS * i + P] + more[P]);
}

/* Has a spring been left for far beyond its end? It has no force there, which short steps of all sizes might agree
 * on. */
static bool is_too_far(const struct carom_lzb_friction *r, const double *more)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->way[i] == OUT && !(more[NUMBERS * i + X] >= -2.0 * r->y[NUMBERS * i + X]))
            return true;
    return false;
}

/* What `parts` short steps, h in all, add to r->y; r->from has the speeds there. */
static bool move(struct carom_lzb_friction *r, double h, size_t parts, double *more)
{
    const double each = h / (double)parts;
    memset(more, 0, NUMBERS * r->n * sizeof *more);
    memcpy(r->away, r->from, r->n * sizeof *more);
    memcpy(r->slip, r->from + r->n, 2 * r->n * sizeof *more);
    memcpy(r->pull, r->from + 3 * r->n, 2 * r->n * sizeof *more);
    for (size_t part = 0; part < parts; part++) {
        press(r, more);
        pull(r, each);
        for (size_t i = 0; i < r->n; i++)
            hasten(r, i, each);
        for (size_t i = 0; i < r->n; i++)
            gather(r, i, each, more + NUMBERS * i);
        if (r->unsolved || is_too_far(r, more))
            return false;
    }
    return true;
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* what a step of `parts` has a part in where those of sizes h / `first` to h / `last` are extrapolated to h = 0 */
static double weight_of(int parts, int first, int last)
{
    double weight = parts < first || parts > last ? 0.0 : 1.0;
    for (int other = first; other <= last; other++)
        weight *= other == parts ? 1.0 : (double)parts / (parts - other);
    return weight;
}

/* r->fine: what short steps of all sizes add, extrapolated; r->stage and r->slope[0]: its change without the longest
 * and without the shortest of them; r->slope[1] and r->row: what those of a middling and the shortest size add */
static bool extrapolate(struct carom_lzb_friction *r, double h)
{
    const size_t wide = NUMBERS * r->n;
    const int last = CAROM_LZB_SEVERAL_ROWS;
    memset(r->stage, 0, wide * sizeof *r->stage);
    memset(r->slope[0], 0, wide * sizeof *r->stage);
    memset(r->fine, 0, wide * sizeof *r->fine);
    for (int parts = 1; parts <= last; parts++) {
        const double best = weight_of(parts, 1, last);
        const double without[2] = {best - weight_of(parts, 2, last), best - weight_of(parts, 1, last - 1)};
        if (!move(r, h, (size_t)parts, r->row))
            return false;
        for (size_t k = 0; k < wide; k++) {
            r->fine[k] += best * r->row[k];
            r->stage[k] += without[0] * r->row[k];
            r->slope[0][k] += without[1] * r->row[k];
        }
        if (2 * parts == last)
            memcpy(r->slope[1], r->row, wide * sizeof *r->row);
    }
    return true;
}

/* by how much r->fine differs from what was extrapolated, r->slope[3], in r->slope[2]; as an error */
static double changed(struct carom_lzb_friction *r)
{
    for (size_t k = 0; k < NUMBERS * r->n; k++)
        r->slope[2][k] = r->slope[3][k] - r->fine[k];
    return carom_lzb_friction_error(r, r->slope[2]);
}

/* What extrapolation has put beyond cones goes back onto them. */
static double clip(struct carom_lzb_friction *r)
{
    memcpy(r->slope[3], r->fine, NUMBERS * r->n * sizeof *r->fine);
    for (size_t i = 0; i < r->n; i++) {
        double *more = r->fine + NUMBERS * i;
        more[P] = fmax(more[P], 0.0);
        const double most = part_of(r, i) * more[P], length = length_of(more + Q);
        for (size_t a = 0; a < 2 && length > most; a++)
            more[Q + a] *= most / length;
    }
    return changed(r);
}

/* The same where contacts hold each other: what single ones have is open, and extrapolation says nothing of that. They
 * share out, in their cones, what changes slips. */
static double share_out(struct carom_lzb_friction *r)
{
    struct carom_discs *d = r->discs;
    d->n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (part_of(r, i) * r->fine[NUMBERS * i + P] > 0.0)
            r->who[d->n++] = i;
    for (size_t k = 0; k < 2 * d->n; k++) {
        const size_t i = r->who[k / 2], at = NUMBERS * i + Q + k % 2;
        d->radius[k / 2] = part_of(r, i) * r->fine[NUMBERS * i + P];
        d->q[k] = r->fine[at];
        d->b[k] = 0.0;
        for (size_t l = 0; l < 2 * d->n; l++) {
            const size_t j = r->who[l / 2];
            const double w = carom_lzb_cone_coupling(r, i, 1 + k % 2, j, 1 + l % 2);
            d->a[2 * k * d->n + l] = w;
            d->b[k] -= w * r->slope[3][NUMBERS * j + Q + l % 2];
        }
    }
    if (!(carom_discs_solve(d, unfelt * r->still) < HUGE_VAL))
        return HUGE_VAL;
    for (size_t k = 0; k < 2 * d->n; k++)
        r->fine[NUMBERS * r->who[k / 2] + Q + k % 2] = d->q[k];
    return changed(r);
}

/* the step as the shortest of short steps make it, whose error is as much as those of twice the size differ */
static double take_shortest(struct carom_lzb_friction *r)
{
    for (size_t k = 0; k < NUMBERS * r->n; k++) {
        r->trial[k] = r->y[k] + r->row[k];
        r->stage[k] = r->row[k] - r->slope[1][k];
    }
    return carom_lzb_friction_error(r, r->stage);
}

static double take_extrapolated(struct carom_lzb_friction *r)
{
    for (size_t k = 0; k < NUMBERS * r->n; k++)
        r->stage[k] = fabs(r->slope[0][k]) > fabs(r->stage[k]) ? r->slope[0][k] : r->stage[k];
    const double error = carom_lzb_friction_error(r, r->stage);
    double beyond = clip(r);
    if (beyond > error)
        beyond = share_out(r);
    return error + beyond;
}

/* Whichever errs less: steps may be so short that extrapolation shows nothing but what is left open, or rounding. */
static double take(struct carom_lzb_friction *r)
{
    const double error = r->bent ? HUGE_VAL : take_extrapolated(r), first = take_shortest(r);
    r->bent = first < error;
    for (size_t k = 0; k < NUMBERS * r->n && !r->bent; k++)
        r->trial[k] = r->y[k] + r->fine[k];
    return fmin(first, error);
}

/* Slips of the step and of its shortest short steps (r->last) that are no longer alike: the first may have gone beyond
 * where one stops, the others not. */
static double overshot(const struct carom_lzb_friction *r)
{
    double most = 0.0;
    for (size_t i = 0; i < r->n; i++) {
        const double *slip = r->slip + 2 * i, *last = r->last + 2 * i, off[2] = {slip[0] - last[0], slip[1] - last[1]};
        const double size = fmax(length_of(slip), length_of(last));
        if (cone(r, i) > 0.0 && length_of(off) > 0.5 * length_of(last) && size > hardly * r->still)
            most = fmax(most, size);
    }
    return most;
}

/* the slip that a step of size h has missed where a contact starts after the forces of all short steps */
static double missed(struct carom_lzb_friction *r, double h)
{
    double most = 0.0;
    carom_lzb_several_hold(r);
    for (size_t i = 0; i < r->n; i++)
        most = fmax(most, 0.5 * h * r->starts[i]);
    return most > r->still ? most : 0.0;
}

double carom_lzb_several_leap(struct carom_lzb_friction *r, double h)
{
    carom_lzb_friction_look(r, r->y);
    memcpy(r->from, r->away, r->n * sizeof *r->from);
    memcpy(r->from + r->n, r->slip, 2 * r->n * sizeof *r->from);
    r->kinked = 0.0;
    r->bent = false;
    if (!extrapolate(r, h))
        return HUGE_VAL;
    memcpy(r->last, r->slip, 2 * r->n * sizeof *r->last);
    const double error = take(r);
    carom_lzb_friction_look(r, r->trial);
    r->kinked = fmax(r->kinked, fmax(overshot(r), missed(r, h)));
    r->bent |= r->kinked > 0.0;
    return r->unsolved ? HUGE_VAL : error + r->kinked / r->fast;
}

/* --- who sticks --------------------------------------------------------------------------------------------------- */

void carom_lzb_several_hold(struct carom_lzb_friction *r)
{
    const double time = r->size[0] / r->fast;
    r->discs->n = 0;
    for (size_t i = 0; i < r->n; i++) {
        oppose(r, i);
        r->starts[i] = 0.0;
        if (length_of(r->slip + 2 * i) <= hardly * r->still && cone(r, i) * mobility(r, i) * time > unmoved * r->exact)
            r->who[r->discs->n++] = i;
    }
    find_pulls(r, time, 0.0);
    for (size_t k = 0; k < r->discs->n; k++)
        r->starts[r->who[k]] = length_of(r->discs->slip + 2 * k) / time;
    memcpy(r->from + 3 * r->n, r->pull, 2 * r->n * sizeof *r->pull);
}

double carom_lzb_several_beyond(const struct carom_lzb_friction *r, size_t i)
{
    const double *slip = r->slip + 2 * i, *from = r->from + r->n + 2 * i, speed = length_of(slip);
    if (!holds_more(r, i) || r->slides[i] == CAROM_LZB_CONE_AWAY)
        return -r->fast;
    if (r->slides[i] == CAROM_LZB_CONE_REST)
        return speed > r->still ? r->fast : r->starts[i] * r->size[0] / r->fast - r->still;
    const double before = length_of(from), on = before > 0.0 ? (slip[0] * from[0] + slip[1] * from[1]) / before : speed;
    return fmax(0.5 * r->still - speed, -on);
}

void carom_lzb_several_share(struct carom_lzb_friction *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const bool slips = r->slides[i] == CAROM_LZB_CONE_SLIPS, rests = r->slides[i] == CAROM_LZB_CONE_REST;
        if (length_of(r->slip + 2 * i) > (slips ? 0.5 : 1.0) * r->still)
            r->slides[i] = CAROM_LZB_CONE_SLIPS;
        else if (slips)
            r->slides[i] = CAROM_LZB_CONE_REST;
        else if (rests && carom_lzb_several_beyond(r, i) > 0.0)
            r->slides[i] = CAROM_LZB_CONE_AWAY;
    }
}

double carom_lzb_several_reach(const struct carom_lzb_friction *r)
{
    double reach = HUGE_VAL;
    for (size_t i = 0; i < r->n; i++) {
        const double *slip = r->slip + 2 * i, speed = length_of(slip);
        if (!(cone(r, i) > 0.0) || speed <= hardly * r->still)
            continue;
        const double slows = -(slip[0] * pushed(r, i, 1) + slip[1] * pushed(r, i, 2)) / speed;
        reach = slows > 0.0 ? fmin(reach, nearly * speed / slows) : reach;
    }
    return reach;
}
