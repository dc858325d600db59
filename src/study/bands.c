/* Bands of crystals, see bands.h. Bodies are alike if their springs are, in direction, stiffness and whom they lead to;
 * the ways between bodies alike to one in the middle shift the crystal onto itself. */
#include "study/bands.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "solve/eigen.h"

#define TWO_PI 6.28318530717958647692
#define PLACE 1e-3 /* of a way: ways that differ less are the same; loads strain a crystal by about as much */
#define STIFF 1e-6 /* relative: stiffnesses that differ less are the same; statics leave rounding */
#define REACH 6.0  /* diameters: shifts are looked for up to here */

enum { MOST_SHIFTS = 512, MOST_LINKS = 32 * CAROM_BANDS_CELL };

/* --- who is like whom -------------------------------------------------------------------------------------------- */

static bool same(double a, double b)
{
    return fabs(a - b) <= STIFF * fmax(fabs(a), fabs(b));
}

/* the spring as seen from one of its bodies */
static double sign_of(const struct carom_spring *spring, size_t body)
{
    return spring->body[0] == body ? 1.0 : -1.0;
}

static size_t other_of(const struct carom_spring *spring, size_t body)
{
    return spring->body[0] == body ? spring->body[1] : spring->body[0];
}

static bool same_body(const struct carom_springs *s, size_t i, size_t j)
{
    const struct carom_body *a = &s->bodies->body[i], *b = &s->bodies->body[j];
    return a->surface == b->surface && a->fixed == b->fixed && same(a->mass, b->mass) && same(a->radius, b->radius) &&
           same(a->inertia, b->inertia);
}

static bool same_spring(const struct carom_springs *s, const struct carom_spring *p, size_t i,
                        const struct carom_spring *q, size_t j)
{
    double apart = 0.0;
    for (int k = 0; k < 3; k++)
        apart = fmax(apart, fabs(sign_of(p, i) * p->normal[k] - sign_of(q, j) * q->normal[k]));
    return apart < PLACE && same(p->along, q->along) && same(p->across, q->across) &&
           (isinf(p->length) == isinf(q->length)) &&
           (isinf(p->length) || fabs(p->length - q->length) < PLACE * p->length) &&
           same_body(s, other_of(p, i), other_of(q, j));
}

static bool alike(const struct carom_springs *s, size_t i, size_t j)
{
    const size_t count = s->first[i + 1] - s->first[i];
    if (!same_body(s, i, j) || s->first[j + 1] - s->first[j] != count)
        return false;
    for (size_t x = s->first[i]; x < s->first[i + 1]; x++) {
        bool found = false;
        for (size_t y = s->first[j]; y < s->first[j + 1] && !found; y++)
            found = same_spring(s, &s->spring[s->of[x]], i, &s->spring[s->of[y]], j);
        if (!found)
            return false;
    }
    return true;
}

static bool is_ball(const struct carom_springs *s, size_t i)
{
    const struct carom_body *body = &s->bodies->body[i];
    return body->surface == CAROM_BALL && !body->inside && !body->fixed;
}

static size_t middle_of(const struct carom_springs *s)
{
    double mean[3] = {0.0}, least = HUGE_VAL, count = 0.0;
    size_t middle = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3 && is_ball(s, i); k++)
            mean[k] += s->centre[i][k];
    for (size_t i = 0; i < s->n; i++)
        count += is_ball(s, i) ? 1.0 : 0.0;
    for (size_t i = 0; i < s->n; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (s->centre[i][k] - mean[k] / count) * (s->centre[i][k] - mean[k] / count);
        if (is_ball(s, i) && s->first[i + 1] > s->first[i] && square < least * (1.0 - 1e-9)) {
            least = square;
            middle = i;
        }
    }
    return middle;
}

/* the shortest way, through joined sides */
static void way_between(const struct carom_springs *s, size_t from, size_t to, double way[3])
{
    for (int k = 0; k < 3; k++) {
        const double side = s->bodies->high[k] - s->bodies->low[k];
        way[k] = s->centre[to][k] - s->centre[from][k];
        if (s->bodies->bounded && s->bodies->periodic[k])
            way[k] -= side * floor(way[k] / side + 0.5);
    }
}

static size_t find_shifts(const struct carom_springs *s, size_t middle, double (*shift)[3])
{
    const double reach = REACH * 2.0 * s->bodies->largest;
    size_t count = 0;
    for (size_t i = 0; i < s->n && count < MOST_SHIFTS; i++) {
        double way[3];
        way_between(s, middle, i, way);
        if (i != middle && is_ball(s, i) && carom_vec_norm(way) < reach && alike(s, middle, i))
            memcpy(shift[count++], way, sizeof way);
    }
    return count;
}

