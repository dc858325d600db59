/* What a run did: steps, error, ledger, samples. */
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/device.h"
#include "cli.h"
#include "episodes.h"
#include "model/bodies/outside.h"
#include "rank/rank.h"
#include "sim/blunders.h"
#include "sim/doubt.h"
#include "sim/unbalanced.h"
#include "study/remarks.h"

/* The energy that parts are told of: that of the start and the work, which is what there is. Counted from a start
 * near 0, as under gravity, parts would be many times as large: then the largest energy of the samples and the end,
 * unless the run itself made it. */
static double whole_of(const struct carom_sim *sim, const struct carom_ledger *l)
{
    if (sim->unbalanced > 0.0)
        return fabs(l->residual) / sim->unbalanced;
    const double whole = sim->state->energy + l->work;
    const double end = fmax(fmax(fabs(l->kinetic), fabs(l->stored)), fabs(l->dissipated));
    return whole >= 0.999 * end ? whole : fmax(end, carom_recorder_tally(sim->recorder)->largest);
}

/* relative to the energy there is, or absolute if there is none */
static void print_energy(const struct carom_scene *scene, const char *name, double value, double whole)
{
    printf("  %-12s %14.6e%s", name, value, cli_si(scene, " J"));
    if (whole > 0.0)
        printf(fabs(value) < 1e6 * whole ? "  %9.4f %%" : "  %9.2e %%", 100.0 * value / whole);
    printf("\n");
}

/* Where energy went; what impacts and parts took stands last. A part that is all there is says nothing new, unless
 * another one might have been; beside the others, what is rounding goes unsaid. */
static void print_parts(const struct carom_scene *scene, const struct carom_ledger *l, double whole)
{
#define PART(field, name, text, path, label) {name, &l->field},
    const struct {
        const char *name;
        const double *value;
    } part[] = {CAROM_LEDGER_PARTS(PART)};
    const size_t count = sizeof part / sizeof *part;
    const double least = 1e-12 * fmax(whole, fabs(l->dissipated));
    size_t some = 0;
    for (size_t i = 0; i < count; i++)
        some += *part[i].value != 0.0;
    for (size_t k = 0; k < 2 * count; k++) {
        const double *const at = part[k % count].value, value = *at;
        const bool all = some == 1 && (value == l->viscous || value == l->impact),
                   last = at == &l->impact || at == &l->internal;
        char name[16];
        snprintf(name, sizeof name, "  %.*s", (int)strcspn(part[k % count].name, "_"), part[k % count].name);
        if (value != 0.0 && fabs(value) >= least && !all && last == (k >= count))
            print_energy(scene, name, value, whole);
    }
}

static void print_ledger(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    struct carom_ledger ledger; /* of the end, which need not be a sample */
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    const struct carom_ledger *l = &ledger;
    const bool rests = whole_of(sim, l) < 1e-9 * carom_unbalanced_scale(sim, false); /* bodies that stand: rounding */
    const double whole = rests ? 0.0 : whole_of(sim, l);
    printf("energy ledger at t = %g%s%s", sim->view->time, cli_si(scene, " s"),
           rests ? "; nothing moves, what stands here is rounding" : "");
    if (whole > 0.0)
        printf("; parts of %s, %.4g%s",
               sim->unbalanced > 0.0                   ? "what was put in"
               : whole != sim->state->energy + l->work ? "the largest energy of the run"
               : l->work != 0.0                        ? "the start and the work"
                                                       : "the start",
               whole, cli_si(scene, " J"));
    printf("\n");
    print_energy(scene, "kinetic", l->kinetic, whole);
    print_energy(scene, "stored", l->stored, whole);
    print_energy(scene, "dissipated", l->dissipated, whole);
    print_parts(scene, l, whole);
    if (l->work != 0.0)
        print_energy(scene, "work", l->work, whole);
    printf("  %-12s %14.2e%s", "residual", l->residual, cli_si(scene, " J"));
    const bool filled = !(tally->worst_between <= fmax(tally->worst_residual, 1e-12 * whole));
    const double worst = filled ? fmax(tally->worst_residual, fabs(l->residual)) : tally->worst_residual;
    if (whole > 0.0)
        printf("  %9.1e %%, largest of the samples just taken %.1e %%", 100.0 * l->residual / whole,
               100.0 * worst / whole);
    if (whole > 0.0 && filled)
        printf(" at ends of steps, %.1e %% between them, where energies are filled in",
               100.0 * tally->worst_between / whole);
    printf("\n");
    if (whole > 0.0 && l->stored < 0.0 && !rests)
        printf(
            "  stored counts from the start: what bodies gave up since, as by falling, is in motion or dissipated\n");
}

