/* Room, residual and who solves what. The residual of contact i is |w r - P_K(w r - u - (mu |u_T|, 0))|, w its weight,
 * in units of velocity; the largest one is compared with the largest |b|. */
#include "solve/contact/friction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/contact/friction_parts.h"

enum { ROWS = 14 };
enum { HEAP = 100 }; /* contacts beyond which Newton's matrices are factored by bodies */
#define PRODUCTS 3e8 /* of blocks in one factorisation: seconds */

void carom_friction_close(struct carom_friction_room *room)
{
    if (!room)
        return;
    carom_block_factor_close(&room->factor);
    carom_friction_bodies_close(&room->bodies);
    carom_memory_free_all(room->numbers, room->index, room);
}

static bool take(struct carom_friction_room *room)
{
    const size_t n = room->n, dim = room->dim, blocks = room->dense ? n * n : room->blocks, square = dim * dim;
    const size_t basis = room->dense ? 3 : CAROM_FRICTION_BASIS;
    room->numbers = carom_memory_zeroed(
        (ROWS + basis) * n * dim + n + 3 * n * square + (room->dense ? 2 : 1) * blocks * square, sizeof(double));
    room->index = carom_memory_zeroed(2 * n + 1 + (room->dense ? blocks : 0), sizeof(size_t));
    if (!room->numbers || !room->index)
        return false;
    double *next = room->numbers;
    double **rows[] = {&room->best, &room->trial, &room->velocity};
    for (size_t k = 0; k < ROWS; k++, next += n * dim)
        *(k < 3 ? rows[k] : &room->row[k - 3]) = next;
    room->basis = next;
    next += basis * n * dim;
    room->weight = next;
    room->alone = next + n;
    room->left = room->alone + n * square;
    room->inverse = room->left + n * square;
    room->matrix = room->inverse + n * square;
    room->block = room->dense ? room->matrix + blocks * square : NULL;
    room->diagonal = room->index;
    room->first = room->index + n;
    room->column = room->first + n + 1;
    return true;
}

struct carom_friction_room *carom_friction_open(size_t n, size_t dim, size_t blocks, struct carom_error *error)
{
    if (dim < 2 || dim > CAROM_FRICTION_MOST_DIM)
        return carom_error_set(error, CAROM_E_INPUT, "contact problem: dimension must be 2 or 3, got %zu", dim), NULL;
    struct carom_friction_room *room = carom_memory_zeroed(1, sizeof *room);
    const bool few = n >> 16 <= (size_t)1 << (blocks == 0 ? 4 : 16) && blocks >> 20 <= (size_t)1 << 20;
    if (room)
        *room = (struct carom_friction_room){.n = n, .dim = dim, .blocks = blocks, .dense = blocks == 0};
    if (!room || !few || !take(room)) {
        carom_friction_close(room);
        carom_error_set(error, CAROM_E_MEMORY, "contact problem: out of memory for %zu contacts", n);
        return NULL;
    }
    if (room->dense) {
        if (carom_block_factor_open_dense(&room->factor, n, dim, error) != CAROM_OK) {
            carom_friction_close(room);
            return NULL;
        }
        room->factored = room->exact = true;
    }
    return room;
}

enum carom_status carom_friction_prepare(struct carom_friction_room *room, const struct carom_friction_problem *problem,
                                         struct carom_error *error)
{
    if (problem->matrix || problem->n != room->n || problem->dim != room->dim || problem->first[room->n] > room->blocks)
        return carom_error_set(error, CAROM_E_INPUT, "contact problem: the room was opened for another problem");
    const struct carom_friction_arms *arms = room->n > HEAP ? problem->arms : NULL;
    carom_block_factor_close(&room->factor);
    carom_friction_bodies_close(&room->bodies);
    const double larger = arms ? (double)arms->dof / (double)room->dim : 1.0, cost = larger * larger * larger;
    const enum carom_status status =
        arms ? carom_friction_bodies_open(&room->bodies, room->n, arms, PRODUCTS / cost, error)
             : carom_block_factor_open(&room->factor, room->n, room->dim, problem->first, problem->column, PRODUCTS,
                                       error);
    const struct carom_block_factor *factor = arms ? &room->bodies.factor : &room->factor;
    room->factored = status == CAROM_OK;
    room->exact = factor->exact;
    room->products = cost * factor->products;
    return status;
}

void carom_friction_watch(struct carom_friction_room *room,
                          bool (*watch)(void *own, size_t iterations, double residual), void *own)
{
    room->watch = watch;
    room->own = own;
}

bool carom_friction_go_on(struct carom_friction_room *room, size_t iterations, double residual)
{
    room->least = residual < room->least ? residual : room->least;
    if (room->watch && !room->stopped)
        room->stopped = !room->watch(room->own, iterations, room->least);
    return !room->stopped;
}

