/* Islands of contacts, see friction_islands.h. */
#include "solve/contact/friction_islands.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "solve/contact/friction_parts.h"

enum { SMALL = 12 }; /* contacts of islands that are solved densely */

/* Factors by bodies lose digits where contacts stick at which nothing moves, as heaps that come to rest do, and factors
 * by contacts do not: those of so many contacts at most, which take a second, are tried where the others stall. */
enum { WHOLE = 1500 };

/* The room of a large island, and the pattern it is prepared for. */
struct carom_friction_islands_kept {
    size_t n, blocks;
    size_t *first, *column;
    struct carom_friction_room *room;
};

static void forget(struct carom_friction_islands_kept *kept)
{
    carom_memory_free_all(kept->first, kept->column);
    carom_friction_close(kept->room);
    *kept = (struct carom_friction_islands_kept){0};
}

void carom_friction_islands_close(struct carom_friction_islands *room)
{
    carom_memory_free_all(room->start, room->side, room->island, room->contact, room->place, room->begin, room->body,
                          room->pair, room->first, room->column, room->block, room->b, room->mu, room->r, room->u,
                          room->best, room->firm, room->wide);
    for (size_t i = 0; i < room->nkept; i++)
        forget(&room->kept[i]);
    carom_memory_free(room->kept);
    carom_friction_close(room->small);
    carom_friction_lemke_close(&room->lemke);
    carom_friction_marquardt_close(&room->marquardt);
    *room = (struct carom_friction_islands){0};
}

static enum carom_status no_memory(size_t n, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "contact problem: out of memory for %zu contacts", n);
}

static enum carom_status reserve(struct carom_friction_islands *room, const struct carom_friction_system *of,
                                 struct carom_error *error)
{
    const size_t old = room->n, n = of->n > old ? of->n + of->n / 2 + 16 : old, dim = of->dim;
    if (!room->small) {
        room->dim = dim;
        room->small = carom_friction_open(SMALL, dim, 0, error);
        room->wide = carom_memory_zeroed(SMALL * dim * SMALL * dim, sizeof *room->wide);
        if (!room->small || !room->wide)
            return no_memory(of->n, error);
    }
    if (of->bodies > room->bodies || !room->start) {
        if (!carom_memory_widen(&room->start, room->bodies + (room->start ? 1 : 0), of->bodies + 1,
                                sizeof *room->start) ||
            !carom_memory_widen(&room->body, room->bodies, of->bodies, sizeof *room->body))
            return no_memory(of->n, error);
        room->bodies = of->bodies;
    }
    if (n == old)
        return CAROM_OK;
    if (!carom_memory_widen(&room->side, 2 * old, 2 * n, sizeof *room->side) ||
        !carom_memory_widen(&room->pair, 2 * old, 2 * n, sizeof *room->pair) ||
        !carom_memory_widen(&room->island, old, n, sizeof *room->island) ||
        !carom_memory_widen(&room->contact, old, n, sizeof *room->contact) ||
        !carom_memory_widen(&room->place, old, n, sizeof *room->place) ||
        !carom_memory_widen(&room->begin, old > 0 ? old + 1 : 0, n + 1, sizeof *room->begin) ||
        !carom_memory_widen(&room->first, 2 * old, 2 * n, sizeof *room->first) ||
        !carom_memory_widen(&room->b, old * dim, n * dim, sizeof *room->b) ||
        !carom_memory_widen(&room->mu, old, n, sizeof *room->mu) ||
        !carom_memory_widen(&room->r, old * dim, n * dim, sizeof *room->r) ||
        !carom_memory_widen(&room->u, old * dim, n * dim, sizeof *room->u) ||
        !carom_memory_widen(&room->best, old * dim, n * dim, sizeof *room->best) ||
        !carom_memory_widen(&room->firm, old * dim, n * dim, sizeof *room->firm))
        return no_memory(of->n, error);
    room->n = n;
    return CAROM_OK;
}

/* --- who is joined to whom --------------------------------------------------------------------------------------- */

static void index_sides(struct carom_friction_islands *room, const struct carom_friction_system *of)
{
    memset(room->start, 0, (of->bodies + 1) * sizeof *room->start);
    for (size_t k = 0; k < 2 * of->n; k++)
        if (of->pair[k] < of->bodies)
            room->start[of->pair[k] + 1]++;
    for (size_t i = 0; i < of->bodies; i++)
        room->start[i + 1] += room->start[i];
    for (size_t k = 0; k < 2 * of->n; k++)
        if (of->pair[k] < of->bodies)
            room->side[room->start[of->pair[k]]++] = k;
    memmove(room->start + 1, room->start, of->bodies * sizeof *room->start);
    room->start[0] = 0;
}

