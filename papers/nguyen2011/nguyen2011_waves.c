/* Nguyen and Brogliato 2011, sections 5 to 7 and table 1: forces inside impacts as waves (study/pulse.h), at one
 * contact or compared with another scene. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "papers/nguyen2011/nguyen2011.h"
#include "study/follow/strike.h"
#include "study/pulse/pulse.h"

static const char *const wave_keys[] = {"scene", "set", "contact", "of", "wave", "after", "every", NULL};
static const char *const beside_keys[] = {"scene", "set",    "contact",    "of",          "wave",           "after",
                                          "every", "beside", "beside_set", "beside_wave", "beside_contact", NULL};
static const char *const walls_keys[] = {"scene", "set", "beside", "beside_set", "counts",
                                         "first", "of",  "every",  NULL};

/* One side of a comparison: the keys of the row that say which scene, contact and wave. */
struct side {
    const char *scene, *set, *contact, *wave;
};

static const struct side own = {"scene", "set", "contact", "wave"};
static const struct side other = {"beside", "beside_set", "beside_contact", "beside_wave"};

static enum carom_status read_side(const struct carom_measuring *m, const struct side *side, const char *more,
                                   struct carom_strike *strike, struct carom_error *error)
{
    const char *option[17], *file;
    char name[512];
    size_t count = 0;
    *strike = (struct carom_strike){0};
    if (carom_paper_need(m->paper, m->row, side->scene, &file, error) != CAROM_OK)
        return error->status;
    const struct carom_node *set = carom_tree_find(m->row->map, side->set);
    for (const struct carom_node *e = set != NULL ? set->first : NULL; e != NULL && count < 16; e = e->next)
        if (e->text != NULL)
            option[count++] = e->text;
    if (more != NULL)
        option[count++] = more;
    snprintf(name, sizeof name, "%s/%s", m->paper->folder, file);
    struct carom_scene *scene = carom_scene_read(name, option, count, error);
    if (scene == NULL)
        return error->status;
    const enum carom_status status = carom_strike_open(strike, scene, m->progress, error);
    carom_scene_free(scene);
    return status;
}

/* A wave at contact `number` (as scenes count), the nth from `after` on. */
static enum carom_status find_wave(const struct carom_strike *s, size_t number, size_t nth, double after,
                                   struct carom_pulse *pulse, struct carom_error *error)
{
    size_t place = s->n;
    for (size_t i = 0; i < s->n; i++)
        if (carom_frame_number(s->frame.model, s->frame.contact[i]) == number)
            place = i;
    if (place == s->n)
        return carom_error_set(error, CAROM_E_INPUT, "contact %zu does not take part in the impact", number);
    const size_t skipped = after > 0.0 ? (size_t)(after / s->every) : 0;
    if (s->samples <= skipped)
        return carom_error_set(error, CAROM_E_REFUSED, "the impact is over by %g", after);
    const size_t n = s->samples - skipped;
    double *time = carom_memory_zeroed(2 * n, sizeof *time);
    if (time == NULL)
        return carom_memory_error(error);
    double *force = time + n;
    for (size_t i = 0; i < n; i++) {
        time[i] = (double)(skipped + i) * s->every;
        force[i] = s->force[(skipped + i) * s->n + place];
    }
    struct carom_pulse_rules rules = carom_pulse_rules();
    rules.rest = 0.0;
    const enum carom_status status =
        carom_pulse_of(&(struct carom_pulse_series){n, time, force}, &rules, nth, pulse, error);
    carom_memory_free(time);
    return status;
}

/* The scene's impact, heard, and the wave that the row names. */
static enum carom_status measure_side(const struct carom_measuring *m, const struct side *side,
                                      struct carom_pulse *pulse, struct carom_error *error)
{
    struct carom_strike s = {0};
    double contact, wave, after, every;
    if (carom_paper_number(m->paper, m->row, side->contact, &contact, error) != CAROM_OK ||
        carom_measures_number(m, side->wave, 1.0, &wave, error) != CAROM_OK ||
        carom_measures_number(m, "after", 0.0, &after, error) != CAROM_OK ||
        carom_measures_number(m, "every", 1e-6, &every, error) != CAROM_OK)
        return error->status;
    enum carom_status status = read_side(m, side, NULL, &s, error);
    if (status == CAROM_OK)
        status = carom_strike_own(&s, every, error);
    if (status == CAROM_OK)
        status = find_wave(&s, (size_t)contact, (size_t)wave, after, pulse, error);
    carom_strike_close(&s);
    return status;
}

