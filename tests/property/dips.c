/* Contacts that begin and end within a time in which a step of dp5 would fit several times over: a bead is thrown up to
 * a wall and just reaches it, by any law and any overshoot; one that rests on a wall is let go from just so low that it
 * comes off for a moment; a dent is left for a moment. Against an integration of its own in long double: flights in
 * closed form, contacts by small steps of Runge and Kutta in the laws' textbook forms. */
#include "carom/carom.h"
#include "check.h"
#include "draws.h"
#include "runs.h"

typedef long double real;

enum { MOST = 140 }; /* bodies */

enum law { HERTZ, LINEAR, DASHPOT, BISTIFF, WALTON_BRAUN, LAWS };
enum phase { FREE, IN, OUT }; /* IN: first loading; OUT: along the second line */

/* A bead of mass 1 at a wall, d: overlap, r: its rate. A weight pulls it off the wall, or towards it. */
struct bead {
    enum law law;
    real k, second; /* gamma, es or k2 */
    real pull;
    real d, r, t;
    enum phase phase;
    real dent; /* of bistiff: the centre; of walton-braun: where the second line begins */
};

static real force(const struct bead *b, real d, real r)
{
    const real x = d - b->dent;
    if (b->phase == FREE)
        return 0.0L;
    if (b->law == WALTON_BRAUN)
        return b->phase == IN ? b->k * d : b->second * x;
    if (b->law == BISTIFF) { /* stiffer by es^-3 on its way out, so that the force goes on */
        const real es = b->phase == OUT ? b->second * b->second : 1.0L;
        return x > 0.0L ? b->k * x / es * sqrtl(x / es) : 0.0L;
    }
    if (b->law == HERTZ)
        return d > 0.0L ? b->k * d * sqrtl(d) : 0.0L;
    return b->k * d + (b->law == DASHPOT ? b->second * b->k * r : 0.0L);
}

static void contact_step(const struct bead *b, real h, real *d, real *r)
{
    real kd[4], kr[4], x = *d, u = *r;
    for (int s = 0; s < 4; s++) {
        kd[s] = u;
        kr[s] = b->pull - force(b, x, u);
        const real part = s < 2 ? 0.5L * h : h;
        x = *d + part * kd[s];
        u = *r + part * kr[s];
    }
    *d += h / 6.0L * (kd[0] + 2.0L * (kd[1] + kd[2]) + kd[3]);
    *r += h / 6.0L * (kr[0] + 2.0L * (kr[1] + kr[2]) + kr[3]);
}

/* below 0: the phase is over */
static real lasting(const struct bead *b, real d, real r)
{
    const bool turns = b->law == BISTIFF || b->law == WALTON_BRAUN;
    if (b->phase == IN)
        return turns ? r : d;
    if (b->law == WALTON_BRAUN) {
        const real yields = b->dent - (1.0L - b->k / b->second) * d;
        return d - b->dent < yields ? d - b->dent : yields;
    }
    return b->law == BISTIFF && b->phase == OUT ? d - b->dent : d;
}

static void turn(struct bead *b)
{
    const bool turns = b->law == BISTIFF || b->law == WALTON_BRAUN;
    if (b->phase == IN && turns) {
        b->phase = OUT;
        b->dent =
            b->law == BISTIFF ? b->d - b->second * b->second * (b->d - b->dent) : (1.0L - b->k / b->second) * b->d;
    } else if (b->law == WALTON_BRAUN && b->d - b->dent > b->dent - (1.0L - b->k / b->second) * b->d) {
        b->phase = IN; /* yields again */
    } else {
        b->phase = FREE;
    }
}

/* the time left until a flight from overlap d gets to `border`, coming from below or above; HUGE_VALL: never */
static real flies(const struct bead *b, real border, bool up)
{
    const real y = border - b->d, square = b->r * b->r + 2.0L * b->pull * y;
    if (square < 0.0L)
        return HUGE_VALL;
    const real root = sqrtl(square), one = (-b->r + root) / b->pull, two = (-b->r - root) / b->pull;
    real best = HUGE_VALL;
    const real all[2] = {one, two};
    for (int i = 0; i < 2; i++) /* the rate at the border is that of its crossing */
        if (all[i] > 1e-14L && (b->r + b->pull * all[i] > 0.0L) == up && all[i] < best)
            best = all[i];
    return best;
}

