/* Blows in a bounded number of steps, see blow_path.h. The springs' forces are those of the middle of a step, and the
 * order of the contacts turns round from step to step: both for order 2. */
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
    PIECES = 8,    /* of a small impulse near which the slip may stop */
    SECULAR = 40   /* Newton's steps for a slip in space */
};

/* parts of the energy at the start that may be left over: to be given back, and in all */
static const double faint = 1e-11, spent = 1e-6;
static const double blur = 1e-13;  /* of the fastest approach: rates below it are rounding */
static const double lasting = 3.0; /* a blow takes so long, in the time of its depth at its speed */
static const double shaky = 1e-13; /* part of the largest mobility below which a slip has none */

bool carom_blow_path_reserve(struct carom_blow_path *path, size_t n)
{
    if (n <= path->room)
        return true;
    carom_blow_path_close(path);
    double **const all[] = {&path->energy, &path->owed, &path->deep, &path->debt};
    const size_t room = n + n / 2;
    bool good = (path->own = carom_memory_zeroed(room, sizeof *path->own)) != NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        good &= (*all[i] = carom_memory_zeroed(room, sizeof(double))) != NULL;
    path->room = good ? room : 0;
    return good;
}

void carom_blow_path_close(struct carom_blow_path *path)
{
    void *const all[] = {path->energy, path->owed, path->deep, path->debt, path->own};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        carom_memory_free(all[i]);
    *path = (struct carom_blow_path){0};
}

/* Steps of the shortest blow; where no contact gives anything back only its friction has a path. */
static size_t steps_of(const struct carom_blow_path_problem *of)
{
    const size_t blocks = of->first[of->n], share = SHARE / (blocks > 0 ? blocks : 1);
    double e = 0.0;
    for (size_t i = 0; i < of->n; i++)
        e = fmax(e, of->e[i]);
    const size_t fine = share > FINE ? FINE : share, steps = e > 0.0 ? fine : fine / PLASTIC;
    return steps < COARSE ? COARSE : steps;
}

/* --- a small impulse of one contact ----------------------------------------------------------------------------- */

/* What one contact does: its own block of W, and its rates as they change. */
struct small {
    size_t dim;
    const double *a;
    double mu, u[3], r[3];
    double work; /* that its normal impulse has taken */
};

/* The slips' own mobility: eigenvalues and the direction of the first. */
struct spread {
    double value[2], c, s;
};

static struct spread spread_of(const struct small *b)
{
    if (b->dim == 2)
        return (struct spread){.value = {b->a[3], b->a[3]}, .c = 1.0};
    const double x = b->a[4], y = b->a[8], z = 0.5 * (b->a[5] + b->a[7]), mean = 0.5 * (x + y), half = 0.5 * (x - y);
    const double turn = sqrt(half * half + z * z);
    /* the eigenvector of mean + turn, from the longer of two ways to write it */
    const double c = half >= 0.0 ? half + turn : z, s = half >= 0.0 ? z : turn - half;
    const double length = sqrt(c * c + s * s);
    return length > 0.0 ? (struct spread){{mean + turn, mean - turn}, c / length, s / length}
                        : (struct spread){{mean, mean}, 1.0, 0.0};
}

/* q = - (part S + more)^-1 m; its length */
static double answer(const struct spread *of, double part, double more, const double m[2], double q[2])
{
    const double along = of->c * m[0] + of->s * m[1], across = of->c * m[1] - of->s * m[0];
    const double x = -along / (part * of->value[0] + more), y = -across / (part * of->value[1] + more);
    q[0] = of->c * x - of->s * y;
    q[1] = of->s * x + of->c * y;
    return sqrt(x * x + y * y);
}

/* how |q| of `answer` falls with `more`, over |q|^3 */
static double falls(const struct spread *of, double more, const double m[2])
{
    const double along = of->c * m[0] + of->s * m[1], across = of->c * m[1] - of->s * m[0];
    const double x = 0.5 * of->value[0] + more, y = 0.5 * of->value[1] + more;
    return along * along / (x * x * x) + across * across / (y * y * y);
}

/* Friction of a small normal impulse p, at most mu p. Where it can it ends the slip, if that takes energy; else it
 * opposes the slip in the middle, or keeps it at 0 there: its work is mu p times that slip and not below 0. True: it
 * ends the slip. */