static void print_blunder(void *own, const char *text)
{
    (void)own;
    printf("impacts    %s\n", text);
}

/* rigid contacts: how far bodies went into each other, how well contact problems were solved, energy out of nothing */
static void print_rigid(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_stepper *stepper = sim->stepper;
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    const bool steps = bodies && bodies->rigid && (stepper->worst_gap < 0.0 || stepper->worst_residual > 0.0);
    if (!steps && (sim->model->nc == 0 || sim->model->offers & CAROM_COMPLIANT))
        return;
    printf("overlap    at most %.1e%s; contact problems solved to %.0e", 0.0 - stepper->worst_gap, cli_si(scene, " m"),
           stepper->worst_residual);
    if (sim->since > 0.0)
        printf(" (since t = %g%s)", sim->since, cli_si(scene, " s"));
    printf("\n");
    struct carom_blunders all = carom_blunders(sim);
    const double created = all.created;
    all.created = 0.0; /* why that may be is told here */
    carom_blunders_say(&all, scene->si, print_blunder, NULL);
    double part, promised;
    const double made = carom_blunders_within(sim, &part, &promised);
    if (made > 0.0)
        printf(
            "impacts    made %.3e%s, %.1e of the energy, within %.0e, to which steps and contact problems are solved\n",
            made, cli_si(scene, " J"), part, promised);
    if (created > 0.0)
        printf("impacts    CREATED %.3e%s of energy: %s can do that\n", created, cli_si(scene, " J"),
               sim->model->frictional || (bodies && bodies->frictional)
                   ? "restitution together with friction (Newton's or Poisson's e), or forces in long steps,"
               : stepper->traces ? "the printed steps of impulse (safeguards: off)"
                                 : "unequal e at contacts that touch together, Poisson's e, or forces in long steps,");
}

/* what can be had instead of a tol that cannot be kept */
static void print_reach(const struct carom_sim *sim, const struct carom_scene *scene)
{
    if (sim->horizon > 0.0)
        printf("           it is kept until about t = %.3g%s;", sim->horizon, cli_si(scene, " s"));
    else
        printf("          ");
    if (sim->estimate < 0.1)
        printf(" tol: %.0e can be kept to the end\n", 2.0 * sim->estimate);
    else
        printf(" no tol can be kept to the end: expect averages of it, not places\n");
}

void cli_growth(double growth, double sight, double until, bool si)
{
    if (!(growth >= 100.0)) /* where errors hardly grow, what they seem to do in time is chance */
        return;
    printf("growth     errors of single steps become %.0e times as large", growth);
    if (sight > 0.0 && sight > until)
        printf("; a run longer than about %.2g%s could keep no tol at all", sight, si ? " s" : "");
    else if (sight > 0.0)
        printf(", so fast that beyond t = %.2g%s no tol can be kept", sight, si ? " s" : "");
    printf("\n");
}

/* why nothing is promised, if so */
static void print_doubt(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_doubt doubt = carom_doubt(sim);
    char text[CAROM_DOUBT_TEXT];
    carom_doubt_say(&doubt, scene->si, text);
    if (*text)
        printf("           %s\n", text);
}

static bool share_is_given(const struct carom_sim *sim)
{
    const struct carom_param *share = carom_param_find(sim->stepper->scheme->kind.params, "share");
    return share && carom_param_value(share, sim->stepper->options) > 0.0;
}