static void fly(struct bead *b, real until)
{
    const bool dented = b->law == WALTON_BRAUN && b->dent > 0.0L;
    const bool bistiff = b->law == BISTIFF && b->dent > 0.0L; /* keeps its centre until it is met again */
    const real meets = flies(b, dented || bistiff ? b->dent : 0.0L, true);
    const real opens = dented ? flies(b, 0.0L, false) : HUGE_VALL;
    real h = until - b->t;
    const bool met = meets < h && meets <= opens, opened = opens < h && opens < meets;
    h = met ? meets : opened ? opens : h;
    b->d += h * (b->r + 0.5L * b->pull * h);
    b->r += h * b->pull;
    b->t += h;
    if (opened)
        b->dent = 0.0L;
    if (met)
        b->phase = dented ? OUT : IN;
}

static void move(struct bead *b, real until, real step)
{
    while (b->t < until) {
        if (b->phase == FREE) {
            fly(b, until);
            continue;
        }
        real h = step < until - b->t ? step : until - b->t, d = b->d, r = b->r;
        contact_step(b, h, &d, &r);
        const bool over = lasting(b, d, r) < 0.0L;
        real low = 0.0L, high = h;
        for (int half = 0; over && half < 70; half++) {
            const real middle = 0.5L * (low + high);
            d = b->d;
            r = b->r;
            contact_step(b, middle, &d, &r);
            *(lasting(b, d, r) < 0.0L ? &high : &low) = middle;
        }
        h = high;
        d = b->d;
        r = b->r;
        contact_step(b, h, &d, &r);
        b->d = d;
        b->r = r;
        b->t = over || h < until - b->t ? b->t + h : until;
        if (over)
            turn(b);
    }
}

/* the end of a run, and its scales */
struct outcome {
    double q, v, length, speed;
    uint64_t steps;
    size_t nq;
    double all[MOST]; /* velocities */
};

static struct outcome run(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_sim(text);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    struct outcome o = {.q = sim->view->q[0],
                        .v = sim->view->v[0],
                        .length = sim->scales.length,
                        .speed = sim->scales.speed,
                        .steps = sim->state->step,
                        .nq = sim->view->nq};
    memcpy(o.all, sim->view->v, (o.nq < MOST ? o.nq : MOST) * sizeof(double));
    carom_sim_free(sim);
    return o;
}

static void law_text(const struct bead *b, char *text, size_t room)
{
    static const char *const form[] = {"{law: hertz, k: %.17g}", "{law: linear-dashpot, k: %.17g, gamma: 0}",
                                       "{law: linear-dashpot, k: %.17g, gamma: %.17g}",
                                       "{law: bistiff, k: %.17g, es: %.17g}",
                                       "{law: walton-braun, k1: %.17g, k2: %.17g}"};
    snprintf(text, room, form[b->law], (double)b->k, (double)b->second);
}

/* place and velocity at the end, `toward` (1, -1) being the direction of the wall; begun with speed v */
static void exact(struct bead b, double speed, double until, double toward, double *q, double *v)
{
    const real start = b.d;
    b.r = (real)speed;
    const real slow = 3.14L / sqrtl(b.k), struck = 3.2L * powl(b.k, -0.4L) * powl(0.01L, -0.2L);
    move(&b, (real)until,
         5e-4L * (b.law == HERTZ || b.law == BISTIFF ? struck : slow) / (b.second > 1.0L ? 1.5L : 1.0L));
    *q = toward * (double)(b.d - start);
    *v = toward * (double)b.r;
}

/* The error of a run in units of what it may be: tol, and what the motion itself differs by if it begins faster or
 * slower by tol, since those that just touch are as sensitive as can be. */