/* the number of a pulse that `of` names */
static enum carom_status number_of(const struct carom_measuring *m, const struct carom_pulse *pulse, double *value,
                                   struct carom_error *error)
{
    const char *of = carom_paper_text(m->row, "of");
    of = of != NULL ? of : "peak";
    if (strcmp(of, "peak") == 0)
        *value = pulse->peak;
    else if (strcmp(of, "time") == 0)
        *value = pulse->time;
    else if (strcmp(of, "width") == 0)
        *value = pulse->width;
    else
        return carom_error_set(error, CAROM_E_INPUT, "of %s: must be peak, time or width", of);
    return CAROM_OK;
}

static enum carom_status measure_wave(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_pulse pulse;
    return measure_side(m, &own, &pulse, error) == CAROM_OK ? number_of(m, &pulse, value, error) : error->status;
}

static enum carom_status measure_both(const struct carom_measuring *m, double *one, double *two,
                                      struct carom_error *error)
{
    struct carom_pulse pulse;
    if (measure_side(m, &own, &pulse, error) != CAROM_OK || number_of(m, &pulse, one, error) != CAROM_OK ||
        measure_side(m, &other, &pulse, error) != CAROM_OK || number_of(m, &pulse, two, error) != CAROM_OK)
        return error->status;
    return CAROM_OK;
}

/* of one scene over the other */
static enum carom_status measure_ratio(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double one = 0.0, two = 0.0;
    if (measure_both(m, &one, &two, error) != CAROM_OK)
        return error->status;
    *value = one / two;
    return CAROM_OK;
}

/* of the other scene minus this: how much earlier the wave is here */
static enum carom_status measure_advance(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double one = 0.0, two = 0.0;
    if (measure_both(m, &one, &two, error) != CAROM_OK)
        return error->status;
    *value = two - one;
    return CAROM_OK;
}

/* Section 5: the wall after the nth ball of the taper against the same place in the whole chain, for n = 1 ... counts:
 * the smallest or largest ratio of peak forces. `first` is the contact behind the first ball of the taper. */
static enum carom_status measure_walls(const struct carom_measuring *m, bool largest, double *value,
                                       struct carom_error *error)
{
    struct carom_strike whole, part = {0};
    double counts, first, every;
    if (carom_paper_number(m->paper, m->row, "counts", &counts, error) != CAROM_OK ||
        carom_paper_number(m->paper, m->row, "first", &first, error) != CAROM_OK ||
        carom_measures_number(m, "every", 1e-6, &every, error) != CAROM_OK)
        return error->status;
    enum carom_status status = read_side(m, &other, NULL, &whole, error);
    if (status == CAROM_OK)
        status = carom_strike_own(&whole, every, error);
    *value = largest ? 0.0 : HUGE_VAL;
    for (size_t i = 1; i <= (size_t)counts && status == CAROM_OK; i++) {
        struct carom_pulse wall, inside;
        char more[64];
        const size_t contact = (size_t)first + i - 1;
        snprintf(more, sizeof more, "bodies.3.chain.count=%zu", i);
        status = read_side(m, &own, more, &part, error);
        if (status == CAROM_OK)
            status = carom_strike_own(&part, every, error);
        if (status == CAROM_OK)
            status = find_wave(&part, contact, CAROM_PULSE_LARGEST, 0.0, &wall, error);
        if (status == CAROM_OK)
            status = find_wave(&whole, contact, CAROM_PULSE_LARGEST, 0.0, &inside, error);
        if (status == CAROM_OK)
            *value = largest ? fmax(*value, wall.peak / inside.peak) : fmin(*value, wall.peak / inside.peak);
        carom_strike_close(&part);
        if (status == CAROM_OK && !carom_progress_go_on(m->progress, (double)i / counts))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    carom_strike_close(&whole);
    return status;
}

static enum carom_status measure_walls_least(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return measure_walls(m, false, value, error);
}

static enum carom_status measure_walls_most(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    return measure_walls(m, true, value, error);
}

const struct carom_measure carom_nguyen2011_waves_list[] = {
    {"wave", wave_keys, measure_wave},
    {"wave_ratio", beside_keys, measure_ratio},
    {"wave_advance", beside_keys, measure_advance},
    {"wall_ratio_least", walls_keys, measure_walls_least},
    {"wall_ratio_most", walls_keys, measure_walls_most},
    {NULL, NULL, NULL},
};
