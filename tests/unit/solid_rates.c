/* Rates and drag of links: those of an unloaded body, turned as it may be, are differences of elastic forces; the rates
 * of dilatation are differences of pressures, also in a strained body; there the drag conserves momentum and angular
 * momentum, takes the power it says, and leaves rigid motion alone. Threads change no bit. Any room
 * of doubles will do. */
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid_rates.h"
#include "solids.h"

enum { BODIES = 6 };

static const char *const names[BODIES] = {"box", "two materials", "shell", "one cell", "plane strain", "plane stress"};

static struct carom_solid *body(int which)
{
    static const double origin[3] = {-0.4, 0.2, 0.1}, size[3] = {0.3, 0.36, 1.9}, flat[3] = {0.5, 1.9, 0.0};
    const struct carom_solid_material m = {1.0, 0.25, 1.0}, soft = {0.3, 0.4, 2.0};
    const uint32_t some[5] = {0, 3, 4, 9, 16};
    if (which == 2)
        return carom_solid_cylinder(5, 21, 1.0, 7.0, 0.3, origin, &m, NULL);
    if (which >= 4)
        return carom_solid_box(which == 4 ? CAROM_SOLID_STRAIN : CAROM_SOLID_STRESS, (const size_t[]){3, 21, 1}, flat,
                               origin, 1.0, &m, NULL);
    const size_t count[3] = {which == 3 ? 1 : 3, which == 3 ? 1 : 3, which == 3 ? 1 : 21};
    struct carom_solid *s = carom_solid_box(CAROM_SOLID_SPACE, count, size, origin, 1.0, &m, NULL);
    if (s && which == 1)
        CHECK_STATUS(carom_solid_fill(s, &soft, 5, some, NULL), CAROM_OK);
    return s;
}

struct trial {
    struct carom_solid *s;
    struct carom_random random;
    double *q, *moved, *w, *f, *other, *pressure, *room;
    struct carom_solid_frozen frozen;
};

static void open_trial(struct trial *t, int which)
{
    t->s = body(which);
    CHECK_OR_STOP(t->s != NULL && t->s->rates != NULL);
    carom_random_start(&t->random, 17 + (uint64_t)which);
    t->q = solid_rest(t->s);
    t->moved = carom_memory_zeroed(t->s->wide * t->s->n, sizeof *t->moved);
    t->w = carom_memory_zeroed((3 * t->s->fast + 1) * t->s->n, sizeof *t->w);
    t->room = carom_memory_zeroed(carom_solid_rates_room(t->s->rates), sizeof *t->room);
    CHECK_OR_STOP(t->moved != NULL && t->w != NULL && t->room != NULL);
    t->frozen = carom_solid_rates_frozen(t->s->rates, t->room);
    t->f = t->w + t->s->fast * t->s->n;
    t->other = t->f + t->s->fast * t->s->n;
    t->pressure = t->other + t->s->fast * t->s->n;
}

static void close_trial(struct trial *t)
{
    carom_memory_free(t->q);
    carom_memory_free(t->moved);
    carom_memory_free(t->w);
    carom_memory_free(t->room);
    carom_solid_free(t->s);
}

/* a cell's velocity and spin as three numbers each */
static void motion(const struct carom_solid *s, const double *w, size_t i, double v[3], double spin[3])
{
    const double *at = w + s->fast * i;
    for (int k = 0; k < 3; k++) {
        v[k] = k < s->dimension ? at[k] : 0.0;
        spin[k] = s->dimension == 3 ? at[3 + k] : k == 2 ? at[2] : 0.0;
    }
}

/* moved = q on its way along w for the time h: displacements straight on, turns by the exponential */
static void move(const struct trial *t, double h)
{
    const struct carom_solid *s = t->s;
    for (size_t i = 0; i < s->n; i++) {
        double v[3], spin[3], turn[4], from[4], to[4];
        motion(s, t->w, i, v, spin);
        const double rate = carom_vec_norm(spin), angle = 0.5 * h * rate;
        turn[0] = cos(angle);
        for (int k = 0; k < 3; k++)
            turn[1 + k] = rate > 0.0 ? sin(angle) / rate * spin[k] : 0.0;
        carom_solid_quaternion(s, t->q, i, from);
        carom_quat_product(turn, from, to);
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            t->moved[s->wide * i + k] = t->q[s->wide * i + k] + h * v[k];
        if (s->dimension == 3) {
            memcpy(t->moved + 7 * i + 3, to, sizeof to);
        } else {
            t->moved[4 * i + 2] = to[0];
            t->moved[4 * i + 3] = to[3];
        }
    }
}