static bool rub(const struct small *b, double p, double q[2])
{
    struct spread of = spread_of(b);
    const size_t dim = b->dim;
    const double most = b->mu * p, least = shaky * (b->a[0] + of.value[0]);
    double m[2] = {0.0}, end[2] = {0.0};
    q[0] = q[1] = 0.0;
    if (!(most > 0.0))
        return true;
    for (size_t k = 1; k < dim; k++) {
        m[k - 1] = b->u[k] + 0.5 * b->a[k * dim] * p;
        end[k - 1] = b->u[k] + b->a[k * dim] * p;
    }
    for (size_t k = 0; k < 2; k++)
        of.value[k] = fmax(of.value[k], least);
    if (answer(&of, 1.0, 0.0, end, q) <= most && q[0] * b->u[1] + (dim == 3 ? q[1] * b->u[2] : 0.0) <= 0.0)
        return true;
    double length = answer(&of, 0.5, 0.0, m, q), more = 0.0;
    for (int turn = 0; turn < SECULAR && length > most * (1.0 + 1e-15); turn++) {
        /* 1 / |q| is nearly straight, and bent so that Newton's steps stay on one side */
        more += (length / most - 1.0) * length * length / falls(&of, more, m);
        length = answer(&of, 0.5, more, m, q);
    }
    for (size_t k = 0; k < 2 && length > most; k++)
        q[k] *= most / length;
    return false;
}

static bool give(struct small *b, double p)
{
    const size_t dim = b->dim;
    double r[3] = {p, 0.0, 0.0};
    const bool ends = rub(b, p, r + 1);
    const double before = b->u[0];
    for (size_t k = 0; k < dim; k++) {
        for (size_t l = 0; l < dim; l++)
            b->u[k] += b->a[k * dim + l] * r[l];
        b->r[k] += r[k];
    }
    b->work -= 0.5 * p * (before + b->u[0]);
    return ends;
}

/* an impulse p, in pieces where the slip may turn round in it */
static struct small push(const struct small *from, double p)
{
    struct small b = *from;
    const size_t dim = b.dim;
    double slip = 0.0, change = 0.0;
    for (size_t k = 1; k < dim; k++) {
        slip += b.u[k] * b.u[k];
        change += fabs(b.a[k * dim]) + b.mu * b.a[k * dim + k];
    }
    if (give(&b, p) || slip > 4.0 * change * change * p * p)
        return b;
    b = *from;
    for (int k = 0; k < PIECES; k++)
        give(&b, p / PIECES);
    return b;
}

/* --- a contact -------------------------------------------------------------------------------------------------- */

/* one that acts: its law, what it has stored, and how its rates change */
struct acting {
    const struct carom_blow_path_problem *of;
    struct carom_blow_path *path;
    size_t i;
    struct small b;
};

static double depth(const struct carom_blow_path_problem *of, size_t i, double energy)
{
    const double x = (1.0 + of->p[i]) * energy / of->k[i];
    return energy > 0.0 ? carom_power(x, 1.0 / (1.0 + of->p[i])) : 0.0;
}

static double force(const struct carom_blow_path_problem *of, size_t i, double x)
{
    return x > 0.0 ? of->k[i] * carom_lzb_power(x, of->p[i]) : 0.0;
}

/* presses by p, or until the bodies are nearest; returns the rest of p */
static double press(struct acting *c, double p)
{
    struct small b = push(&c->b, p);
    double used = p;
    for (int turn = 0; turn < 3 && b.u[0] > c->path->quiet; turn++) {
        used *= c->b.u[0] / (c->b.u[0] - b.u[0]);
        b = push(&c->b, used);
    }
    c->path->energy[c->i] += b.work - c->b.work;
    c->path->owed[c->i] += c->of->e[c->i] * used;
    c->path->debt[c->i] = 0.0;
    c->b = b;
    return b.u[0] < -c->path->quiet ? 0.0 : p - used;
}

/* Stronge: gives back p, or so much of it that its work is e^2 of what is stored */
static void spring_back(struct acting *c, double p)
{
    double *energy = &c->path->energy[c->i];
    const double e = c->of->e[c->i], most = e * e * *energy;
    struct small b = push(&c->b, p);
    bool all = false; /* `most` was too much for p */
    for (int turn = 0; turn < 8 && c->b.work - b.work > most; turn++) {
        const double slope = (b.u[0] - c->b.u[0]) / p, square = c->b.u[0] * c->b.u[0] + 2.0 * slope * most;
        const double next = square > 0.0 ? 2.0 * most / (c->b.u[0] + sqrt(square)) : 0.5 * p;
        p = turn > 1 || !(next < p) ? p * 0.999 * most / (c->b.work - b.work) : next * (1.0 - 1e-15);
        b = push(&c->b, p);
        all = true;
    }
    const double given = c->b.work - b.work;
    if (given > most) /* nothing that was tried is small enough */
        return;
    *energy = all && given > 0.99 * most ? 0.0 : fmin(*energy - given / (e * e), *energy);
    c->b = b;
}

/* Poisson: what is stored where so much is owed goes as that of an elastic spring does */
static double stored(const struct carom_blow_path *path, size_t i, double owed)
{
    const double paid = 1.0 - owed / path->debt[i];
    return owed > 0.0 ? path->deep[i] * (1.0 - paid * paid) : 0.0;
}

