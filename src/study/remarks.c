/* Remarks on runs, see remarks.h. */
#include "study/remarks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "model/frame.h"
#include "model/solid/strike/solid_strike.h"
#include "record/schedule.h"
#include "scene/contact/yield.h"
#include "scene/run/strike_time.h"
#include "sim/blunders.h"
#include "sim/doubt.h"
#include "study/momenta.h"

#define DEEP 0.1    /* of the smaller radius: what laws of contact are made for */
#define AGREES 1e-2 /* of the largest impulse: dampers of tilted faces are added up to some 1e-3 */

static bool has_units(const struct carom_run_file *run)
{
    return strcmp(run->units, "none") != 0;
}

void carom_remarks_averaged(const struct carom_run_file *run, char text[CAROM_REMARK_TEXT])
{
    const bool steps = strcmp(run->scheme, "moreau-jean") == 0 || strcmp(run->scheme, "schatzman-paoli") == 0;
    const bool forces = run->touches.there || carom_run_file_item(run, "observables/contacts/force") != NULL;
    text[0] = '\0';
    if (steps && forces && run->counts.largest_step > 0.0)
        snprintf(
            text, CAROM_REMARK_TEXT,
            "forces of contacts are impulses of a step over its length, %.3g%s: where bodies strike each other they "
            "grow as the step shrinks, and only impulses mean anything",
            run->counts.largest_step, has_units(run) ? " s" : "");
}

void carom_remarks_rings(const struct carom_model *model, double off, char text[CAROM_REMARK_TEXT])
{
    const struct carom_solid_strike *s = model->encounter ? carom_solid_strike_of(model) : NULL;
    bool faces = false;
    for (size_t i = 0; s && i < s->nmeets; i++)
        faces = faces || !s->meet[i].tied;
    char good[80] = "", bad[120] = "";
    text[0] = '\0';
    if (off <= AGREES)
        snprintf(good, sizeof good, ", impulses agree with the bodies' momenta to %.1g", fmax(off, 1e-15));
    else if (off > AGREES)
        snprintf(bad, sizeof bad,
                 "; and impulses differ from the changes of the bodies' momenta by %.2g of the largest", off);
    if (faces)
        snprintf(text, CAROM_REMARK_TEXT,
                 "forces between faces of solids swing about their mean, by half of it or more, as cells ring where a "
                 "wave begins or ends: single peaks are those of the mesh%s%s",
                 good, bad);
}

void carom_remarks_thinned(const struct carom_scene *scene, const struct carom_model *model, double half,
                           char text[CAROM_REMARK_TEXT])
{
    struct carom_schedule even = scene->schedule;
    text[0] = '\0';
    if (!(half > 0.0) || !(carom_schedule_thinned(&even, even.most / 2 + 1, half, half) > 1.0))
        return;
    const char *unit = scene->si ? " s" : "";
    const double contact = carom_strike_time(model, &scene->scales);
    even.action = 0.0;
    even.every = contact; /* an interval is named even where the even samples are short enough for most contacts */
    snprintf(text, CAROM_REMARK_TEXT,
             "after t = %.6g%s samples of closed contacts are further apart, so that some are left until the end, and "
             "histories of forces may miss peaks, which the book of impacts has: write record: {every: %g%s, from: "
             "%.6g%s}",
             half, unit, carom_schedule_finer(&even, contact), unit, half, unit);
}

/* Is the error that is stated larger than the one that was asked for? Then the sentence that says so; else "". */
static void missed(const struct carom_run_file *run, char text[CAROM_REMARK_TEXT])
{
    text[0] = '\0';
    if (!(run->tol > 0.0) || !(run->estimate > run->tol))
        return;
    char kept[80] = "";
    if (run->horizon > 0.0)
        snprintf(kept, sizeof kept, "; until about t = %.3g%s tol is kept", run->horizon, has_units(run) ? " s" : "");
    snprintf(text, CAROM_REMARK_TEXT,
             "the error grows beyond tol: about %.1e of V and U is stated for the end, and %.0e was asked for%s%s",
             run->estimate, run->tol, kept, run->estimate < 0.1 ? "" : "; believe averages from there on, not places");
}

void carom_remarks_alone(double until, bool si, char text[CAROM_REMARK_TEXT])
{
    snprintf(text, CAROM_REMARK_TEXT, "nothing has met until t = %g%s: no contact closed in the whole run", until,
             si ? " s" : "");
}

/* Did no contact close in a run of compliant bodies that could have met? Its book and its events are empty then. */
static bool is_alone(const struct carom_run_file *run, const struct carom_scene *scene)
{
    const struct carom_model *model = scene->model;
    const struct carom_bodies *bodies = carom_model_bodies(model);
    const struct carom_beads *beads = carom_model_chain(model);
    const bool several =
        bodies && bodies->n > 1 && bodies->njoints == 0 && run->touches.there && run->touches.lines == 0;
    const bool row = beads && !beads->loaded && !beads->spring && model->nc > 0;
    const bool beside = model->encounter && carom_solid_of(model, NULL);
    const bool noted = scene->notes && (strstr(scene->notes, "never arrives") || strstr(scene->notes, "is struck"));
    return run->complete && run->rows > 0 && scene->schedule.events && run->events == 0 && run->episodes.rows == 0 &&
           run->episodes.left_out == 0 && scene->scales.speed > 0.0 && (several || row || beside) && !noted;
}