/* --- the cell ---------------------------------------------------------------------------------------------------- */

/* Is body i, seen from body j of the cell, a whole number of edges away? */
static bool is_shifted(const struct carom_bands *b, const double way[3], int shift[3])
{
    for (size_t k = 0; k < 3; k++) {
        const double edges = carom_vec_dot(b->reciprocal[k], way) / TWO_PI, whole = floor(edges + 0.5);
        if (k < b->dimension && fabs(edges - whole) > 20.0 * PLACE)
            return false;
        shift[k] = (int)whole;
    }
    return true;
}

/* The body of the cell that a spring leads to, in which cell; SIZE_MAX: a body that is not in it yet. */
static size_t find_end(const struct carom_bands *b, double (*place)[3], const double to[3], size_t body, int shift[3])
{
    for (size_t j = 0; j < b->nbodies; j++) {
        const double way[3] = {to[0] - place[j][0], to[1] - place[j][1], to[2] - place[j][2]};
        if (same_body(b->springs, b->body[j], body) && is_shifted(b, way, shift))
            return j;
    }
    return SIZE_MAX;
}

static enum carom_status not_repeating(const struct carom_springs *s, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_REFUSED,
                           "the %zu springs do not repeat themselves around the middle of the crystal, so there are no "
                           "bands; --force gives every contact the same load, --modes writes normal modes",
                           s->nsprings);
}

/* The link of body i's spring to body `end`, `shift` cells away: half of it, as the other end finds it too. */
static struct carom_bands_link make_link(const struct carom_bands *b, size_t i, const struct carom_spring *spring,
                                         size_t end, const int shift[3])
{
    const int side = spring->body[0] == b->body[i] ? 0 : 1;
    struct carom_bands_link link = {.spring = *spring};
    link.body[side] = i;
    link.body[1 - side] = end;
    for (int k = 0; k < 3; k++)
        link.shift[k] = side == 0 ? shift[k] : -shift[k];
    link.spring.along *= 0.5;
    link.spring.across *= 0.5;
    link.spring.force *= 0.5;
    return link;
}

/* Follows springs from the middle: each new body joins the cell. */
static enum carom_status follow(struct carom_bands *b, struct carom_error *error)
{
    const struct carom_springs *s = b->springs;
    double place[CAROM_BANDS_CELL][3] = {{0.0}};
    for (size_t i = 0; i < b->nbodies; i++)
        for (size_t x = s->first[b->body[i]]; x < s->first[b->body[i] + 1]; x++) {
            const struct carom_spring *spring = &s->spring[s->of[x]];
            const size_t other = other_of(spring, b->body[i]);
            int shift[3] = {0};
            double to[3];
            for (int k = 0; k < 3; k++)
                to[k] = place[i][k] + sign_of(spring, b->body[i]) * spring->way[k];
            size_t end = find_end(b, place, to, other, shift);
            if (!is_ball(s, other) || b->nlinks == MOST_LINKS || (end == SIZE_MAX && b->nbodies == CAROM_BANDS_CELL))
                return not_repeating(s, error);
            if (end == SIZE_MAX) {
                end = b->nbodies++;
                b->body[end] = other;
                memcpy(place[end], to, sizeof to);
                memset(shift, 0, sizeof shift);
            }
            b->link[b->nlinks++] = make_link(b, i, spring, end, shift);
        }
    return CAROM_OK;
}

