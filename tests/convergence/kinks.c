/* Rigid contacts that last while what they rest on changes its speed at once, against closed forms: a bead on a wall,
 * on a driven bead and a ball on a floor that begins to move at t = 0.5 and stops at t = 1.5 (impact, bounces that die
 * out, rest, take-off, bounces again), half a sine, loads that lift what rested. Schemes event and mannshardt, by tol
 * and by fixed steps, and moreau-adaptive; the ledger closes, events are told, few steps are taken, and a run stopped
 * right at a kink and restored ends with the same bits. */
#include "carom/carom.h"
#include "check.h"
#include "runs.h"

enum { TEXT = 12000, STEPS = 3000, POINTS = 200, AGREE = 16 };

static const double gravity = 10.0, e = 0.5;

#define RAMP "{shape: ramp, amplitude: 1, start: 0.5, duration: 1}"
#define HALF "{shape: half-sine, amplitude: 1, start: 0.5, duration: 1}"
#define BALL(floor) "bodies: [mechanism: {kind: ball, gravity: 10, floor: " floor "}]\ncontacts: {e: 0.5}\n"
#define BEAD(motion)                                                                                      \
    "gravity: -10\nbodies: [{wall: {side: left}}, {bead: {}}]\ncontacts: {e: 0.5}\nloads: [{wall: left, " \
    "displacement: " motion "}]\n"
#define DRIVEN(motion)                                                                    \
    "gravity: -10\nbodies: [{chain: {count: 2}}]\ncontacts: {e: 0.5}\nloads: [{body: 1, " \
    "displacement: " motion "}]\n"

struct rest {
    const char *name, *text;
    size_t body; /* the one that rests */
};

static const struct rest ramps[] = {
    {"bead on a wall", BEAD(RAMP), 0}, {"bead on a driven one", DRIVEN(RAMP), 1}, {"ball on a floor", BALL(RAMP), 0}};
static const struct rest halves[] = {
    {"bead on a wall", BEAD(HALF), 0}, {"bead on a driven one", DRIVEN(HALF), 1}, {"ball on a floor", BALL(HALF), 0}};

static const char *const ways[] = {"scheme: event, tol: 1e-6",           "scheme: event, tol: 1e-9",
                                   "scheme: event, impact: newton",      "scheme: mannshardt, tol: 1e-6",
                                   "scheme: mannshardt, tol: 1e-9",      "scheme: mannshardt, impact: newton",
                                   "scheme: mannshardt, step: 0.01",     "scheme: mannshardt, method: gauss",
                                   "scheme: moreau-adaptive, tol: 1e-6", "scheme: moreau-adaptive, tol: 1e-9"};
enum { WAYS = sizeof ways / sizeof *ways };

/* --- runs -------------------------------------------------------------------------------------------------------- */

static struct carom_sim *make(const char *text, const char *how, double until, struct carom_memory **memory)
{
    char whole[TEXT];
    snprintf(whole, sizeof whole,
             "units: none\ntheory: nonsmooth\n%srun: {until: %.17g, %s}\nrecord: {every: 0.0125, probes: [u, v, "
             "contact_force]}\n",
             text, until, how);
    return runs_recorded(whole, memory);
}

/* a run that does not get on, in its pilots or by itself, is given up */
static bool gets_on(void *own, const struct carom_sim *sim)
{
    (void)sim;
    return ++*(int *)own < 100 * STEPS;
}

static struct carom_sim *run(const char *text, const char *how, double until, struct carom_memory **memory)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = make(text, how, until, memory);
    int calls = 0;
    const struct carom_watch watch = {.call = gets_on, .own = &calls, .seconds = 0.0};
    const enum carom_status status = carom_sim_run(sim, &watch, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "%s%s: %s\n", text, how, error.text);
    CHECK_OR_STOP(status == CAROM_OK);
    CHECK(sim->stepper->counts.steps < STEPS);
    CHECK(sim->stepper->worst_gap > -1e-12);
    return sim;
}

static double column(const struct carom_memory *m, size_t row, const char *probe, size_t i)
{
    return m->value[row * m->width + carom_sink_memory_column(m, probe, i)];
}

/* events of a kind, the first of them */
static size_t count_events(const struct carom_memory *m, enum carom_event_kind kind, double from,
                           struct carom_event *first)
{
    size_t count = 0;
    for (size_t i = m->nevents; i-- > 0;)
        if (m->event[i].kind == kind && m->event[i].time >= from) {
            *first = m->event[i];
            count++;
        }
    return count;
}