static void random_motion(struct trial *t)
{
    for (size_t i = 0; i < t->s->fast * t->s->n; i++)
        t->w[i] = carom_random_normal(&t->random);
}

/* all cells as one body, through the places where they are now */
static void rigid_motion(struct trial *t)
{
    const struct carom_solid *s = t->s;
    const double v[3] = {0.7, -0.4, 0.3},
                 spin[3] = {s->dimension == 3 ? 0.5 : 0.0, s->dimension == 3 ? -0.9 : 0.0, 1.3};
    for (size_t i = 0; i < s->n; i++) {
        double x[3] = {0.0, 0.0, 0.0}, sweep[3];
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            x[k] = s->centre[i][k] + t->q[s->wide * i + k];
        carom_vec_cross(spin, x, sweep);
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            t->w[s->fast * i + k] = v[k] + sweep[k];
        for (size_t k = (size_t)s->dimension; k < s->fast; k++)
            t->w[s->fast * i + k] = s->dimension == 3 ? spin[k - 3] : spin[2];
    }
}

static void shake(struct trial *t, double size)
{
    double *w = t->w;
    random_motion(t);
    move(t, size);
    memcpy(t->q, t->moved, t->s->wide * t->s->n * sizeof *w);
}

static double largest_of(const double *x, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* The slopes of elastic forces, in `other`, or of pressures along w: differences of fourth order. */
static void slopes(struct trial *t, bool forces)
{
    const double h = 4e-5, at[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const size_t n = forces ? t->s->fast * t->s->n : t->s->n;
    memset(t->other, 0, n * sizeof *t->other);
    for (int k = 0; k < 4; k++) {
        move(t, at[k] * h);
        solid_forces(t->s, NULL, 0.0, t->moved, t->f, t->pressure);
        for (size_t i = 0; i < n; i++)
            t->other[i] += weight[k] / (12.0 * h) * (forces ? t->f[i] : t->pressure[i]);
    }
}

static void check_unloaded(int which)
{
    struct trial t;
    open_trial(&t, which);
    const size_t n = t.s->fast * t.s->n;
    /* turned by more than a radian, and still without strain */
    const double spin = t.s->dimension == 3 ? sqrt(0.25 + 0.81 + 1.69) : 1.3;
    for (size_t i = 0; i < t.s->n; i++) {
        const double axis[3] = {t.s->dimension == 3 ? 0.5 / spin : 0.0, t.s->dimension == 3 ? -0.9 / spin : 0.0,
                                1.3 / spin};
        const double turn[4] = {cos(0.5 * spin), sin(0.5 * spin) * axis[0], sin(0.5 * spin) * axis[1],
                                sin(0.5 * spin) * axis[2]};
        double *q = t.q + t.s->wide * i, shift[3];
        carom_quat_shift(turn, t.s->centre[i], shift);
        memcpy(q, shift, (size_t)t.s->dimension * sizeof *q);
        q[t.s->dimension] = turn[0];
        if (t.s->dimension == 3)
            memcpy(q + 4, turn + 1, 3 * sizeof *q);
        else
            q[3] = turn[3];
    }
    random_motion(&t);
    slopes(&t, true);
    carom_solid_rates_freeze(t.s->rates, &t.frozen, NULL, t.q);
    const double power = carom_solid_rates_drag(t.s->rates, &t.frozen, NULL, t.w, t.f);
    const double largest = largest_of(t.other, n);
    double off = 0.0, found = 0.0;
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, fabs(t.f[i] - t.other[i]));
        found -= t.f[i] * t.w[i];
    }
    printf("%s: drag off the slope of forces by %.1e of %.1e\n", names[which], off, largest);
    CHECK(which == 3 ? off == 0.0 && largest == 0.0 : off < 1e-8 * largest);
    CHECK_NEAR(power, found, 1e-13 * largest * (double)n);
    CHECK(which == 3 || power > 0.0);
    close_trial(&t);
}