static void invert(struct carom_bands *b)
{
    double cross[3][3];
    for (int k = 0; k < 3; k++)
        carom_vec_cross(b->edge[(k + 1) % 3], b->edge[(k + 2) % 3], cross[k]);
    const double volume = carom_vec_dot(b->edge[0], cross[0]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            b->reciprocal[k][i] = TWO_PI * cross[k][i] / volume;
}

static enum carom_status find_cell(struct carom_bands *b, struct carom_error *error)
{
    const struct carom_springs *s = b->springs;
    double shift[MOST_SHIFTS][3];
    const size_t middle = middle_of(s);
    if (middle == SIZE_MAX || !carom_bands_path_choose(b, shift, find_shifts(s, middle, shift)))
        return not_repeating(s, error);
    invert(b);
    b->body[b->nbodies++] = middle;
    b->link = carom_memory_zeroed(MOST_LINKS, sizeof *b->link);
    if (b->link == NULL)
        return carom_memory_error_for(error, "the bands of a crystal");
    const enum carom_status status = follow(b, error);
    if (status != CAROM_OK)
        return status;
    b->nbranches = b->nbodies * carom_springs_freedom(s);
    const size_t n = 2 * b->nbranches;
    b->matrix = carom_memory_zeroed(n * n + 2 * n, sizeof *b->matrix);
    return b->matrix != NULL ? CAROM_OK : carom_memory_error_for(error, "the bands of a crystal");
}

enum carom_status carom_bands_find(const struct carom_springs *springs, struct carom_bands *bands,
                                   struct carom_error *error)
{
    *bands = (struct carom_bands){.springs = springs, .dimension = springs->bodies->dimension};
    const enum carom_status status = find_cell(bands, error);
    if (status != CAROM_OK)
        carom_bands_free(bands);
    return status;
}

void carom_bands_free(struct carom_bands *bands)
{
    carom_memory_free_all(bands->link, bands->matrix);
    *bands = (struct carom_bands){0};
}

/* --- waves ------------------------------------------------------------------------------------------------------- */

void carom_bands_vector(const struct carom_bands *b, const double at[3], double k[3])
{
    for (int i = 0; i < 3; i++)
        k[i] = at[0] * b->reciprocal[0][i] + at[1] * b->reciprocal[1][i] +
               (b->dimension == 3 ? at[2] * b->reciprocal[2][i] : 0.0);
}

/* stiffness x conj(c) c^T of one stretch, c having a phase at its second end; as a real matrix (A, -B; B, A) */
static void add_stretch(const struct carom_bands *b, const struct carom_bands_link *link,
                        const struct carom_stretch *stretch, double phase, double *a)
{
    const struct carom_springs *s = b->springs;
    const size_t freedom = carom_springs_freedom(s), n = 2 * b->nbranches;
    const double turn[2][2] = {{1.0, 0.0}, {cos(phase), sin(phase)}};
    for (size_t x = 0; x < 2 * freedom; x++)
        for (size_t y = 0; y < 2 * freedom; y++) {
            const size_t i = x / freedom, j = y / freedom, of_x = x % freedom, of_y = y % freedom;
            const size_t row = link->body[i] * freedom + of_x, column = link->body[j] * freedom + of_y;
            const double weight = stretch->stiffness * stretch->share[i][of_x] * stretch->share[j][of_y] /
                                  sqrt(carom_springs_inertia(s, b->body[link->body[i]], of_x) *
                                       carom_springs_inertia(s, b->body[link->body[j]], of_y));
            const double real = weight * (turn[i][0] * turn[j][0] + turn[i][1] * turn[j][1]);
            const double imaginary = weight * (turn[i][0] * turn[j][1] - turn[i][1] * turn[j][0]);
            a[row * n + column] += real;
            a[(row + n / 2) * n + column + n / 2] += real;
            a[row * n + column + n / 2] -= imaginary;
            a[(row + n / 2) * n + column] += imaginary;
        }
}

enum carom_status carom_bands_waves(const struct carom_bands *b, const double at[3], double *omega,
                                    struct carom_error *error)
{
    const size_t n = 2 * b->nbranches;
    double *value = b->matrix + n * n;
    memset(b->matrix, 0, n * n * sizeof *b->matrix);
    for (size_t j = 0; j < b->nlinks; j++) {
        const struct carom_bands_link *link = &b->link[j];
        struct carom_stretch stretch[CAROM_SPRINGS_STRETCHES];
        const size_t count = carom_springs_stretches(b->springs, &link->spring, stretch);
        double phase = 0.0;
        for (size_t k = 0; k < b->dimension; k++)
            phase += TWO_PI * at[k] * link->shift[k];
        for (size_t r = 0; r < count; r++)
            add_stretch(b, link, &stretch[r], phase, b->matrix);
    }
    if (!carom_eigen_symmetric(n, b->matrix, value, value + n))
        return carom_error_set(error, CAROM_E_NUMERIC, "the branches at (%g, %g, %g) could not be found", at[0], at[1],
                               at[2]);
    const double largest = fmax(fabs(value[0]), fabs(value[n - 1]));
    for (size_t k = 0; k < b->nbranches; k++)
        omega[k] = carom_springs_omega(0.5 * (value[2 * k] + value[2 * k + 1]), largest);
    return CAROM_OK;
}