/* what is known of the error over the whole run */
static void print_error(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_param *row = carom_param_find(sim->stepper->scheme->kind.params, "tol");
    const double tol = row ? carom_param_value(row, sim->stepper->options) : 0.0; /* solids have steps without it */
    if (sim->estimate > 0.0) {
        const bool more = sim->estimate > tol;
        char where[64] = "over the whole run";
        if (sim->flown > 0.0 && sim->flown < (1.0 - 1e-9) * sim->until)
            snprintf(where, sizeof where, "until t = %g%s, where it was to end", sim->flown, cli_si(scene, " s"));
        printf("error      about %.1e of the scales %s, as two pilot runs predict%s\n", sim->estimate, where,
               !more                  ? ""
               : sim->stepper->traces ? ": MORE than tol; a smaller impact_tol helps"
                                      : ": MORE than tol, which is out of reach here");
        /* the tol of springy impacts is what they may err by; where pilot runs disagree none is known to be kept */
        if (more && !(sim->stepper->exact && sim->stepper->traces) && carom_doubt(sim).why != CAROM_DOUBT_UNSETTLED)
            print_reach(sim, scene);
        cli_growth(sim->growth, sim->sight, sim->until, scene->si);
    } else if (sim->stepper->counts.local_error > 0.0)
        printf("error      local estimates add up to %.1e of the scales (%s)\n", sim->stepper->counts.local_error,
               share_is_given(sim) ? "share is given, so no pilot runs were made"
                                   : "the file does not say what pilot runs told");
    else if (sim->stepper->exact && sim->stepper->counts.impacts == 0)
        printf("error      not estimated: flights are in closed form; rounding and bounces left out are all, which "
               "impacts may magnify\n");
    else if (sim->model->nc > 0 && !(sim->model->offers & CAROM_COMPLIANT) && !(tol > 0.0))
        printf("error      not estimated, of the order of the step: halve it, or see carom converge\n");
    else if (!(tol > 0.0))
        printf("error      none is stated: the step is fixed; carom converge measures it\n");
}

/* impacts that have a time of their own state their errors */
static void print_impacts(const struct carom_sim *sim)
{
    const struct carom_counts *c = &sim->stepper->counts;
    if (c->impacts == 0)
        return;
    printf("impacts    %llu, %llu step%s inside them; their errors add up to %.1e of V%s\n",
           (unsigned long long)c->impacts, (unsigned long long)c->iterations, cli_s(c->iterations), c->impact_error,
           sim->stepper->exact ? "; flights are in closed form" : "");
}

/* who has left the domain */
/* of those that have left, the one that is least far outside */
static size_t last_out(const struct carom_bodies *b, const double *q)
{
    size_t last = b->n;
    double least = HUGE_VAL;
    for (size_t i = carom_outside_next(b, q, 0); i < b->n; i = carom_outside_next(b, q, i + 1)) {
        double centre[3], far = 0.0;
        carom_bodies_centre(b, i, q, centre);
        for (size_t k = 0; k < b->dimension; k++)
            far = b->periodic[k] ? far : fmax(far, fmax(b->low[k] - centre[k], centre[k] - b->high[k]));
        if (far < least) {
            least = far;
            last = i;
        }
    }
    return last;
}

static void print_outside(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    size_t gone = 0;
    for (size_t i = 0; b && i < b->n; i++)
        gone += carom_outside_is(b, i, sim->view->q);
    if (gone > 0)
        printf("outside    %zu bod%s left the domain and %s removed\n", gone, gone == 1 ? "y has" : "ies have",
               gone == 1 ? "was" : "were");
    if (b && b->outside == CAROM_OUTSIDE_STOP && sim->until < scene->until) /* else it had left before, and went on */
        printf("outside    body %zu has left the domain, which ended the run; carom resume --until goes on\n",
               last_out(b, sim->view->q) + 1);
}

/* laws of contact are those of overlaps that are small beside the bodies */
static void print_deep(const struct carom_deep *deep, const struct carom_scene *scene)
{
    if (deep->found)
        printf("warning    bodies %zu and %zu overlapped by more than a tenth of the smaller radius, first at t = %g%s "
               "(%.3g%s): a stiffer law or a slower impact keeps to what contact laws are made for\n",
               deep->a + 1, deep->b + 1, deep->time, cli_si(scene, " s"), deep->overlap, cli_si(scene, " m"));
}

