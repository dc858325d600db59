/* Episodes of contacts on the terminal and as CSV. */
#include "episodes.h"
#include "cli.h"

#include <math.h>
#include <string.h>

#include "carom/bodies.h"
#include "model/bodies/linkage.h"
#include "record/export/csv.h"
#include "record/schedule.h"
#include "scene/strike_time.h"

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

/* contacts as in scenes: right of the body of that number, 0 at the left wall */
static long number_of(const struct carom_run_file *run, uint64_t contact)
{
    const bool left_wall = run->row && run->nc > 0 && run->pair[0][0] == CAROM_WALL_LEFT;
    return (long)contact + (left_wall ? 0 : 1);
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

static void print_place(const struct carom_run_file *run, const struct carom_episode *row)
{
    char place[48];
    if (run->listed)
        snprintf(place, sizeof place, "%llu-%llu", (unsigned long long)(row->contact >> 32),
                 (unsigned long long)(row->contact & UINT32_MAX));
    else
        snprintf(place, sizeof place, "%ld", number_of(run, row->contact));
    printf("  %-8s", place);
}

/* A line of the table has 80 characters. */
static void print_number(double x, int width, int digits)
{
    if (!isfinite(x))
        printf(" %*s", width, "-");
    else
        printf(" %*.*g", width, digits, x + 0.0); /* without the sign of -0 */
}

/* Contacts of bodies that are one mechanism have numbers of their own: which they are, of those in the table. */
static void name_places(const struct carom_run_file *run, const struct carom_model *model, const struct strongest *s)
{
    char name[80];
    for (size_t j = 0; j < model->nc; j++) {
        bool shown = false;
        for (size_t i = 0; i < s->count; i++)
            shown = shown || s->best[i].contact == j;
        if (!shown)
            continue;
        carom_linkage_name(model, j, name, sizeof name);
        printf("  contact %ld: %s\n", number_of(run, j), name);
    }
}

enum carom_status cli_episodes_show(const struct carom_run_file *run, const struct carom_model *model,
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
    printf("%s%s%s\n", s.count > 0 ? "; the strongest" : "", peaks ? ", with peaks between samples" : "",
           s.count == 0           ? ""
           : run->listed && peaks ? " (peak: of the force along the normal):"
                                  : ":");
    if (s.count == 0)
        return CAROM_OK;
    const bool si = strcmp(run->units, "none") != 0;
    bool touching = false; /* before anything moved */
    printf("  %-8s %11s %10s %10s %11s %11s %10s\n", run->listed ? "bodies" : "contact", si ? "closed s" : "closed",
           si ? "lasts s" : "lasts", si ? "speed m/s" : "speed", si ? "peak N" : "peak", si ? "impulse N s" : "impulse",
           si ? "lost J" : "lost");
    for (size_t i = 0; i < s.count; i++) {
        const struct carom_episode *row = &s.best[i];
        print_place(run, row);
        print_number(row->closed, 11, 6);
        print_number(row->opened - row->closed, 10, 5);
        print_number(row->speed >= 0.0 ? row->speed : HUGE_VAL, 10, 5); /* of contacts that were about to open: none */
        print_number(row->peak_force > 0.0 ? row->peak_force : HUGE_VAL, 11, 6);
        print_number(row->impulse, 11, 6);
        print_number(row->dissipated, 10, 5);
        printf("\n");
        touching = touching || row->speed == 0.0;
    }
    if (touching && peaks)
        printf("  lasts: from closing to opening; bodies that touched are in contact from the first trace of a wave "
               "on, long before and after most of the force\n");
    if (model && carom_linkage_of(model))
        name_places(run, model, &s);
    return CAROM_OK;
}

struct table {
    FILE *out;
    const struct carom_run_file *run;
};

static void write_line(void *own, const struct carom_episode *row)
{
    const struct table *t = own;
    if (t->run->listed)
        fprintf(t->out, "%llu,%llu", (unsigned long long)(row->contact >> 32),
                (unsigned long long)(row->contact & UINT32_MAX));
    else
        fprintf(t->out, "%ld", number_of(t->run, row->contact));
    const double x[CAROM_EPISODE_REALS] = {row->closed,    row->opened,  row->speed,      row->peak_force,
                                           row->peak_time, row->impulse, row->dissipated, row->overlap};
    carom_csv_numbers(t->out, x, CAROM_EPISODE_REALS);
    putc('\n', t->out);
}

size_t cli_episodes_columns(const struct carom_run_file *run)
{
    return CAROM_EPISODE_REALS + (run->listed ? 2 : 1);
}

enum carom_status cli_episodes_csv(FILE *out, const struct carom_run_file *run, struct carom_error *error)
{
    struct table table = {out, run};
    fprintf(out, "%s,opened,speed,peak_force,peak_time,impulse,dissipated,overlap\n",
            CLI_EPISODES_HEADING(run->listed));
    const enum carom_status status = carom_run_episodes_each(&run->episodes, run->file, write_line, &table, error);
    return status == CAROM_OK && ferror(out) ? carom_error_set(error, CAROM_E_FILE, "the table could not be written")
                                             : status;
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
               "histories of forces miss peaks, which the book of impacts has: write record: {every: %g%s}\n",
               scene->schedule.every, unit, time, unit, finer, unit);
}

void cli_episodes_left(const struct carom_tally *tally)
{
    if (tally->left_out > 0)
        printf("           %llu episode%s of contacts kept, %llu left out; record: {episodes: all} keeps them\n",
               (unsigned long long)tally->episodes, cli_s(tally->episodes), (unsigned long long)tally->left_out);
}
