/* Laws, parameters and options of a run in words. */
#include "study/follow/run_summary.h"

#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/law.h"
#include "scheme/stepper.h"

/* " N/m", or nothing */
static void say_unit(char *text, size_t size, const struct carom_param *param, bool si)
{
    if (si && strcmp(param->unit, "1") != 0)
        snprintf(text + strlen(text), size - strlen(text), " %s", param->unit);
}

static void say(char *text, size_t size, const char *format, const char *name, double low, double high)
{
    const size_t length = strlen(text);
    char first[32], last[32];
    snprintf(first, sizeof first, "%.6g", low);
    snprintf(last, sizeof last, "%.6g", high);
    if (strcmp(first, last) == 0)
        snprintf(text + length, size - length, "%s%s = %s", format, name, first);
    else
        snprintf(text + length, size - length, "%s%s = %s ... %s", format, name, first, last);
}

/* e and mu of rigid bodies whose contacts come and go; other laws have parameters that sizes change */
static void describe_pairings(struct carom_run_summary *w, const struct carom_bodies *bodies)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < bodies->npairings; i++) {
        const struct carom_pairing *p = &bodies->pairing[i];
        const double value[2] = {p->param[CAROM_RIGID_E].param, p->param[CAROM_RIGID_MU].param};
        if (!p->law->rigid) {
            snprintf(w->contacts, sizeof w->contacts, "%s", p->law->kind.name);
            return;
        }
        for (size_t k = 0; k < 2; k++) {
            low[k] = fmin(low[k], value[k]);
            high[k] = fmax(high[k], value[k]);
        }
    }
    if (bodies->npairings == 0)
        return;
    snprintf(w->contacts, sizeof w->contacts, "rigid:");
    say(w->contacts, sizeof w->contacts, " ", "e", low[0], high[0]);
    if (high[1] > 0.0)
        say(w->contacts, sizeof w->contacts, ", ", "mu", low[1], high[1]);
}

void carom_summary_words(struct carom_run_summary *w, bool si, const struct carom_model *model,
                         const struct carom_stepper *stepper)
{
    const struct carom_param *p = stepper->scheme->kind.params;
    snprintf(w->scheme, sizeof w->scheme, "%s", stepper->scheme->kind.name);
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        const size_t length = strlen(w->contacts);
        snprintf(w->contacts + length, sizeof w->contacts - length, "%s%s:", i > 0 ? "; " : "", g->law->kind.name);
        for (size_t c = 0; c < g->ncolumns; c++) {
            const bool energetic = stepper->traces && g->law->rigid && c == CAROM_RIGID_E;
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (size_t j = 0; j < g->count; j++) {
                low = fmin(low, g->param[c][j]);
                high = fmax(high, g->param[c][j]);
            }
            if (g->law->rigid && c > CAROM_RIGID_P && low == 0.0 && high == 0.0)
                continue; /* no friction */
            if (g->law->rigid && !stepper->traces && (c == CAROM_RIGID_K || c == CAROM_RIGID_P))
                continue; /* only impact lzb asks for them */
            say(w->contacts, sizeof w->contacts, c == 0 ? " " : ", ", energetic ? "es" : g->law->kind.params[c].name,
                low, high);
            say_unit(w->contacts, sizeof w->contacts, &g->law->kind.params[c], si);
        }
    }
    if (model->ngroups == 0 && carom_model_bodies(model) != NULL)
        describe_pairings(w, carom_model_bodies(model));
    for (; p != NULL && p->name != NULL; p++) {
        const size_t length = strlen(w->options);
        const double value = carom_param_value(p, stepper->options);
        if (!carom_stepper_tells(p, value))
            continue;
        const bool share = strcmp(p->name, "share") == 0; /* of tol */
        snprintf(w->options + length, sizeof w->options - length, "%s%s%s", length > 0 ? ", " : "",
                 share ? "of which a step may take " : p->name, share ? "" : " = ");
        const size_t at = strlen(w->options);
        if (p->type == CAROM_CHOICE)
            snprintf(w->options + at, sizeof w->options - at, "%s", p->choices[(size_t)value]);
        else
            snprintf(w->options + at, sizeof w->options - at, "%g", value);
        say_unit(w->options, sizeof w->options, p, si);
    }
}