/* A dense matrix as blocks, in the room. */
static void copy_dense(const struct carom_friction_problem *problem, struct carom_friction_room *room)
{
    const size_t n = problem->n, dim = problem->dim, width = n * dim;
    double *to = room->block;
    for (size_t i = 0; i < n; i++) {
        room->first[i] = i * n;
        for (size_t j = 0; j < n; j++) {
            room->column[i * n + j] = j;
            for (size_t k = 0; k < dim; k++)
                for (size_t l = 0; l < dim; l++)
                    *to++ = problem->matrix[(i * dim + k) * width + j * dim + l];
        }
    }
    room->first[n] = n * n;
}

static double largest_diagonal(size_t dim, const double *block)
{
    double most = 0.0;
    for (size_t k = 0; k < dim; k++)
        most = block[k * dim + k] > most ? block[k * dim + k] : most;
    return most > 0.0 ? most : 1.0;
}

static double largest(size_t count, const double *x)
{
    double most = 0.0;
    for (size_t k = 0; k < count; k++)
        most = fabs(x[k]) > most ? fabs(x[k]) : most;
    return most;
}

static struct carom_friction_view look(const struct carom_friction_problem *problem, struct carom_friction_room *room)
{
    struct carom_friction_view view = {problem->n,
                                       problem->dim,
                                       problem->first,
                                       problem->column,
                                       room->diagonal,
                                       problem->block,
                                       problem->b,
                                       problem->mu,
                                       room->weight,
                                       0.0,
                                       room->bodies.n > 0 ? problem->arms : NULL};
    if (problem->matrix) {
        copy_dense(problem, room);
        view.first = room->first;
        view.column = room->column;
        view.block = room->block;
        if (room->factor.n != problem->n)
            carom_block_factor_whole(&room->factor, problem->n);
        room->products = room->factor.products;
    }
    const size_t square = view.dim * view.dim;
    for (size_t i = 0; i < view.n; i++) {
        size_t k = view.first[i];
        while (k + 1 < view.first[i + 1] && view.column[k] != i)
            k++;
        room->diagonal[i] = k;
        room->weight[i] = largest_diagonal(view.dim, view.block + k * square);
    }
    view.speed = largest(view.n * view.dim, view.b);
    return view;
}

/* |w r - P_K(w r - u - (mu |u_T|, 0))|: the largest component; NaN if one is. Where the projection does nothing this is
 * u itself, which a huge r must not swallow. */
static double miss(size_t dim, double weight, double mu, const double *r, const double *u)
{
    double z[CAROM_FRICTION_MOST_DIM] = {0.0}, v[CAROM_FRICTION_MOST_DIM] = {0.0}, slip = 0.0, worst = 0.0,
           poison = 0.0;
    for (size_t k = 0; k < dim; k++) {
        v[k] = u[k];
        slip += k > 0 ? u[k] * u[k] : 0.0;
    }
    v[0] += mu * (dim == 2 ? fabs(u[1]) : sqrt(slip));
    for (size_t k = 0; k < dim; k++)
        z[k] = weight * r[k] - v[k];
    const bool moved = carom_friction_local_project(dim, mu, z);
    for (size_t k = 0; k < dim; k++) {
        const double part = moved ? fabs(weight * r[k] - z[k]) : fabs(v[k]);
        poison += 0.0 * part + 0.0 * u[k]; /* the projection hides what is no number */
        worst = part > worst ? part : worst;
    }
    return poison == 0.0 ? worst : nan("");
}

/* The largest part of the natural map of r, in units of velocity, u given. NaN if anything is. */
static double distance(const struct carom_friction_view *view, const double *r, const double *u)
{
    const size_t dim = view->dim;
    double worst = 0.0, poison = 0.0;
    for (size_t i = 0; i < view->n; i++) {
        const double part = miss(dim, view->weight[i], view->mu[i], r + i * dim, u + i * dim);
        poison += 0.0 * part;
        worst = part > worst ? part : worst;
    }
    return poison == 0.0 ? worst : nan("");
}

/* Where nothing moves any impulse is wrong, and compared with itself. */
static double size_of(double speed, double impulse)
{
    return speed > 0.0 ? speed : impulse;
}

static double largest_push(const struct carom_friction_view *view, const double *r)
{
    double most = 0.0;
    for (size_t i = 0; i < view->n; i++) {
        const double part = view->weight[i] * largest(view->dim, r + i * view->dim);
        most = part > most ? part : most;
    }
    return most;
}

static double relative(double worst, double size)
{
    return worst == 0.0 ? 0.0 : worst / size;
}

static double residual_of(const struct carom_friction_view *view, const double *r, const double *u)
{
    return relative(distance(view, r, u), size_of(view->speed, view->speed > 0.0 ? 0.0 : largest_push(view, r)));
}

double carom_friction_judge(const struct carom_friction_view *view, const double *r, double *u)
{
    carom_friction_sweep_velocity(view, r, u);
    return residual_of(view, r, u);
}

double carom_friction_best(const struct carom_friction_view *view, const double *trial, double *u, double *r,
                           double best)
{
    const double residual = carom_friction_judge(view, trial, u);
    if (!(residual < best))
        return best;
    memcpy(r, trial, view->n * view->dim * sizeof *r);
    return residual;
}