static double error_of(const struct bead *b, const char *text, double speed, double until, double toward, double tol,
                       struct outcome *o)
{
    double q[3], v[3];
    *o = run(text);
    for (int i = 0; i < 3; i++)
        exact(*b, speed + (i - 1) * tol * o->speed, until, toward, &q[i], &v[i]);
    const double dq = fabs(o->q - q[1]) / o->length, dv = fabs(o->v - v[1]) / o->speed;
    const double may_q = tol + fmax(fabs(q[2] - q[1]), fabs(q[0] - q[1])) / o->length;
    const double may_v = tol + fmax(fabs(v[2] - v[1]), fabs(v[0] - v[1])) / o->speed;
    return fmax(dq / may_q, dv / may_v);
}

static struct bead draw(struct carom_random *random, enum law law)
{
    struct bead b = {.law = law, .k = (real)pow(10.0, draw_between(random, 2.0, 7.0))};
    b.second = law == DASHPOT        ? (real)draw_between(random, 0.05, 0.6) / sqrtl(b.k)
               : law == BISTIFF      ? (real)draw_between(random, 0.4, 0.95)
               : law == WALTON_BRAUN ? b.k * (real)draw_between(random, 1.2, 3.0)
                                     : 0.0L;
    return b;
}

/* thrown up to a wall, and further by `over` if it were not there */
static void thrown(struct carom_random *random)
{
    enum { TIMES = 24 };
    for (int i = 0; i < LAWS * TIMES; i++) {
        struct bead b = draw(random, (enum law)(i % LAWS));
        const double over = pow(10.0, draw_between(random, -7.0, -2.0)),
                     tol = pow(10.0, draw_between(random, -8.0, -3.0));
        const double speed = sqrt(1.0 + 2.0 * over);
        char law[200], text[1000];
        b.pull = -1.0L;
        b.d = -0.5L;
        law_text(&b, law, sizeof law);
        snprintf(text, sizeof text,
                 "units: none\ngravity: -1\nbodies: [bead: {mass: 1}, wall: {side: right, gap: 0.5}]\ncontacts: %s\n"
                 "start: [{body: 1, velocity: %.17g}]\nrun: {until: 1.8, tol: %.17g}\n",
                 law, speed, tol);
        struct outcome o;
        const double worst = error_of(&b, text, speed, 1.8, 1.0, tol, &o);
        CHECK(worst <= 10.0);
        CHECK(o.steps < 5000);
        if (!(worst <= 10.0))
            fprintf(stderr, "thrown %d: over %g tol %g %s: %g of what it may be, v %.9g\n", i, over, tol, law, worst,
                    o.v);
    }
}

/* thrown down on a wall by so little that it comes off for a moment only; or leaves a dent for a moment */
static void pressed(struct carom_random *random)
{
    enum { TIMES = 30 };
    for (int i = 0; i < 3 * TIMES; i++) {
        struct bead b = draw(random, i % 3 == 0 ? HERTZ : i % 3 == 1 ? LINEAR : WALTON_BRAUN);
        b.k = b.law == WALTON_BRAUN ? 100.0L : b.k;
        b.second = b.law == WALTON_BRAUN ? b.k * (real)draw_between(random, 1.5, 2.5) : 0.0L;
        const double tol = pow(10.0, draw_between(random, -8.0, -4.0));
        const double speed = b.law == WALTON_BRAUN ? draw_between(random, 0.25, 0.33)
                                                   : pow(10.0, draw_between(random, -4.0, -1.0)) / sqrt((double)b.k);
        const double until = b.law == WALTON_BRAUN ? 1.2 : 20.0 / sqrt((double)b.k);
        char law[200], text[1000];
        b.pull = 1.0L;
        b.phase = IN;
        law_text(&b, law, sizeof law);
        snprintf(text, sizeof text,
                 "units: none\ngravity: -1\nbodies: [wall: {side: left}, bead: {mass: 1}]\ncontacts: %s\n"
                 "start: [{body: 1, velocity: -%.17g}]\nrun: {until: %.17g, tol: %.17g}\n",
                 law, speed, until, tol);
        struct outcome o;
        const double worst = error_of(&b, text, speed, until, -1.0, tol, &o);
        CHECK(worst <= 10.0);
        if (!(worst <= 10.0))
            fprintf(stderr, "pressed %d: speed %g tol %g %s: %g of what it may be, v %.9g\n", i, speed, tol, law, worst,
                    o.v);
    }
}