/* marks all contacts joined to `from` as of this island; room->place is the queue */
static void spread(struct carom_friction_islands *room, const struct carom_friction_system *of, size_t from,
                   size_t island)
{
    size_t *queue = room->place, count = 0;
    queue[count++] = from;
    room->island[from] = island;
    for (size_t done = 0; done < count; done++)
        for (size_t s = 0; s < 2; s++) {
            const size_t body = of->pair[2 * queue[done] + s];
            for (size_t k = body < of->bodies ? room->start[body] : 0; body < of->bodies && k < room->start[body + 1];
                 k++) {
                const size_t other = room->side[k] / 2;
                if (room->island[other] != SIZE_MAX)
                    continue;
                room->island[other] = island;
                queue[count++] = other;
            }
        }
}

static void find_islands(struct carom_friction_islands *room, const struct carom_friction_system *of)
{
    room->nislands = 0;
    for (size_t i = 0; i < of->n; i++)
        room->island[i] = SIZE_MAX;
    for (size_t i = 0; i < of->n; i++)
        if (room->island[i] == SIZE_MAX)
            spread(room, of, i, room->nislands++);
    memset(room->begin, 0, (room->nislands + 1) * sizeof *room->begin);
    for (size_t i = 0; i < of->n; i++)
        room->begin[room->island[i] + 1]++;
    for (size_t k = 0; k < room->nislands; k++)
        room->begin[k + 1] += room->begin[k];
    for (size_t i = 0; i < of->n; i++) {
        room->place[i] = room->begin[room->island[i]]++;
        room->contact[room->place[i]] = i;
    }
    memmove(room->begin + 1, room->begin, room->nislands * sizeof *room->begin);
    room->begin[0] = 0;
}

/* --- W ----------------------------------------------------------------------------------------------------------- */

static void couple(const struct carom_friction_system *of, size_t side, size_t other, double *block)
{
    const size_t dim = of->dim, dof = of->width ? of->width[side] : of->dof;
    const double *h = of->h + (of->at ? of->at[side] : side * dim * dof);
    const double *response = of->response + (of->at ? of->at[other] : other * dim * dof);
    for (size_t k = 0; k < dim; k++)
        for (size_t l = 0; l < dim; l++)
            for (size_t m = 0; m < dof; m++)
                block[k * dim + l] += h[k * dof + m] * response[l * dof + m];
}

/* blocks of one contact, those of its two bodies merged so that columns rise; returns how many */
static size_t fill_row(const struct carom_friction_islands *room, const struct carom_friction_system *of, size_t i,
                       size_t *column, double *block)
{
    const size_t square = of->dim * of->dim, base = room->begin[room->island[i]];
    size_t at[2] = {0, 0}, end[2] = {0, 0}, count = 0;
    for (size_t s = 0; s < 2; s++)
        if (of->pair[2 * i + s] < of->bodies) {
            at[s] = room->start[of->pair[2 * i + s]];
            end[s] = room->start[of->pair[2 * i + s] + 1];
        }
    while (at[0] < end[0] || at[1] < end[1]) {
        size_t next = SIZE_MAX;
        for (size_t s = 0; s < 2; s++)
            if (at[s] < end[s] && room->side[at[s]] / 2 < next)
                next = room->side[at[s]] / 2;
        double *to = block + count * square;
        memset(to, 0, square * sizeof *to);
        column[count++] = room->place[next] - base;
        for (size_t s = 0; s < 2; s++)
            if (at[s] < end[s] && room->side[at[s]] / 2 == next)
                couple(of, 2 * i + s, room->side[at[s]++], to);
    }
    if (count > 0)
        return count;
    column[0] = room->place[i] - base; /* neither body moves: no impulse changes anything */
    memset(block, 0, square * sizeof *block);
    return 1;
}

static enum carom_status fill(struct carom_friction_islands *room, const struct carom_friction_system *of,
                              const double *r, struct carom_error *error)
{
    const size_t dim = of->dim;
    size_t most = of->n, used = 0;
    for (size_t k = 0; k < 2 * of->n; k++)
        most += of->pair[k] < of->bodies ? room->start[of->pair[k] + 1] - room->start[of->pair[k]] : 0;
    if (most > room->blocks) {
        const size_t blocks = most + most / 2;
        if (!carom_memory_widen(&room->column, room->blocks, blocks, sizeof *room->column) ||
            !carom_memory_widen(&room->block, room->blocks * dim * dim, blocks * dim * dim, sizeof *room->block))
            return no_memory(of->n, error);
        room->blocks = blocks;
    }
    for (size_t p = 0; p < of->n; p++) {
        const size_t i = room->contact[p], island = room->island[i];
        size_t *first = room->first + p + island;
        if (p == room->begin[island])
            first[0] = 0;
        const size_t count = fill_row(room, of, i, room->column + used, room->block + used * dim * dim);
        first[1] = first[0] + count;
        used += count;
        room->mu[p] = of->mu[i];
        memcpy(room->b + p * dim, of->b + i * dim, dim * sizeof *room->b);
        memcpy(room->r + p * dim, r + i * dim, dim * sizeof *room->r);
    }
    return CAROM_OK;
}

