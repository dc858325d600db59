/* Scheme mannshardt on the academic problems of Acary 2009, against their closed forms: observed orders 2 to 8 in L1
 * through three impacts (O) and through an accumulation under a varying force (O+), implicit methods too, the time at
 * which the bouncing ball comes to rest, and how many force evaluations an error of 1e-5 takes. */
#include "carom/carom.h"
#include "check.h"
#include "study/converge/converge.h"
#include "study/follow/academic.h"

enum { SIZES = 24, TEXT = 1000 };

#define BALL "bodies: [mechanism: {kind: ball, gravity: 10}]\ncontacts: {e: 0.5}\nrun: {until: 2, %s}\n"
#define OSCILLATOR "bodies: [mechanism: {kind: oscillator}]\ncontacts: {e: 0.8}\nrun: {until: 10, %s}\n"
#define PRESTRESSED "bodies: [mechanism: {kind: oscillator, stop: 0.2}]\ncontacts: {e: 0.5}\nrun: {until: 10, %s}\n"

struct outcome {
    double q, v, rest; /* L1 of errors over the points of the grid; when the contact closed, NaN: never */
    uint64_t evaluations;
};

static struct carom_sim *open_sim(const char *scene, const char *how, struct carom_academic_motion *motion)
{
    char text[2 * TEXT], body[TEXT];
    struct carom_error error = {CAROM_OK, ""};
    struct carom_academic problem;
    snprintf(body, sizeof body, scene, how);
    snprintf(text, sizeof text, "units: none\ntheory: nonsmooth\nstart: [{body: 1, displacement: 1}]\n%s", body);
    struct carom_scene *read = carom_scene_parse("scene", text, strlen(text), NULL, 0, &error);
    if (!read)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(read != NULL);
    CHECK_OR_STOP(carom_academic_recognise(read->model, read->q, read->v, &problem));
    CHECK_STATUS(carom_academic_open(motion, &problem, read->until, &error), CAROM_OK);
    struct carom_sim *sim = carom_scene_sim(read, &error);
    CHECK_OR_STOP(sim != NULL);
    carom_scene_free(read);
    return sim;
}

static struct outcome run(const char *scene, const char *how)
{
    struct carom_academic_motion motion;
    struct carom_sim *sim = open_sim(scene, how, &motion);
    struct outcome o = {.rest = nan("")};
    const struct carom_param *size = carom_param_find(carom_scheme_mannshardt.kind.params, "step");
    const double step = carom_param_value(size, sim->stepper->options);
    double last = 0.0;
    while (!carom_sim_ended(sim)) {
        CHECK_STATUS(carom_sim_step(sim, 1, NULL), CAROM_OK);
        for (size_t i = 0; i < sim->stepper->nevents; i++)
            if (sim->stepper->event[i].kind == CAROM_EVENT_CLOSE)
                o.rest = sim->stepper->event[i].time;
        const double t = sim->state->time, place = t / step;
        if (fabs(place - round(place)) > 1e-9) /* an event in a step */
            continue;
        const struct carom_academic_place at = carom_academic_at(&motion, t);
        o.q += (t - last) * fabs(sim->state->q[0] - at.q);
        o.v += (t - last) * fabs(sim->state->v[0] - at.right);
        last = t;
    }
    o.rest -= motion.rest;
    o.evaluations = sim->stepper->counts.evaluations;
    carom_academic_close(&motion);
    carom_sim_free(sim);
    return o;
}

/* slopes of log error over log step where the error is more than rounding */
static void check_order(const char *name, const char *scene, const char *method, int order, double from, double to,
                        double least)
{
    const double rounding = 1e-12;
    double h[SIZES], q[SIZES], v[SIZES];
    size_t n = 0;
    for (int i = 0; i < SIZES; i++) {
        char how[200];
        const double step = from * pow(to / from, i / (SIZES - 1.0));
        snprintf(how, sizeof how, "scheme: mannshardt, method: %s, order: %d, step: %.17g", method, order, step);
        const struct outcome o = run(scene, how);
        if (!(fmin(o.q, o.v) > rounding))
            continue;
        h[n] = step;
        q[n] = o.q;
        v[n++] = o.v;
    }
    const double in_q = carom_converge_slope(h, q, n, 0), in_v = carom_converge_slope(h, v, n, 0);
    printf("%-4s %-9s %d: q %.2f v %.2f over %zu steps, errors %.1e ... %.1e\n", name, method, order, in_q, in_v, n,
           q[0], q[n - 1]);
    CHECK(n >= 8);
    CHECK(in_q >= least && in_v >= least);
}

static void check_rest(void)
{
    static const double allowed[] = {1.7e-5, 2.4e-7, 1.9e-9, 2.6e-11};
    for (int order = 2; order <= 5; order++) {
        char how[100];
        snprintf(how, sizeof how, "scheme: mannshardt, order: %d, step: 0.01", order);
        const struct outcome o = run(BALL, how);
        printf("rest at order %d: off by %.1e after %lu evaluations\n", order, o.rest, (unsigned long)o.evaluations);
        CHECK(fabs(o.rest) <= allowed[order - 2]);
    }
}

static void check_work(void)
{
    const struct outcome o = run(OSCILLATOR, "scheme: mannshardt, order: 4, step: 0.19");
    printf("O, order 4: L1 of q %.1e, of v %.1e with %lu evaluations\n", o.q, o.v, (unsigned long)o.evaluations);
    CHECK(o.q <= 1e-5 && o.v <= 1e-5 && o.evaluations <= 530);
}

int main(void)
{
    static const double coarsest[] = {0.05, 0.1, 0.25, 0.25, 0.3, 0.4, 0.4},
                        finest[] = {0.002, 0.005, 0.02, 0.02, 0.03, 0.06, 0.08};
    for (int p = 2; p <= 8; p++) {
        check_order("O", OSCILLATOR, "explicit", p, coarsest[p - 2], finest[p - 2], p - 0.1);
        check_order("O+", PRESTRESSED, "explicit", p, coarsest[p - 2], finest[p - 2], p - (p == 2 ? 0.15 : 0.1));
    }
    for (int p = 1; p <= 6; p++) {
        const char *method = p % 2 ? "radau" : "gauss";
        const double least = p == 1 ? 0.75 : p - 0.15; /* at order 1 impacts a step away scatter much */
        const double from = p == 1 ? 0.004 : p == 2 ? 0.02 : 0.2, to = 0.1 * from;
        check_order("O", OSCILLATOR, method, p, from, to, least);
        check_order("O+", PRESTRESSED, method, p, from, to, least);
    }
    check_rest();
    check_work();
    CHECK_MAIN_END;
}