/* gives back so much of what is owed as the force in the middle of h comes to */
static void pay_back(struct acting *c, double h)
{
    struct carom_blow_path *path = c->path;
    const size_t i = c->i;
    if (!(path->debt[i] > 0.0)) {
        path->debt[i] = path->owed[i];
        path->deep[i] = path->energy[i];
    }
    const double half = 0.5 * h * force(c->of, i, depth(c->of, i, path->energy[i]));
    const double then = stored(path, i, path->owed[i] - half);
    const double p = then > 0.0 ? h * force(c->of, i, depth(c->of, i, then)) : path->owed[i];
    const double part = fmin(p, path->owed[i]);
    c->b = push(&c->b, part);
    path->owed[i] -= part;
    path->energy[i] = stored(path, i, path->owed[i]);
}

static void let_go(struct carom_blow_path *path, size_t i)
{
    path->energy[i] = path->owed[i] = path->debt[i] = 0.0;
}

/* the impulse of a step h in which the spring is pressed, by the force in its middle */
static double due_in(const struct acting *c, double h)
{
    return h * force(c->of, c->i, depth(c->of, c->i, c->path->energy[c->i]) - 0.5 * h * c->b.u[0]);
}

/* Stronge: the same of one that springs back; if it lets go in the step more than it has */
static double due_out(const struct acting *c, double h)
{
    const double e = c->of->e[c->i], stored = c->path->energy[c->i], u = c->b.u[0], most = e * e * stored;
    const double x = depth(c->of, c->i, stored), back = h * fmax(u, 0.0) / (e * e);
    return x > back ? h * force(c->of, c->i, x - 0.5 * back) : 4.0 * most / (u + sqrt(u * u + 2.0 * c->b.a[0] * most));
}

static void act(struct acting *c, double h)
{
    struct carom_blow_path *path = c->path;
    const size_t i = c->i;
    if (c->b.u[0] < -path->quiet) {
        const double p = due_in(c, h);
        h *= press(c, p) / p;
    }
    if (c->b.u[0] < -path->quiet || !(h > 0.0))
        return;
    if (c->of->e[i] > 0.0 && path->energy[i] > 0.0 && c->of->law == CAROM_LZB_RUB_POISSON)
        pay_back(c, h);
    else if (c->of->e[i] > 0.0 && path->energy[i] > 0.0)
        spring_back(c, due_out(c, h));
    else
        path->energy[i] = 0.0;
    if (!(path->energy[i] > 0.0))
        let_go(path, i);
}

/* --- the path --------------------------------------------------------------------------------------------------- */

/* contact i acts for a step h, and all that it is joined to move */
static void move(struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i, double h)
{
    const size_t dim = of->dim, square = dim * dim;
    double *u = of->u + dim * i;
    if (!(of->block[path->own[i] * square] > 0.0) || (!(path->energy[i] > 0.0) && !(u[0] < -path->quiet)))
        return;
    struct acting c = {
        .of = of, .path = path, .i = i, .b = {.dim = dim, .a = of->block + path->own[i] * square, .mu = of->mu[i]}};
    memcpy(c.b.u, u, dim * sizeof *u);
    act(&c, h);
    for (size_t k = 0; k < dim; k++)
        of->impulse[dim * i + k] += c.b.r[k];
    for (size_t l = of->first[i]; l < of->first[i + 1]; l++)
        for (size_t k = 0; k < dim; k++) /* W is symmetric: the row of i is its column */
            for (size_t m = 0; m < dim; m++)
                of->u[of->column[l] * dim + m] += of->block[l * square + k * dim + m] * c.b.r[k];
}

/* energy that contact i has stored, and that of its approach */
static double energy_of(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, size_t i)
{
    const double in = -of->u[of->dim * i], mobility = of->block[path->own[i] * of->dim * of->dim];
    return path->energy[i] + (in > path->quiet && mobility > 0.0 ? 0.5 * in * in / mobility : 0.0);
}

/* what contacts might still give back */
static double left_over(const struct carom_blow_path *path, const struct carom_blow_path_problem *of)
{
    double again = 0.0;
    for (size_t i = 0; i < of->n; i++)
        again += of->e[i] * of->e[i] * energy_of(path, of, i);
    return again;
}

/* Is as good as nothing left of `start`? Contacts with e = 0 that others press chatter for long: what they take is lost
 * in any case, and they need not be followed to the last digit. */
static bool is_over(const struct carom_blow_path *path, const struct carom_blow_path_problem *of, double start)
{
    double sum = 0.0;
    for (size_t i = 0; i < of->n; i++)
        sum += energy_of(path, of, i);
    return sum <= spent * start && left_over(path, of) <= faint * start;
}

static void begin(struct carom_blow_path *path, const struct carom_blow_path_problem *of)
{
    memset(of->impulse, 0, of->n * of->dim * sizeof *of->impulse);
    for (size_t i = 0; i < of->n; i++) {
        let_go(path, i);
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
    const double h = step_of(path, of, fast);
    for (size_t step = 0, most = (BLOWS + FURTHER * (of->n - 1)) * steps_of(of); step < most; step++) {
        for (size_t i = 0; i < of->n; i++)
            move(path, of, step % 2 == 0 ? i : of->n - 1 - i, h);
        if (is_over(path, of, start))
            return true;
    }
    path->left = left_over(path, of);
    return false;
}