/* those that were passed over */
static void two_scenes(void)
{
    const struct outcome up =
        run("units: none\ngravity: -1\nbodies: [bead: {mass: 1}, wall: {side: right, gap: 0.5}]\n"
            "contacts: {law: hertz, k: 1e6}\nstart: [{body: 1, velocity: 1.001}]\nrun: {until: 1.8, tol: 1e-7}\n");
    struct bead b = {.law = HERTZ, .k = 1e6L, .pull = -1.0L, .d = -0.5L};
    double q, v;
    exact(b, 1.001, 1.8, 1.0, &q, &v);
    CHECK_NEAR(up.v, v, 1e-6);
    CHECK_NEAR(up.v, -0.8664, 1e-4);
    const struct outcome dent =
        run("units: none\ngravity: -1\nbodies: [wall: {side: left}, bead: {mass: 1}]\n"
            "contacts: {law: walton-braun, k1: 100, k2: 200}\nstart: [{body: 1, velocity: -0.2895}]\n"
            "run: {until: 1.2, tol: 1e-9}\n");
    b = (struct bead){.law = WALTON_BRAUN, .k = 100.0L, .second = 200.0L, .pull = 1.0L, .phase = IN};
    exact(b, 0.2895, 1.2, -1.0, &q, &v);
    CHECK_NEAR(dent.v, v, 1e-9 * dent.speed);
}

/* Every other bead of a chain is thrown at its neighbour, held back by a force or a spring, and just reaches it;
 * against verlet in small steps. The blocks and pairs in which chains are looked at are all met. */
static void held_back(struct carom_random *random)
{
    enum { TIMES = 12 };
    for (int i = 0; i < TIMES; i++) {
        const int n = i % 4 == 3 ? 2 * (int)(33 + carom_random_below(random, 30)) : 2 * (int)(1 + i);
        const double tol = 1e-5;
        const bool spring = i % 3 == 0;
        const double far = spring ? 1.0 : 0.5; /* the moving ones would get so far */
        char text[18000], gaps[4000], starts[6000], loads[6000] = "";
        size_t g = 0, s = 0, l = 0;
        for (int j = 0; j < n; j++) {
            const double over = pow(10.0, draw_between(random, -4.0, -2.5));
            const char *comma = j ? ", " : "";
            if (j + 1 < n)
                g += (size_t)snprintf(gaps + g, sizeof gaps - g, "%s%.17g", comma, j % 2 == 0 ? far - over : 3.0);
            if (j % 2 == 0)
                s += (size_t)snprintf(starts + s, sizeof starts - s, "%s{body: %d, velocity: 1}", comma, j + 1);
            if (j % 2 == 0 && !spring)
                l += (size_t)snprintf(loads + l, sizeof loads - l, "%s{body: %d, force: {shape: step, amplitude: -1}}",
                                      comma, j + 1);
        }
        struct outcome o[2];
        for (int k = 0; k < 2; k++) {
            static const char *const how[] = {"tol: 1e-5", "scheme: verlet, step: 2e-5"};
            snprintf(text, sizeof text,
                     "units: none\nbodies: [chain: {count: %d, mass: 1, spring: %d, gap: [%s]}]\n"
                     "contacts: {law: hertz, k: 1e6}\nstart: [%s]\nloads: [%s]\nrun: {until: %g, %s}\n",
                     n, spring ? 1 : 0, gaps, starts, loads, spring ? 2.2 : 1.8, how[k]);
            o[k] = run(text);
        }
        CHECK(o[0].nq == (size_t)n && o[1].nq == (size_t)n);
        double worst = 0.0;
        for (int j = 0; j < n; j++)
            worst = fmax(worst, fabs(o[0].all[j] - o[1].all[j]) / o[0].speed);
        CHECK(worst <= 10.0 * tol);
        if (!(worst <= 10.0 * tol))
            fprintf(stderr, "held back %d: %d beads, %g of tol\n", i, n, worst / tol);
    }
}