/* Without a room: the dense matrix or the blocks are gone through once. */
double carom_friction_residual(const struct carom_friction_problem *problem, const double *r, double *u)
{
    const size_t n = problem->n, dim = problem->dim, width = n * dim;
    double worst = 0.0, poison = 0.0, impulse = 0.0;
    for (size_t i = 0; i < n; i++) {
        double diagonal[CAROM_FRICTION_MOST_DIM * CAROM_FRICTION_MOST_DIM] = {0.0};
        for (size_t k = 0; k < dim; k++) {
            double sum = problem->b[i * dim + k];
            if (problem->matrix) {
                const double *row = problem->matrix + (i * dim + k) * width;
                for (size_t j = 0; j < width; j++)
                    sum += row[j] * r[j];
                memcpy(diagonal + k * dim, row + i * dim, dim * sizeof *diagonal);
            } else {
                for (size_t l = problem->first[i]; l < problem->first[i + 1]; l++) {
                    const double *row = problem->block + l * dim * dim + k * dim;
                    for (size_t m = 0; m < dim; m++)
                        sum += row[m] * r[problem->column[l] * dim + m];
                    if (problem->column[l] == i)
                        memcpy(diagonal + k * dim, row, dim * sizeof *diagonal);
                }
            }
            u[i * dim + k] = sum;
        }
        const double weight = largest_diagonal(dim, diagonal), push = weight * largest(dim, r + i * dim);
        const double part = miss(dim, weight, problem->mu[i], r + i * dim, u + i * dim);
        poison += 0.0 * part;
        worst = part > worst ? part : worst;
        impulse = push > impulse ? push : impulse;
    }
    return poison == 0.0 ? relative(worst, size_of(largest(width, problem->b), impulse)) : nan("");
}

/* Is what is left of every contact within tol or the rounding of its own sum? Asked only where the residual is too
 * large: light bodies that bear heavy ones can do no better. Impulses that grow without end hide nothing here. */
static bool rounding(const struct carom_friction_view *view, const double *r, const double *u, double tol)
{
    const size_t dim = view->dim, square = dim * dim;
    for (size_t i = 0; i < view->n; i++) {
        double sum = largest(dim, view->b + i * dim);
        for (size_t l = view->first[i]; l < view->first[i + 1]; l++)
            sum += largest(square, view->block + l * square) * largest(dim, r + view->column[l] * dim);
        const double part = miss(dim, view->weight[i], view->mu[i], r + i * dim, u + i * dim);
        const double noise = 4.0 * DBL_EPSILON * sum, most = 1e-4 * view->speed;
        if (!(part <= (noise < most ? noise : most) + tol * view->speed))
            return false;
    }
    return true;
}

static void clean(const struct carom_friction_view *view, double *r)
{
    for (size_t i = 0; i < view->n; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < view->dim; k++)
            sum += 0.0 * r[i * view->dim + k];
        if (sum != 0.0)
            memset(r + i * view->dim, 0, view->dim * sizeof *r);
        carom_friction_local_project(view->dim, view->mu[i], r + i * view->dim);
    }
}

static const char *reason_of(const struct carom_friction_view *view, const double *r, double residual)
{
    if (!(residual == residual))
        return "the matrix, the vector or mu holds a number that is not finite";
    for (size_t i = 0; i < view->n; i++) {
        const double *block = view->block + view->diagonal[i] * view->dim * view->dim;
        if (block[0] <= 0.0 && view->b[i * view->dim] < 0.0)
            return "a contact approaches and no impulse acts on it (its rows are zero): there is no solution";
    }
    if (largest_push(view, r) > 1e6 * view->speed)
        return "the impulses grow without end: the problem seems to have no solution";
    return "the solvers came to a stop above the tolerance";
}

void carom_friction_solve(const struct carom_friction_problem *problem, enum carom_friction_solver solver, double tol,
                          size_t most, struct carom_friction_room *room, double *r, double *u,
                          struct carom_friction_report *report)
{
    *report = (struct carom_friction_report){.solver = solver, .reason = ""};
    const struct carom_friction_view view = look(problem, room);
    clean(&view, r);
    carom_friction_sweep_velocity(&view, r, u);
    report->residual = residual_of(&view, r, u);
    memcpy(room->best, r, view.n * view.dim * sizeof *r);
    room->least = report->residual;
    room->stopped = false;
    carom_friction_hunt_run(&view, solver, tol, most, room, r, report);
    carom_friction_sweep_velocity(&view, r, u);
    report->residual = residual_of(&view, r, u);
    report->solved = (report->residual <= tol || rounding(&view, r, u, tol)) &&
                     largest_push(&view, r) <= 1e14 * view.speed; /* beyond that a residual is all rounding */
    if (!report->solved)
        report->reason = room->stopped ? "stopped before the end" : reason_of(&view, r, report->residual);
}
