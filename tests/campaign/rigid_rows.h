/* A row of rigid beads as the text of a scene, run under a scheme, and as a struct rigid_row, which tells what is true:
 * how far the run is off, in units of its scales, as it promises (displacements at all times, velocities on average).
 * And random rows: the same seed is the same row everywhere. */
#ifndef CAROM_TESTS_CAMPAIGN_RIGID_ROWS_H
#define CAROM_TESTS_CAMPAIGN_RIGID_ROWS_H

#include <stdio.h>

#include "draws.h"
#include "reference/rigid_row.h"
#include "runs.h"

enum { RIGID_ROWS_SAMPLES = 40, RIGID_ROWS_MANY = 1000 };

struct rigid_scene {
    size_t n;
    bool left, right;
    double mass[RIGID_ROW_BEADS], spring[RIGID_ROW_BEADS], v[RIGID_ROW_BEADS];
    double gap[RIGID_ROW_CONTACTS], e[RIGID_ROW_CONTACTS], gravity, until;
};

struct rigid_verdict {
    bool ended, known;  /* did the run end; is the truth known */
    bool split;         /* it said that it cannot promise */
    double off, stated; /* 0: it stated none */
    double places;      /* what of `off` is of displacements: the rest is of velocities on average */
    long impacts;
    char said[600];
};

/* the scene, looked at so often; `how` is what `run` says beside `until` */
static inline void rigid_rows_text(const struct rigid_scene *s, const char *how, int samples, char *text)
{
    const size_t nc = s->n - 1 + (s->left ? 1 : 0) + (s->right ? 1 : 0), shift = s->left ? 1 : 0;
    text[0] = 0;
    draw_add(text, "units: none\ntheory: nonsmooth\n");
    if (s->gravity != 0.0)
        draw_add(text, "gravity: %.17g\n", s->gravity);
    draw_add(text, "bodies:\n");
    if (s->left)
        draw_add(text, "  - wall: {side: left, gap: %.17g}\n", s->gap[0]);
    for (size_t i = 0; i < s->n; i++) {
        draw_add(text, "  - bead: {mass: %.17g", s->mass[i]);
        if (s->spring[i] > 0.0)
            draw_add(text, ", spring: %.17g", s->spring[i]);
        if (i > 0)
            draw_add(text, ", gap_before: %.17g", s->gap[i - 1 + shift]);
        draw_add(text, "}\n");
    }
    if (s->right)
        draw_add(text, "  - wall: {side: right, gap: %.17g}\n", s->gap[nc - 1]);
    draw_add(text, "contacts: {e: ");
    for (size_t j = 0; j < nc; j++)
        draw_add(text, "%s%.17g", nc == 1 ? "" : j ? ", " : "[", s->e[j]);
    draw_add(text, "%s}\nstart:\n", nc == 1 ? "" : "]");
    for (size_t i = 0; i < s->n; i++)
        draw_add(text, "  - {body: %zu, velocity: %.17g}\n", i + 1, s->v[i]);
    draw_add(text, "run: {until: %.17g, %s}\nrecord: {every: %.17g, probes: [u, v], events: false}\n", s->until, how,
             s->until / (samples + 0.382));
}

static inline struct rigid_row rigid_rows_truth(const struct rigid_scene *s)
{
    struct rigid_row row = rigid_row_begin(s->n, s->left, s->right, s->gap);
    memcpy(row.mass, s->mass, sizeof row.mass);
    memcpy(row.spring, s->spring, sizeof row.spring);
    memcpy(row.e, s->e, sizeof row.e);
    row.gravity = s->gravity;
    for (size_t i = 0; i < s->n; i++)
        row.springs |= s->spring[i] > 0.0;
    for (size_t i = 0; i < s->n; i++)
        row.v[i] = s->v[i];
    return row;
}

/* the largest |du| / U, or mean |dv| / V, of a run against the truth */
static inline void rigid_rows_compare(const struct rigid_scene *s, const struct carom_sim *sim,
                                      const struct carom_memory *m, struct rigid_verdict *verdict)
{
    const size_t u = carom_sink_memory_column(m, "u", 0), v = carom_sink_memory_column(m, "v", 0);
    const double length = sim->scales.length > 0.0 ? sim->scales.length : 1.0;
    const double speed = sim->scales.speed > 0.0 ? sim->scales.speed : 1.0;
    double mean[RIGID_ROW_BEADS] = {0.0};
    struct rigid_row row = rigid_rows_truth(s);
    row.length = length;
    row.speed = speed;
    verdict->known = true;
    for (size_t r = 0; r < m->nrows && verdict->known; r++) {
        const double *at = m->value + r * m->width;
        verdict->known = rigid_row_to(&row, m->time[r]);
        for (size_t i = 0; i < s->n; i++) {
            const double du = fabs((double)(row.q[i] - (quad)at[u + i])),
                         dv = fabs((double)(row.v[i] - (quad)at[v + i]));
            verdict->off = fmax(verdict->off, du / length);
            mean[i] += r > 0 ? dv / speed / (double)m->nrows : 0.0;
        }
    }
    verdict->places = verdict->off;
    for (size_t i = 0; i < s->n; i++)
        verdict->off = fmax(verdict->off, mean[i]);
    verdict->impacts = row.impacts;
}

static inline struct rigid_verdict rigid_rows_look(const struct rigid_scene *s, const char *how, int samples)
{
    char text[DRAW_TEXT];
    struct rigid_verdict verdict = {0};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_memory *memory;
    rigid_rows_text(s, how, samples, text);
    struct carom_sim *sim = runs_recorded(text, &memory);
    verdict.ended = carom_sim_run(sim, NULL, &error) == CAROM_OK;
    snprintf(verdict.said, sizeof verdict.said, "%s", error.text);
    verdict.stated = sim->estimate;
    verdict.split = sim->stepper->split.seen;
    if (verdict.split)
        snprintf(verdict.said, sizeof verdict.said, "impacts too near each other to tell which comes first");
    if (verdict.ended)
        rigid_rows_compare(s, sim, memory, &verdict);
    carom_sim_free(sim);
    return verdict;
}

/* Velocities count on average. Where one sample that fell between two impacts makes the average of a few, more tell
 * better. */
static inline struct rigid_verdict rigid_rows_judge(const struct rigid_scene *s, const char *how)
{
    const struct rigid_verdict few = rigid_rows_look(s, how, RIGID_ROWS_SAMPLES);
    return few.ended && few.known && few.off > 3.0 * few.stated && few.off > few.places
               ? rigid_rows_look(s, how, RIGID_ROWS_MANY)
               : few;
}

#endif
