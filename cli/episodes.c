/* Episodes of contacts on the terminal. */
#include "episodes.h"
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "model/bodies/linkage.h"
#include "model/contact_number.h"
#include "model/solid/solid_cells.h"
#include "model/solid/strike/solid_strike.h"
#include "record/schedule.h"
#include "scene/named.h"
#include "scene/run/strike_time.h"
#include "terminal.h"

enum { STRONGEST = 8 };

static void keep_strongest(struct carom_episode *best, size_t *count, const struct carom_episode *row)
{
    size_t at = *count;
    if (at == STRONGEST && !(carom_run_episodes_strength(row) > carom_run_episodes_strength(&best[--at])))
        return;
    *count += *count < STRONGEST;
    for (; at > 0 && carom_run_episodes_strength(row) > carom_run_episodes_strength(&best[at - 1]); at--)
        best[at] = best[at - 1];
    best[at] = *row;
}

static size_t number_of(const struct carom_run_file *run, uint64_t contact)
{
    return carom_contact_number((const int32_t(*)[2])run->pair, run->row && contact < run->nc, (size_t)contact);
}

struct strongest {
    size_t count;
    uint64_t closed; /* of all rows, those still closed at the end */
    struct carom_episode best[STRONGEST];
};

static void see_strongest(void *own, const struct carom_episode *row)
{
    struct strongest *s = own;
    keep_strongest(s->best, &s->count, row);
    s->closed += isinf(row->opened) ? 1 : 0;
}

/* --- who takes part, called as on pages -------------------------------------------------------------------------- */

enum { NAME = 48 }; /* characters, those of two and what stands between */

/* the name of a body, from 0, or `kind` and its number */
static void name_body(const struct carom_scene *scene, size_t body, const char *kind, char name[NAME])
{
    const char *own = carom_named_own(scene, body);
    if (own)
        snprintf(name, NAME, "%s", own);
    else
        snprintf(name, NAME, "%s%zu", kind, body + 1);
}

/* what takes part in contacts of solids: balls count from 0 up, solids from -3 down, then walls */
static void name_end(const struct carom_scene *scene, int32_t end, char name[NAME])
{
    const size_t solids = carom_solid_count(scene->model), number = (size_t)(-3 - end), wall = number - solids;
    const struct carom_solid_strike *strike = carom_solid_strike_of(scene->model);
    if (end >= 0)
        name_body(scene, (size_t)end, "ball ", name);
    else if (number < solids)
        snprintf(name, NAME, "%s",
                 *carom_solid_at(scene->model, number)->name ? carom_solid_at(scene->model, number)->name : "solid");
    else if (strike && wall < strike->nwalls && *strike->wall[wall].name)
        snprintf(name, NAME, "%s", strike->wall[wall].name);
    else
        snprintf(name, NAME, "wall %zu", wall + 1);
}

static void name_place(const struct carom_run_file *run, const struct carom_scene *scene,
                       const struct carom_episode *row, char place[2 * NAME])
{
    char name[2][NAME];
    if (run->listed) {
        name_body(scene, (size_t)(row->contact >> 32) - 1, "", name[0]);
        name_body(scene, (size_t)(row->contact & UINT32_MAX) - 1, "", name[1]);
    } else if (scene && carom_solid_of(scene->model, NULL) && row->contact < run->nc) {
        name_end(scene, run->pair[row->contact][0], name[0]);
        name_end(scene, run->pair[row->contact][1], name[1]);
    } else {
        snprintf(place, 2 * NAME, "%zu", number_of(run, row->contact));
        return;
    }
    snprintf(place, 2 * NAME, "%s-%s", name[0], name[1]);
}

/* Contacts of bodies that are one mechanism have numbers of their own: which they are, of those in the table. */
static void explain_places(const struct carom_run_file *run, const struct carom_scene *scene, const struct strongest *s)
{
    for (size_t j = 0; j < scene->model->nc; j++) {
        char text[80], name[2][NAME];
        unsigned a, b;
        int used = 0;
        bool shown = false;
        for (size_t i = 0; i < s->count; i++)
            shown = shown || s->best[i].contact == j;
        if (!shown)
            continue;
        carom_linkage_name(scene->model, j, text, sizeof text);
        if (sscanf(text, "bodies %u and %u%n", &a, &b, &used) == 2 &&
            (carom_named_own(scene, a - 1) || carom_named_own(scene, b - 1))) {
            name_body(scene, a - 1, "body ", name[0]);
            name_body(scene, b - 1, "body ", name[1]);
            printf("  contact %zu: %s and %s%s\n", number_of(run, j), name[0], name[1], text + used);
        } else
            printf("  contact %zu: %s\n", number_of(run, j), text);
    }
}

/* --- the table --------------------------------------------------------------------------------------------------- */

#define SLOW 1e-6 /* of V: what closes slower only touched */

enum { CLOSED, PEAK_AT, LASTS, SPEED, PEAK, IMPULSE, LOST, COLUMNS };

static const struct cli_column columns[COLUMNS] = {
    {"closed", " s", 11, 6}, {"peak at", " s", 11, 6},   {"lasts", " s", 9, 4}, {"speed", " m/s", 9, 4},
    {"peak", " N", 11, 6},   {"impulse", " N s", 11, 6}, {"lost", " J", 9, 4}};