/* of the ledger: by tol nothing but rounding, fixed steps leave a little in their brackets */
static double allowed(const char *how)
{
    return strstr(how, "step") ? 1e-7 : 1e-11;
}

/* --- ramps ------------------------------------------------------------------------------------------------------- */

/* height and speed over the ground s after having left it with r; bounces die out at 2 r / (g (1 - e)) */
static double bounce(double s, double r, double *speed)
{
    while (r > 1e-14 && s >= 2.0 * r / gravity) {
        s -= 2.0 * r / gravity;
        r *= e;
    }
    *speed = r > 1e-14 ? r - gravity * s : 0.0;
    return r > 1e-14 ? s * (r - 0.5 * gravity * s) : 0.0;
}

static double ramp_place(double t, double *speed)
{
    double rate = 0.0, place = 0.0;
    *speed = 0.0;
    if (t >= 1.5) /* the ground stops under a bead that has come to rest on it */
        place = 1.0 + bounce(t - 1.5, 1.0, speed);
    else if (t >= 0.5) {
        place = t - 0.5 + bounce(t - 0.5, e * 1.0, &rate);
        *speed = 1.0 + rate;
    }
    return place;
}

static bool near_impact(const struct carom_memory *m, double t)
{
    for (size_t i = 0; i < m->nevents; i++)
        if (m->event[i].kind == CAROM_EVENT_IMPACT && fabs(t - m->event[i].time) < 1e-6 && t != 0.5)
            return true;
    return false;
}

static void check_ramp(const struct rest *s, const char *how)
{
    struct carom_memory *m;
    struct carom_event event = {0};
    struct carom_sim *sim = run(s->text, how, 2.0, &m);
    double worst = 0.0, worst_v = 0.0, residual = 0.0;
    for (size_t r = 0; r < m->nrows; r++) {
        double speed;
        const double place = ramp_place(m->time[r], &speed);
        worst = fmax(worst, fabs(column(m, r, "u", s->body) - place));
        residual = fmax(residual, fabs(column(m, r, "residual", 0)));
        if (!near_impact(m, m->time[r])) /* at the kinks too: right limits */
            worst_v = fmax(worst_v, fabs(column(m, r, "v", s->body) - speed));
    }
    printf("ramp, %-20s %-34s u %.1e v %.1e ledger %.1e, %lu steps\n", s->name, how, worst, worst_v, residual,
           (unsigned long)sim->stepper->counts.steps);
    CHECK(worst <= 1e-6);
    CHECK(worst_v <= 2e-3); /* bounces that are left out */
    CHECK(residual <= allowed(how));
    CHECK(count_events(m, CAROM_EVENT_IMPACT, 0.0, &event) > 10);
    CHECK(event.time == 0.5);
    CHECK_NEAR(event.before, -1.0, 1e-12);
    CHECK_NEAR(event.after, e, 1e-12);
    CHECK_NEAR(event.impulse, 1.0 + e, 1e-12);
    CHECK(count_events(m, CAROM_EVENT_CLOSE, 0.0, &event) == 2);
    CHECK_NEAR(event.time, 0.7, strstr(how, "adaptive") ? 1e-4 : 1e-7); /* that one tells when it stops to follow */
    CHECK(count_events(m, CAROM_EVENT_OPEN, 1.0, &event) == 1);
    CHECK(event.time == 1.5);
    CHECK_NEAR(event.after, 1.0, 1e-12);
    CHECK(count_events(m, CAROM_EVENT_IMPACT, 1.4, &event) > 10);
    CHECK_NEAR(event.time, 1.7, 1e-9);
    carom_sim_free(sim);
}

/* --- half a sine ------------------------------------------------------------------------------------------------- */