/* momentum and angular momentum that f puts into the body at q */
static double momenta_of(const struct trial *t)
{
    const struct carom_solid *s = t->s;
    double p[3] = {0.0, 0.0, 0.0}, l[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->n; i++) {
        double force[3], torque[3], x[3] = {0.0, 0.0, 0.0}, moment[3];
        motion(s, t->f, i, force, torque);
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            x[k] = s->centre[i][k] + t->q[s->wide * i + k];
        carom_vec_cross(x, force, moment);
        for (int k = 0; k < 3; k++) {
            p[k] += force[k];
            l[k] += moment[k] + torque[k];
        }
    }
    return sqrt(carom_vec_dot(p, p) + carom_vec_dot(l, l));
}

static void check_strained(int which)
{
    struct trial t;
    open_trial(&t, which);
    const size_t n = t.s->fast * t.s->n;
    shake(&t, 0.02);
    random_motion(&t);
    carom_solid_rates_freeze(t.s->rates, &t.frozen, NULL, t.q);
    const double power = carom_solid_rates_drag(t.s->rates, &t.frozen, NULL, t.w, t.f), largest = largest_of(t.f, n);
    double found = 0.0;
    for (size_t i = 0; i < n; i++)
        found -= t.f[i] * t.w[i];
    CHECK_NEAR(power, found, 1e-13 * largest * (double)n);
    CHECK(momenta_of(&t) <= 1e-14 * largest * (double)n);
    slopes(&t, false);
    double off = 0.0, fastest = largest_of(t.frozen.push, t.s->n);
    for (size_t i = 0; i < t.s->n; i++)
        off = fmax(off, fabs(t.other[i] - t.frozen.push[i]));
    CHECK(off <= 1e-8 * fastest);
    rigid_motion(&t);
    const double rest = carom_solid_rates_drag(t.s->rates, &t.frozen, NULL, t.w, t.f);
    printf("%s, strained: rates of pressures off by %.1e of %.1e, rigid motion dragged by %.1e\n", names[which], off,
           fastest, largest_of(t.f, n));
    CHECK(largest_of(t.f, n) <= 1e-13 * largest && fabs(rest) <= 1e-26 * power * (double)n);
    close_trial(&t);
}

static void check_threads(int which)
{
    struct trial t;
    open_trial(&t, which);
    const size_t bytes = t.s->fast * t.s->n * sizeof(double);
    shake(&t, 0.02);
    random_motion(&t);
    carom_solid_rates_freeze(t.s->rates, &t.frozen, NULL, t.q);
    const double power = carom_solid_rates_drag(t.s->rates, &t.frozen, NULL, t.w, t.other);
    for (size_t count = 2; count <= 5; count++) {
        struct carom_threads *threads = carom_threads_create(count);
        CHECK_OR_STOP(threads != NULL);
        carom_solid_rates_freeze(t.s->rates, &t.frozen, threads, t.q);
        const double again = carom_solid_rates_drag(t.s->rates, &t.frozen, threads, t.w, t.f);
        CHECK(memcmp(&power, &again, sizeof power) == 0 && memcmp(t.f, t.other, bytes) == 0);
        carom_threads_free(threads);
    }
    close_trial(&t);
}

/* Wherever the room begins, pairs stand at places of registers, and all that is laid out ends within the room. */
static void check_room(int which)
{
    struct trial t;
    open_trial(&t, which);
    double *all = carom_memory_zeroed(4 + carom_solid_rates_room(t.s->rates), sizeof *all);
    for (size_t ahead = 0; ahead < 4; ahead++) {
        double *room = all + ahead;
        const struct carom_solid_frozen f = carom_solid_rates_frozen(t.s->rates, room);
        CHECK((uintptr_t)f.pair % 16 == 0 && (double *)f.pair >= room);
        CHECK(f.loss + t.s->n <= room + carom_solid_rates_room(t.s->rates));
    }
    carom_memory_free(all);
    close_trial(&t);
}

int main(void)
{
    for (int which = 0; which < BODIES; which++) {
        check_unloaded(which);
        check_strained(which);
        check_threads(which);
        check_room(which);
    }
    return check_end();
}