/* --- solving ----------------------------------------------------------------------------------------------------- */

static bool same_pattern(const struct carom_friction_islands_kept *kept, const struct carom_friction_problem *p)
{
    return kept->room && carom_friction_bodies_fit(&kept->room->bodies, p->n, p->arms) && kept->n == p->n &&
           kept->blocks == p->first[p->n] && memcmp(kept->first, p->first, (p->n + 1) * sizeof *p->first) == 0 &&
           memcmp(kept->column, p->column, kept->blocks * sizeof *p->column) == 0;
}

/* what the contacts of the island that begins with contact `at` do to its bodies, which are numbered as they come */
static struct carom_friction_arms arms_of(struct carom_friction_islands *room, const struct carom_friction_system *of,
                                          size_t at, size_t n)
{
    struct carom_friction_arms arms = {.dof = of->dof,
                                       .pair = room->pair + 2 * at,
                                       .contact = room->contact + at,
                                       .h = of->h,
                                       .response = of->response};
    const size_t *contact = arms.contact;
    for (int count = 0; count < 2; count++)
        for (size_t k = 0; k < 2 * n; k++) {
            const size_t body = of->pair[2 * contact[k / 2] + k % 2];
            if (body < of->bodies && count == 0)
                room->body[body] = SIZE_MAX;
            else if (body < of->bodies && room->body[body] == SIZE_MAX)
                room->body[body] = arms.n++;
        }
    for (size_t k = 0; k < 2 * n; k++) {
        const size_t body = of->pair[2 * contact[k / 2] + k % 2];
        room->pair[2 * at + k] = body < of->bodies ? room->body[body] : arms.n;
    }
    return arms;
}

/* the room of large island number k, for its pattern */
static enum carom_status keep(struct carom_friction_islands *room, size_t k, const struct carom_friction_problem *p,
                              struct carom_error *error)
{
    if (k >= room->nkept) {
        const size_t count = 2 * k + 4;
        if (!carom_memory_widen(&room->kept, room->nkept, count, sizeof *room->kept))
            return no_memory(p->n, error);
        room->nkept = count;
    }
    struct carom_friction_islands_kept *kept = &room->kept[k];
    if (same_pattern(kept, p))
        return CAROM_OK;
    forget(kept);
    kept->n = p->n;
    kept->blocks = p->first[p->n];
    kept->first = carom_memory_zeroed(p->n + 1, sizeof *kept->first);
    kept->column = carom_memory_zeroed(kept->blocks, sizeof *kept->column);
    if (!kept->first || !kept->column) {
        forget(kept);
        return no_memory(p->n, error);
    }
    memcpy(kept->first, p->first, (p->n + 1) * sizeof *p->first);
    memcpy(kept->column, p->column, kept->blocks * sizeof *p->column);
    kept->room = carom_friction_open(p->n, p->dim, kept->blocks, error);
    const enum carom_status status = kept->room ? carom_friction_prepare(kept->room, p, error) : error->status;
    if (status != CAROM_OK)
        forget(kept);
    return status;
}

static void widen(const struct carom_friction_problem *p, double *wide)
{
    const size_t dim = p->dim, width = p->n * dim;
    memset(wide, 0, width * width * sizeof *wide);
    for (size_t i = 0; i < p->n; i++)
        for (size_t l = p->first[i]; l < p->first[i + 1]; l++)
            for (size_t k = 0; k < dim; k++)
                memcpy(wide + (i * dim + k) * width + p->column[l] * dim, p->block + (l * dim + k) * dim,
                       dim * sizeof *wide);
}

static void solve_one(const struct carom_friction_problem *p, double tol, double *r, double *u,
                      struct carom_friction_report *report)
{
    carom_friction_local_solve(p->dim, p->block, p->b, p->mu[0], r);
    report->residual = carom_friction_residual(p, r, u);
    report->iterations = 1;
    report->solved = report->residual <= tol;
    report->reason = "a contact approaches and no impulse acts on it";
}