/* The ground rises with pi, the bead leaves it with (1 + e) pi and meets it on its way down. */
static void check_half(const struct rest *s, const char *how)
{
    struct carom_memory *m;
    struct carom_event event = {0};
    struct carom_sim *sim = run(s->text, how, 3.0, &m);
    const double pi = acos(-1.0), r = (1.0 + e) * pi;
    double meets = 0.5, late = 1.0, worst = 0.0, residual = 0.0;
    while (late - meets > 1e-15) {
        const double middle = 0.5 * (meets + late);
        *(middle * (r - 0.5 * gravity * middle) > sin(pi * middle) ? &meets : &late) = middle;
    }
    for (size_t k = 0; k < m->nrows; k++) {
        const double since = m->time[k] - 0.5;
        residual = fmax(residual, fabs(column(m, k, "residual", 0)));
        if (since >= 0.0 && since < meets)
            worst = fmax(worst, fabs(column(m, k, "u", s->body) - since * (r - 0.5 * gravity * since)));
    }
    printf("half, %-20s %-34s u %.1e ledger %.1e, %lu steps\n", s->name, how, worst, residual,
           (unsigned long)sim->stepper->counts.steps);
    CHECK(worst <= 1e-12);
    CHECK(residual <= allowed(how));
    CHECK(count_events(m, CAROM_EVENT_IMPACT, 0.0, &event) > 5);
    CHECK(event.time == 0.5);
    CHECK(count_events(m, CAROM_EVENT_IMPACT, 0.6, &event) > 5);
    CHECK_NEAR(event.time, 0.5 + meets, 1e-8);
    CHECK_NEAR(column(m, m->nrows - 1, "u", s->body), 0.0, 1e-9);
    carom_sim_free(sim);
}

/* --- loads ------------------------------------------------------------------------------------------------------- */

/* A force begins that lifts the bead: it flies at once. */
static void check_lift(const char *how)
{
    struct carom_memory *m;
    struct carom_event event = {0};
    struct carom_sim *sim = run("gravity: -10\nbodies: [{wall: {side: left}}, {bead: {}}]\ncontacts: {e: 0.5}\n"
                                "loads: [{body: 1, force: {shape: step, amplitude: 15, start: 0.5}}]\n",
                                how, 1.5, &m);
    CHECK_NEAR(column(m, m->nrows - 1, "u", 0), 2.5, 1e-12);
    CHECK_NEAR(column(m, m->nrows - 1, "v", 0), 5.0, 1e-12);
    CHECK(count_events(m, CAROM_EVENT_OPEN, 0.0, &event) == 1 && event.time == 0.5);
    carom_sim_free(sim);
}

/* --- many kinks -------------------------------------------------------------------------------------------------- */

/* Stacks on what goes to and fro in straight lines: the same motion by all, and the ledger closes. */
static void check_lines(void)
{
    static const char *const same[] = {"scheme: event, tol: 1e-8", "scheme: mannshardt, tol: 1e-8",
                                       "scheme: moreau-adaptive, tol: 1e-8"};
#define LINES                                                                                                       \
    "{shape: table, points: [[0.11, 0], [0.337, 0.083], [0.52, 0.083], [0.71, 0.291], [0.87, 0.3], [1.13, -0.07], " \
    "[1.31, 0.11], [1.87, -0.02], [2.2, -0.02]]}"
    static const struct rest stacks[] = {
        {"one on a wall", BEAD(LINES), 0},
        {"ball", BALL(LINES), 0},
        {"one on a driven one", DRIVEN(LINES), 1},
        {"three on a wall",
         "gravity: -10\nbodies: [{wall: {side: left}}, {chain: {count: 3}}]\ncontacts: {e: 0.3}\nloads: [{wall: left, "
         "displacement: " LINES "}]\n",
         2}};
    for (size_t i = 0; i < 4; i++) {
        struct carom_memory *m[3];
        struct carom_sim *sim[3];
        for (size_t k = 0; k < 3; k++) {
            double apart = 0.0, residual = 0.0;
            sim[k] = run(stacks[i].text, same[k], 3.0, &m[k]);
            CHECK_OR_STOP(m[k]->nrows == m[0]->nrows);
            for (size_t r = 0; r < m[0]->nrows; r++) {
                apart = fmax(apart, fabs(column(m[k], r, "u", stacks[i].body) - column(m[0], r, "u", stacks[i].body)));
                residual = fmax(residual, fabs(column(m[k], r, "residual", 0)));
            }
            printf("lines, %-20s %-34s apart %.1e ledger %.1e, %lu steps\n", stacks[i].name, same[k], apart, residual,
                   (unsigned long)sim[k]->stepper->counts.steps);
            CHECK(apart <= 1e-7);
            CHECK(residual <= 1e-11);
        }
        for (size_t k = 0; k < 3; k++)
            carom_sim_free(sim[k]);
    }
}