static void print_row(const struct carom_run_file *run, const struct carom_episode *row, unsigned out)
{
    const bool peaks = row->peak_force > 0.0;
    const double value[COLUMNS] = {row->closed,
                                   peaks ? row->peak_time : HUGE_VAL,
                                   row->opened - row->closed,
                                   row->speed >= 0.0 ? row->speed : HUGE_VAL, /* of those about to open: none */
                                   peaks ? row->peak_force : HUGE_VAL,
                                   row->impulse,
                                   row->dissipated};
    for (size_t c = 0; c < COLUMNS; c++)
        if (out & 1U << c)
            continue;
        else if (c == SPEED && row->speed >= 0.0 && row->speed <= SLOW * run->scales.speed)
            printf(" %*s", columns[c].width, "touching");
        else if (!isfinite(value[c]))
            printf(" %*s", columns[c].width, "-");
        else
            printf(" %*.*g", columns[c].width, columns[c].digits, value[c] + 0.0); /* without the sign of -0 */
    printf("\n");
}

static void print_table(const struct carom_run_file *run, const struct carom_scene *scene, const struct strongest *s)
{
    const bool si = strcmp(run->units, "none") != 0;
    size_t wide = strlen("contact");
    char place[STRONGEST][2 * NAME], head[32];
    for (size_t i = 0; i < s->count; i++) {
        name_place(run, scene, &s->best[i], place[i]);
        wide = strlen(place[i]) > wide ? strlen(place[i]) : wide;
    }
    static const unsigned spare[] = {LOST, IMPULSE, PEAK_AT, LASTS, SPEED};
    const unsigned out = cli_terminal_spare(columns, COLUMNS, 2 + wide, spare, sizeof spare / sizeof *spare);
    printf("  %-*s", (int)wide, run->listed ? "bodies" : "contact");
    for (size_t c = 0; c < COLUMNS; c++)
        if (!(out & 1U << c)) {
            snprintf(head, sizeof head, "%s%s", columns[c].name, si ? columns[c].unit : "");
            printf(" %*s", columns[c].width, head);
        }
    printf("\n");
    for (size_t i = 0; i < s->count; i++) {
        printf("  %-*s", (int)wide, place[i]);
        print_row(run, &s->best[i], out);
    }
    cli_terminal_left_out(columns, COLUMNS, out, "  ", "; carom export RUN.h5 --csv --episodes has all");
}

enum carom_status cli_episodes_show(const struct carom_run_file *run, const struct carom_scene *scene,
                                    struct carom_error *error)
{
    struct strongest s = {0};
    const struct carom_run_episodes *book = &run->episodes;
    if (!book->there)
        return CAROM_OK;
    const enum carom_status status = carom_run_episodes_each(&run->episodes, run->file, see_strongest, &s, error);
    if (status != CAROM_OK)
        return status;
    printf("episodes   %llu of contacts that closed and opened", (unsigned long long)(book->rows - s.closed));
    if (s.closed > 0)
        printf(", %llu of contacts still closed at the end", (unsigned long long)s.closed);
    if (book->left_out > 0)
        printf(", %llu more left out ('record: {episodes: all}' keeps them)", (unsigned long long)book->left_out);
    const bool peaks = s.count > 0 && s.best[0].peak_force > 0.0; /* of rigid ones there are none */
    printf("%s%s%s\n", s.count > 0 ? "; the strongest" : "", peaks ? ", whose peaks samples may miss" : "",
           s.count == 0           ? ""
           : run->listed && peaks ? " (peak: of the force along the normal):"
                                  : ":");
    if (s.count == 0)
        return CAROM_OK;
    print_table(run, scene, &s);
    bool touching = false; /* before anything moved */
    for (size_t i = 0; i < s.count; i++)
        touching = touching || (s.best[i].speed >= 0.0 && s.best[i].speed <= SLOW * run->scales.speed);
    if (touching && peaks)
        printf("  lasts: from closing to opening; bodies that touched are in contact from the first trace of a wave "
               "on, long before and after most of the force\n");
    if (scene && carom_linkage_of(scene->model))
        explain_places(run, scene, &s);
    return CAROM_OK;
}

/* are there histories of forces? */
static bool shows_forces(const struct carom_scene *scene, const struct carom_model *model)
{
    bool shown = false;
    for (size_t i = 0; i < scene->nprobes; i++)
        shown = shown || strcmp(scene->probes[i], "contact_force") == 0 || strcmp(scene->probes[i], "contacts") == 0;
    return shown && (model->nc > 0 || carom_model_bodies(model)) && (model->offers & CAROM_COMPLIANT);
}

void cli_episodes_coarse(const struct carom_scene *scene, const struct carom_model *model)
{
    const double time = carom_strike_time(model, &scene->scales), finer = carom_schedule_finer(&scene->schedule, time);
    const char *unit = scene->si ? " s" : "";
    if (finer > 0.0 && shows_forces(scene, model))
        printf("note       samples %g%s apart are longer than a third of the shortest contact (%.3g%s), so that "
               "histories of forces miss peaks, which the book of impacts has: leave every out, and samples follow the "
               "contacts, or write record: {every: %g%s} (%.3g samples)\n",
               scene->schedule.every, unit, time, unit, finer, unit, scene->until / finer);
}

void cli_episodes_left(const struct carom_tally *tally)
{
    if (tally->left_out > 0)
        printf("           %llu episode%s of contacts kept, %llu left out; record: {episodes: all} keeps them\n",
               (unsigned long long)tally->episodes, cli_s(tally->episodes), (unsigned long long)tally->left_out);
}