/* the island whose contacts begin with number `at`, in room number k, by bodies if it knows its arms */
static enum carom_status solve_large(struct carom_friction_islands *room, size_t k, struct carom_friction_problem *p,
                                     enum carom_friction_solver solver, const struct carom_friction_aims *aims,
                                     size_t at, struct carom_friction_report *report, struct carom_error *error)
{
    const enum carom_status status = keep(room, k, p, error);
    if (status == CAROM_OK)
        carom_friction_island_solve(room, p, false, solver, aims, room->kept[k].room, room->r + at * p->dim,
                                    room->best + at * p->dim, report);
    return status;
}

enum carom_status carom_friction_islands_solve(struct carom_friction_islands *room,
                                               const struct carom_friction_system *of,
                                               enum carom_friction_solver solver,
                                               const struct carom_friction_aims *aims, double *r,
                                               struct carom_friction_islands_report *report, struct carom_error *error)
{
    const size_t dim = of->dim;
    *report = (struct carom_friction_islands_report){.solved = true, .reason = ""};
    enum carom_status status = reserve(room, of, error);
    if (status != CAROM_OK || of->n == 0)
        return status;
    index_sides(room, of);
    find_islands(room, of);
    status = fill(room, of, r, error);
    size_t used = 0, large = 0;
    for (size_t k = 0; k < room->nislands && status == CAROM_OK; k++) {
        const size_t at = room->begin[k];
        struct carom_friction_problem p = {.n = room->begin[k + 1] - at,
                                           .dim = dim,
                                           .first = room->first + at + k,
                                           .column = room->column + used,
                                           .block = room->block + used * dim * dim,
                                           .b = room->b + at * dim,
                                           .mu = room->mu + at};
        struct carom_friction_report part = {.reason = ""};
        used += p.first[p.n];
        if (p.n == 1) {
            solve_one(&p, aims->tol, room->r + at * dim, room->u, &part);
        } else if (p.n <= SMALL) {
            widen(&p, room->wide);
            carom_friction_island_solve(room, &p, true, solver, aims, room->small, room->r + at * dim,
                                        room->best + at * dim, &part);
        } else {
            const struct carom_friction_arms arms = arms_of(room, of, at, p.n);
            p.arms = !of->at && (of->dof == 3 || of->dof == 6) ? &arms : NULL; /* what blocks may be factored */
            status = solve_large(room, large, &p, solver, aims, at, &part, error);
            if (status == CAROM_OK && p.arms && !part.solved && p.n <= WHOLE) {
                const size_t done = part.iterations;
                p.arms = NULL;
                status = solve_large(room, large + 1, &p, solver, aims, at, &part, error);
                part.iterations += done;
            }
            large += 2;
        }
        report->iterations += part.iterations;
        if (part.residual > report->residual || !(part.residual == part.residual) || (report->solved && !part.solved)) {
            report->residual = part.residual;
            report->contact = room->contact[at];
            report->count = p.n;
            report->reason = part.reason;
        }
        report->solved = report->solved && part.solved;
    }
    for (size_t p = 0; p < of->n && status == CAROM_OK; p++)
        memcpy(r + room->contact[p] * dim, room->r + p * dim, dim * sizeof *r);
    return status;
}

enum carom_status carom_friction_islands_problem(const struct carom_friction_islands *room,
                                                 struct carom_friction_data *data, struct carom_error *error)
{
    const size_t n = room->begin[room->nislands], dim = room->dim, square = dim * dim;
    size_t blocks = 0, used = 0;
    for (size_t island = 0; island < room->nislands; island++)
        blocks += room->first[room->begin[island + 1] + island];
    if (carom_friction_data_open(data, n, dim, blocks, error) != CAROM_OK)
        return error->status;
    for (size_t p = 0; p < n; p++) {
        const size_t *first = room->first + p + room->island[room->contact[p]];
        data->first[room->contact[p] + 1] = first[1] - first[0];
    }
    for (size_t i = 0; i < n; i++)
        data->first[i + 1] += data->first[i];
    for (size_t p = 0; p < n; p++) {
        const size_t i = room->contact[p], base = room->begin[room->island[i]], at = data->first[i];
        const size_t count = data->first[i + 1] - at;
        for (size_t l = 0; l < count; l++)
            data->column[at + l] = room->contact[base + room->column[used + l]];
        memcpy(data->block + at * square, room->block + used * square, count * square * sizeof *data->block);
        memcpy(data->b + i * dim, room->b + p * dim, dim * sizeof *data->b);
        data->mu[i] = room->mu[p];
        used += count;
    }
    return CAROM_OK;
}