/* A table of many points is a kink at each of them; what is looked at around one does not reach the next. */
static void check_points(void)
{
    static const char *const same[] = {"scheme: event, tol: 1e-8", "scheme: mannshardt, tol: 1e-8",
                                       "scheme: mannshardt, tol: 1e-11"};
    char text[TEXT - 500];
    double place[3];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "gravity: -10\nbodies: [{wall: {side: left}}, {chain: {count: 2}}]\ncontacts: {e: "
                                "0.5}\nloads: [{wall: left, displacement: {shape: table, points: [");
    for (int i = 0; i < POINTS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "[%.6f, %.9f], ", 0.1 + 0.0013 * i,
                              0.05 - 0.05 * cos(0.0013 * 4.0 * acos(-1.0) * i));
    snprintf(text + n, sizeof text - n, "[0.5, 0]]}}]\n");
    for (size_t k = 0; k < 3; k++) {
        struct carom_memory *m;
        struct carom_sim *sim = run(text, same[k], 0.45, &m);
        place[k] = column(m, AGREE, "u", 1); /* later impacts upon impacts have made much of little */
        printf("points, %-34s u %.12f ledger %.1e, %lu steps\n", same[k], place[k],
               column(m, m->nrows - 1, "residual", 0), (unsigned long)sim->stepper->counts.steps);
        CHECK_NEAR(column(m, m->nrows - 1, "residual", 0), 0.0, 1e-11);
        CHECK_NEAR(place[k], place[0], 1e-7);
        carom_sim_free(sim);
    }
}

/* A floor that goes to and fro many times while the ball flies is not missed. */
static void check_fast(void)
{
    static const char *const same[] = {"scheme: moreau-adaptive, tol: 1e-8", "scheme: event, tol: 1e-8",
                                       "scheme: mannshardt, tol: 1e-8"};
    double first[3];
    for (size_t k = 0; k < 3; k++) {
        struct carom_memory *m;
        struct carom_event event = {0};
        struct carom_sim *sim =
            run("bodies: [mechanism: {kind: ball, gravity: 0.5, floor: {shape: sine, amplitude: 0.1, "
                "frequency: 20}}]\ncontacts: {e: 0.5}\nstart: [{body: 1, displacement: 0.5}]\n",
                same[k], 1.6, &m);
        CHECK(count_events(m, CAROM_EVENT_IMPACT, 0.0, &event) >= 1);
        first[k] = event.time;
        CHECK_NEAR(first[k], first[0], 1e-9);
        carom_sim_free(sim);
    }
}

/* --- restarts ---------------------------------------------------------------------------------------------------- */

static bool before_kink(void *own, const struct carom_sim *sim)
{
    return sim->state->time != *(const double *)own;
}

static uint64_t restored(const char *text, const char *how, double kink)
{
    struct carom_memory *m;
    struct carom_sim *sim = make(text, how, 2.0, &m), *other = make(text, how, 2.0, &m);
    const struct carom_watch watch = {.call = before_kink, .own = &kink, .seconds = 0.0};
    CHECK_STATUS(carom_sim_run(sim, &watch, NULL), CAROM_E_STOPPED);
    CHECK(sim->state->time == kink);
    const struct carom_checkpoint checkpoint = {.state = sim->state,
                                                .counts = sim->stepper->counts,
                                                .rows = carom_recorder_tally(sim->recorder)->rows,
                                                .events = carom_recorder_tally(sim->recorder)->events};
    CHECK_STATUS(carom_sim_restore(other, &checkpoint, NULL), CAROM_OK);
    CHECK_STATUS(carom_sim_run(other, NULL, NULL), CAROM_OK);
    const uint64_t hash = carom_state_hash(other->state);
    carom_sim_free(sim);
    carom_sim_free(other);
    return hash;
}

static void check_restart(const struct rest *s, const char *how)
{
    struct carom_memory *m;
    struct carom_sim *sim = run(s->text, how, 2.0, &m);
    const uint64_t whole = carom_state_hash(sim->state);
    carom_sim_free(sim);
    CHECK(restored(s->text, how, 0.5) == whole);
    CHECK(restored(s->text, how, 1.5) == whole);
}

int main(void)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t w = 0; w < WAYS; w++) {
            check_ramp(&ramps[i], ways[w]);
            check_half(&halves[i], ways[w]);
            check_restart(&ramps[i], ways[w]);
        }
    for (size_t w = 0; w < WAYS; w++)
        check_lift(ways[w]);
    check_lines();
    check_points();
    check_fast();
    return check_end();
}