/* the smaller radius at a contact; HUGE_VAL: there is none */
static double radius_at(const struct carom_model *model, uint64_t contact)
{
    const struct carom_bodies *bodies = carom_model_bodies(model);
    const struct carom_beads *beads = carom_model_chain(model);
    const uint64_t side[] = {contact >> 32, contact & UINT32_MAX};
    double least = HUGE_VAL;
    for (size_t k = 0; bodies && k < 2; k++)
        if (side[k] > 0 && side[k] <= bodies->n) {
            const struct carom_body *body = &bodies->body[side[k] - 1];
            least = body->surface == CAROM_BALL && !body->inside ? fmin(least, body->radius) : least;
        }
    for (size_t k = 0; beads && beads->radius && contact < model->nc && k < 2; k++) {
        const int32_t bead = model->pair[contact][k];
        least = bead >= 0 && beads->radius[bead] > 0.0 ? fmin(least, beads->radius[bead]) : least;
    }
    return least;
}

struct looking {
    const struct carom_model *model;
    struct carom_yield *yield; /* NULL: nothing is known of materials */
    double part;               /* the largest overlap over the smaller radius, and where that was */
    struct carom_episode deepest;
};

static void look(void *own, const struct carom_episode *row)
{
    struct looking *l = own;
    const double part = row->overlap / radius_at(l->model, row->contact);
    if (part > l->part) {
        l->part = part;
        l->deepest = *row;
    }
    if (l->yield)
        carom_yield_look(l->yield, row);
}

static void say_deep(const struct looking *l, bool si, char text[CAROM_REMARK_TEXT])
{
    const uint64_t contact = l->deepest.contact;
    char who[64];
    if (carom_model_bodies(l->model))
        snprintf(who, sizeof who, "bodies %llu and %llu", (unsigned long long)(contact >> 32),
                 (unsigned long long)(contact & UINT32_MAX));
    else
        snprintf(who, sizeof who, "those of contact %zu", carom_frame_number(l->model, contact));
    snprintf(text, CAROM_REMARK_TEXT,
             "bodies overlapped by up to %.3g%s (%s, from t = %.6g%s on), %.2g of the smaller radius: laws of contact "
             "are made for a tenth at most",
             l->deepest.overlap, si ? " m" : "", who, l->deepest.closed, si ? " s" : "", l->part);
}

enum carom_status carom_remarks(const struct carom_run_file *run, const struct carom_scene *scene,
                                void (*say)(void *own, const char *text), void *own, struct carom_error *error)
{
    char text[CAROM_REMARK_TEXT], doubt[CAROM_DOUBT_TEXT];
    struct carom_doubt why = run->doubt;
    if (scene && scene->model)
        carom_doubt_name(&why, scene->model);
    carom_doubt_say(&why, has_units(run), doubt);
    if (*doubt)
        say(own, doubt);
    missed(run, text);
    if (*text)
        say(own, text);
    carom_remarks_averaged(run, text);
    if (*text)
        say(own, text);
    carom_blunders_say(&run->blunders, has_units(run), say, own);
    if (!scene || !scene->model || !run->episodes.there || !(scene->model->offers & CAROM_COMPLIANT))
        return CAROM_OK;
    if (is_alone(run, scene)) {
        carom_remarks_alone(scene->until, has_units(run), text);
        say(own, text);
    }
    double off;
    if (carom_momenta_off(run, scene, &off, error) != CAROM_OK)
        return error->status;
    carom_remarks_rings(scene->model, off, text);
    if (*text && run->episodes.rows > 0)
        say(own, text);
    const uint64_t row = scene->schedule.most / 2;
    double half = 0.0;
    if (scene->schedule.action > 0.0 && row < run->rows && carom_run_file_times(run, row, 1, &half, error) != CAROM_OK)
        return error->status;
    carom_remarks_thinned(scene, scene->model, half, text);
    if (*text)
        say(own, text);
    struct looking l = {.model = scene->model, .yield = scene->yield};
    if (l.yield) {
        l.yield->model = scene->model;
        l.yield->pressed = 0.0;
    }
    const enum carom_status status = carom_run_episodes_each(&run->episodes, run->file, look, &l, error);
    if (status == CAROM_OK && l.part > DEEP) {
        say_deep(&l, has_units(run), text);
        say(own, text);
    }
    if (status == CAROM_OK && l.yield && carom_yield_say(l.yield, scene, has_units(run), text))
        say(own, text);
    return status;
}