/* a mechanism is no chain, but the same spring and stop move alike */
static void mechanisms(void)
{
    static const char *const stops[] = {"0.9999", "0.9995", "0.998"};
    char text[1000];
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        static const char *const form[] = {
            "units: none\nbodies: [mechanism: {kind: oscillator, stop: -%s}]\ncontacts: {law: hertz, k: 1e6}\n"
            "start: [{body: 1, velocity: -1}]\nrun: {until: 4, tol: 1e-6}\n",
            "units: none\nbodies: [chain: {count: 1, mass: 1, spring: 1}, wall: {side: right, gap: %s}]\n"
            "contacts: {law: hertz, k: 1e6}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 4, scheme: verlet, step: "
            "2e-5}\n"};
        snprintf(text, sizeof text, form[0], stops[i]);
        const struct outcome machine = run(text);
        snprintf(text, sizeof text, form[1], stops[i]);
        const struct outcome bead = run(text);
        CHECK_NEAR(machine.v, -bead.v, 1e-5 * bead.speed);
    }
}

/* A bead that comes slowly to a wall that goes to and fro, or to a floor: it is met while its flight alone would allow
 * steps of many periods. */
static void moving_walls(void)
{
    static const int frequency[] = {3, 8, 13};
    static const char *const form[] = {
        "units: none\nbodies: [bead: {mass: 1}, wall: {side: right, gap: 0.0115}]\n"
        "contacts: {law: hertz, k: 1e6}\nstart: [{body: 1, velocity: 0.001}]\n"
        "loads: [{wall: right, displacement: {shape: sine, amplitude: -0.01, frequency: %d}}]\nrun: {until: 4, %s}\n",
        "units: none\nbodies: [mechanism: {kind: ball, gravity: 0, floor: {shape: sine, amplitude: 0.01, frequency: "
        "%d}}]\ncontacts: {law: hertz, k: 1e6}\nstart: [{body: 1, displacement: 0.0115, velocity: -0.001}]\n"
        "run: {until: 4, %s}\n"};
    for (size_t i = 0; i < sizeof frequency / sizeof *frequency; i++) {
        char text[1000];
        snprintf(text, sizeof text, form[0], frequency[i], "tol: 1e-6");
        const struct outcome wall = run(text);
        snprintf(text, sizeof text, form[0], frequency[i], "scheme: verlet, step: 1e-5");
        const struct outcome exact = run(text);
        snprintf(text, sizeof text, form[1], frequency[i], "tol: 1e-6");
        const struct outcome ball = run(text);
        CHECK_NEAR(wall.v, exact.v, 1e-5 * wall.speed);
        CHECK_NEAR(ball.v, -exact.v, 1e-5 * wall.speed);
    }
}

/* dips of the size of rounding cost nothing */
static void grazing(void)
{
    static const double over[] = {-1e-9, -1e-12, -1e-15, 0.0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-9};
    for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "units: none\ngravity: -1\nbodies: [bead: {mass: 1}, wall: {side: right, gap: 0.5}]\n"
                 "contacts: {law: hertz, k: 1e6}\nstart: [{body: 1, velocity: %.17g}]\nrun: {until: 1.8, tol: 1e-7}\n",
                 sqrt(1.0 + 2.0 * over[i]));
        const struct outcome o = run(text);
        CHECK(o.steps < 300);
        CHECK_NEAR(o.v, -0.8, 1e-3);
    }
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
    struct carom_random random;
    carom_random_start(&random, seed);
    printf("seed %llu\n", (unsigned long long)seed);
    two_scenes();
    grazing();
    thrown(&random);
    pressed(&random);
    held_back(&random);
    mechanisms();
    moving_walls();
    return check_end();
}