void cli_unbalanced(double unbalanced, double tol, double step, double contact_time, bool si)
{
    char text[CAROM_UNBALANCED_TEXT];
    carom_unbalanced_say(unbalanced, tol, step, contact_time, si, text);
    if (unbalanced > 0.0)
        printf("warning    %s\n", text);
}

void cli_summary(const struct carom_sim *sim, const struct carom_scene *scene, double seconds, const char *output)
{
    const struct carom_counts *c = &sim->stepper->counts;
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    cli_describe(scene, sim->model, sim->stepper->options);
    printf("steps      %llu", (unsigned long long)c->steps);
    if (c->rejected > 0)
        printf(", %llu rejected", (unsigned long long)c->rejected);
    if (c->steps > 0 && c->largest_step - c->smallest_step < 1e-3 * c->largest_step)
        printf(", each of %.3g%s", c->largest_step, cli_si(scene, " s"));
    else if (c->steps > 0)
        printf(", sizes %.3g ... %.3g%s", c->smallest_step, c->largest_step, cli_si(scene, " s"));
    printf(", %llu force evaluations", (unsigned long long)c->evaluations);
    if (c->iterations > 0 && c->impacts == 0)
        printf(", %.2f Newton iterations a step", (double)c->iterations / (double)c->steps);
    if (sim->stepper->products > 0 && c->iterations > 0)
        printf(" of %.1f CG iterations each", (double)sim->stepper->products / (double)c->iterations);
    printf("\n");
    if (sim->device)
        printf("device     %s (%s)\n", carom_device_what(sim->device)->name, carom_device_what(sim->device)->driver);
    if (sim->ranks)
        printf("ranks      %zu\n", carom_rank_count(sim->ranks));
    print_error(sim, scene);
    print_doubt(sim, scene);
    print_impacts(sim);
    print_ledger(sim, scene);
    cli_unbalanced(sim->unbalanced, carom_unbalanced_tol(sim), c->largest_step, sim->scales.contact_time, scene->si);
    cli_summary_momenta(sim, scene);
    print_rigid(sim, scene);
    print_outside(sim, scene);
    print_deep(&sim->stepper->deep, scene);
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    const bool rubs = bodies && bodies->frictional && strcmp(sim->stepper->scheme->kind.name, "dp5") == 0;
    const char *what = rubs                                   ? "sticks, slips, "
                       : sim->model->offers & CAROM_COMPLIANT ? ""
                       : sim->model->frictional               ? "impacts, sticks, slips, "
                                                              : "impacts, ";
    printf("recorded   %llu sample%s", (unsigned long long)tally->rows, cli_s(tally->rows));
    if (sim->model->nc > 0 || sim->state->contacts) /* a solid has no contacts */
        printf(", %llu event%s (%sopenings and closings%s)", (unsigned long long)tally->events, cli_s(tally->events),
               what, scene->schedule.zeros ? ", forces that pass 0" : "");
    printf("%s\n", scene->schedule.every > scene->until ? " (record: every is longer than the run)" : "");
    if (scene->schedule.impact_every == 0.0 && tally->forces >= CAROM_RECORD_FORCES)
        printf("           only the first %llu forces inside impacts; record: {impact_every: ...} keeps them all\n",
               (unsigned long long)tally->forces);
    else if (tally->forces >= CAROM_RECORD_FORCES_ASKED)
        printf("           only the first %llu forces inside impacts: impact_every = %g is very short\n",
               (unsigned long long)tally->forces, scene->schedule.impact_every);
    cli_episodes_left(tally);
    char thinned[CAROM_REMARK_TEXT];
    carom_remarks_thinned(scene, sim->model, tally->half, thinned);
    if (*thinned)
        printf("note       %s\n", thinned);
    cli_notes(scene, sim->model);
    cli_notes_over(sim, scene);
    if (sim->since > 0.0)
        printf("time       %.3g s from t = %g%s on\n", seconds, sim->since, cli_si(scene, " s"));
    else
        printf("time       %.3g s\n", seconds);
    if (output)
        printf("written    %s\n", output);
}
