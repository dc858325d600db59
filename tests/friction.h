/* Scenes written in a test and run to their end, rows of what they recorded, and the motion of a block on a belt. */
#ifndef CAROM_TESTS_FRICTION_H
#define CAROM_TESTS_FRICTION_H

#include <stdio.h>

#include "carom/carom.h"
#include "check.h"

struct outcome {
    struct carom_sim *sim;
    struct carom_memory *memory;
};

static inline struct outcome outcome_run(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct outcome out = {0};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    out.sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(out.sim != NULL);
    out.memory = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_attach(out.sim->recorder, &carom_sink_memory, out.memory, &error), CAROM_OK);
    CHECK_STATUS(carom_sim_run(out.sim, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_sim_sync(out.sim);
    carom_scene_free(scene);
    return out;
}

/* `format` with `what` in the place of its %s */
static inline struct outcome outcome_of(const char *format, const char *what)
{
    char text[1200];
    snprintf(text, sizeof text, format, what);
    return outcome_run(text);
}

static inline double outcome_row(const struct outcome *o, size_t i, const char *name, size_t k)
{
    return o->memory->value[i * o->memory->width + carom_sink_memory_column(o->memory, name, 0) + k];
}

/* |T| <= mu_static N everywhere; where a contact slips faster than `slow`, T = mu N against the slip. Returns how often
 * one did. */
static inline size_t outcome_coulomb(const struct outcome *o, size_t nc, double mu, double mu_static, double slow,
                                     double tolerance)
{
    size_t slipped = 0;
    double most = 0.0;
    for (size_t i = 1; i < o->memory->nrows; i++)
        for (size_t j = 0; j < nc; j++)
            most = fmax(most, outcome_row(o, i, "contact_force", j));
    for (size_t i = 1; i < o->memory->nrows; i++)
        for (size_t j = 0; j < nc; j++) {
            const double normal = outcome_row(o, i, "contact_force", j), along = outcome_row(o, i, "friction_force", j);
            const double slip = outcome_row(o, i, "slip", j);
            CHECK(normal >= 0.0);
            CHECK(fabs(along) <= mu_static * normal + tolerance * most);
            if (normal == 0.0 || fabs(slip) <= slow)
                continue;
            slipped++;
            CHECK_NEAR(along, slip > 0.0 ? -mu * normal : mu * normal, tolerance * most);
        }
    return slipped;
}

/* A block of mass 1 on a spring of stiffness 1 on a belt of speed V, friction F slipping and `still` sticking, from
 * rest at 0: place and speed at t, and the times at which it begins to stick and to slip, in turn. */
static inline void belt_motion(double F, double still, double V, double t, double *x, double *v, double *turns,
                               size_t room)
{
    const double pi = 3.14159265358979323846;
    double time = 0.0, q = 0.0, u = 0.0;
    bool slips = true;
    for (size_t n = 0;; n++) {
        const double A = q - F, R = sqrt(A * A + u * u), phase = atan2(A, u); /* u cos s - A sin s = R cos(s + phase) */
        double last = (still - q) / V;
        if (slips) {
            last = fmod(-acos(V / R) - phase + 8.0 * pi, 2.0 * pi); /* it comes up to V from below */
            last = last < 1e-9 ? last + 2.0 * pi : last;
        }
        const double s = t - time < last ? t - time : last;
        *x = slips ? F + A * cos(s) + u * sin(s) : q + V * s;
        *v = slips ? u * cos(s) - A * sin(s) : V;
        if (t - time < last)
            return;
        time += last;
        if (n < room)
            turns[n] = time;
        q = slips ? *x : still;
        u = V;
        slips = !slips;
    }
}

#endif
