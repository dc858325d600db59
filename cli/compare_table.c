/* The rows of a comparison, and all of them as CSV: a line for each quantity of each body or contact, a column for each
 * entry, an empty cell where a theory does not say it. */
#include <string.h>

#include "compare.h"
#include "model/contact_number.h"
#include "record/export/csv.h"

/* --- quantities -------------------------------------------------------------------------------------------------- */

#define ROW(name, what)                                               \
    static double name(const struct carom_compare_entry *e, size_t i) \
    {                                                                 \
        return what;                                                  \
    }
ROW(velocity, e->found.v_end[i])
ROW(displacement, e->found.u_end[i])
ROW(arrival, e->arrival[i])
ROW(peak, e->found.forces ? e->found.peak[i] : nan(""))
ROW(peak_time, e->found.forces ? e->found.peak_time[i] : nan(""))
ROW(impulse, e->found.impulses ? e->found.impulse[i] : nan(""))
ROW(lost, e->found.losses ? e->found.lost[i] : nan(""))
ROW(restitution, e->found.e[i])

#define NUMBER(name, what) ROW(name, ((void)i, what))
NUMBER(start, e->found.energy)
#define LEDGER(field, name, text, path, label) NUMBER(ledger_##field, e->found.ledger.field)
CAROM_LEDGER(LEDGER)

/* the book has a largest force: rigid contacts have none in time */
static bool has_top(const struct carom_compare_entry *e)
{
    return e->found.top.contact > 0 && e->found.top.peak_force > 0.0;
}

NUMBER(top_force, has_top(e) ? e->found.top.peak_force : nan(""))
NUMBER(top_time, has_top(e) ? e->found.top.peak_time : nan(""))
NUMBER(top_first, has_top(e) ? (double)(e->found.top.contact >> 32) : nan(""))
NUMBER(top_second, has_top(e) ? (double)(e->found.top.contact &UINT32_MAX) : nan(""))
NUMBER(struck, e->found.impacts > 0 ? e->found.struck : nan(""))
NUMBER(hardest, e->found.impacts > 0 ? e->found.hardest : nan(""))
NUMBER(seconds, e->found.seconds)
NUMBER(steps, (double)e->found.counts.steps)
NUMBER(evaluations, (double)e->found.counts.evaluations)
NUMBER(iterations, (double)e->found.counts.iterations)
NUMBER(impacts, (double)e->found.impacts)

#define ENTRY(field, name, text, path, label) {name, label, "J", CLI_OF_RUN, ledger_##field},
#define PART(field, name, text, path, label) ENTRY(field, name, text, path, "  " label)
/* clang-format off */
const struct cli_compare_section cli_compare_sections[] = {
    {"velocity", "velocities at the end", "m/s", CLI_OF_VELOCITY, velocity},
    {"displacement", "displacements at the end", "m", CLI_OF_COORDINATE, displacement},
    {"arrival", "arrival: when the velocity has changed by 1 % of V, from the first contact on", "s", CLI_OF_VELOCITY,
     arrival},
    {"peak_force", "largest force", "N", CLI_OF_CONTACT, peak},
    {"peak_time", "when the force is largest", "s", CLI_OF_CONTACT, peak_time},
    {"impulse", "impulse", "N s", CLI_OF_CONTACT, impulse},
    {"contact_dissipated", "energy lost in contacts", "J", CLI_OF_CONTACT, lost},
    {"restitution", "restitution of a pair that closes with V", "1", CLI_OF_CONTACT, restitution},
    {"energy_start", "at the start", "J", CLI_OF_RUN, start},
    CAROM_LEDGER_ENERGIES(ENTRY) CAROM_LEDGER_PARTS(PART) CAROM_LEDGER_BALANCE(ENTRY)
    {"top_force", "force", "N", CLI_OF_RUN, top_force},
    {"top_time", "when", "s", CLI_OF_RUN, top_time},
    {"top_first", "body", "1", CLI_OF_RUN, top_first},
    {"top_second", "and body", "1", CLI_OF_RUN, top_second},
    {"impact_impulse", "where bodies met", "N s", CLI_OF_RUN, struck},
    {"impact_largest", "the largest", "N s", CLI_OF_RUN, hardest},
    {"seconds", "processor time", "s", CLI_OF_RUN, seconds},
    {"steps", "steps", "1", CLI_OF_RUN, steps},
    {"evaluations", "force evaluations", "1", CLI_OF_RUN, evaluations},
    {"iterations", "Newton iterations", "1", CLI_OF_RUN, iterations},
    {"impacts", "single impacts", "1", CLI_OF_RUN, impacts},
    {NULL, NULL, NULL, CLI_OF_RUN, NULL},
};
/* clang-format on */

size_t cli_compare_rows(const struct carom_compare *c, const struct cli_compare_section *section)
{
    const struct carom_run_summary *first = &c->entry[c->first].found;
    if (section->of == CLI_OF_RUN)
        return 1;
    if (section->of != CLI_OF_CONTACT)
        return section->of == CLI_OF_VELOCITY ? first->nv : first->nq;
    for (size_t i = 0; i < c->count; i++)
        if (c->entry[i].error.status == CAROM_OK && c->entry[i].found.nc != first->nc)
            return 0;
    return first->nc;
}

const char *cli_compare_what(const struct carom_compare *c)
{
    const struct carom_points *points = &c->entry[c->first].found.points;
    return points->machine != NULL ? "" : points->axes == 0 ? "body" : points->what;
}

/* a unit, its angular partner, or both where coordinates of either kind are among [first, last) */
static const char *turned(const struct carom_points *points, size_t first, size_t last, const char *const unit[3])
{
    size_t turns = 0;
    for (size_t i = first; i < last; i++)
        turns += carom_points_turns(points, i);
    return unit[turns == 0 ? 0 : turns == last - first ? 1 : 2];
}

const char *cli_compare_motion(const struct carom_compare *c, size_t i, bool speed, bool over_time)
{
    static const char *const units[][3] = {
        {"m", "rad", "m or rad"}, {"m/s", "rad/s", "m/s or rad/s"}, {"m s", "rad s", "m s or rad s"}};
    const struct carom_run_summary *w = &c->entry[c->first].found;
    const bool all = i == SIZE_MAX;
    return turned(&w->points, all ? 0 : i, all ? w->nq : i + 1, units[over_time ? (speed ? 0 : 2) : speed ? 1 : 0]);
}

const char *cli_compare_unit(const struct carom_compare *c, const struct cli_compare_section *section, size_t i)
{
    const bool moves = strcmp(section->name, "velocity") == 0 || strcmp(section->name, "displacement") == 0;
    return moves ? cli_compare_motion(c, i, section->of == CLI_OF_VELOCITY, false) : section->unit;
}

void cli_compare_name(const struct carom_compare *c, const struct cli_compare_section *section, size_t i,
                      char name[CLI_COMPARE_NAME])
{
    const struct carom_run_summary *w = &c->entry[c->first].found;
    const bool contact = section->of == CLI_OF_CONTACT;
    if (section->of == CLI_OF_RUN)
        name[0] = '\0';
    else if (!contact && w->points.axes > 0)
        snprintf(name, CLI_COMPARE_NAME, "%s", w->points.name[i / w->points.axes]);
    else if (!contact && w->points.machine != NULL) /* up to what explains its sign */
        snprintf(name, CLI_COMPARE_NAME, "%.*s", (int)strcspn(w->points.machine->coordinates[i], ","),
                 w->points.machine->coordinates[i]);
    else
        snprintf(name, CLI_COMPARE_NAME, "%zu",
                 contact ? carom_contact_number((const int32_t(*)[2])w->pair, w->row, i) : i + 1);
}

const char *cli_compare_axis(const struct carom_compare *c, const struct cli_compare_section *section, size_t i)
{
    const bool moves = section->of == CLI_OF_VELOCITY || section->of == CLI_OF_COORDINATE;
    return moves ? carom_points_axis(&c->entry[c->first].found.points, i) : "";
}

double cli_compare_distance(const struct carom_compare *c, size_t i, size_t j, size_t k, bool speed)
{
    const struct carom_compare_distance *d = &c->distance[i * c->count + j];
    return i == j ? 0.0 : speed ? d->v[k] : d->u[k];
}

/* --- CSV --------------------------------------------------------------------------------------------------------- */

static void cell(FILE *out, double value, bool known)
{
    putc(',', out);
    if (known && !isnan(value))
        carom_csv_number(out, value);
}

/* a field may hold commas and quotes */
static void field(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text == '\n' ? ' ' : *text, out);
    }
    putc('"', out);
}

static void heading(const struct carom_compare *c, FILE *out)
{
    fputs("quantity,number,unit", out);
    for (size_t i = 0; i < c->count; i++) {
        putc(',', out);
        field(out, c->entry[i].label);
    }
    fputs("\nstatus,,1", out);
    for (size_t i = 0; i < c->count; i++)
        fprintf(out, ",%d", (int)c->entry[i].error.status);
    putc('\n', out);
}

void cli_compare_csv(const struct carom_compare *c, FILE *out)
{
    const bool si = c->entry[c->first].si;
    heading(c, out);
    for (const struct cli_compare_section *s = cli_compare_sections; s->name != NULL; s++)
        for (size_t i = 0; i < cli_compare_rows(c, s); i++) {
            const char *axis = cli_compare_axis(c, s, i);
            char name[CLI_COMPARE_NAME];
            cli_compare_name(c, s, i, name);
            fprintf(out, "%s%s%s,%s,%s", s->name, *axis ? "_" : "", axis, name, si ? cli_compare_unit(c, s, i) : "1");
            for (size_t k = 0; k < c->count; k++)
                cell(out, c->entry[k].error.status == CAROM_OK ? s->value(&c->entry[k], i) : 0.0,
                     c->entry[k].error.status == CAROM_OK);
            putc('\n', out);
        }
    static const char *const name[] = {"sup", "l1", "hausdorff"};
    for (size_t n = 0; n < CAROM_COMPARE_NORMS; n++)
        for (int speed = 0; speed < 2; speed++) {
            const char *unit = cli_compare_motion(c, SIZE_MAX, speed == 1, n == CAROM_COMPARE_L1);
            fprintf(out, "difference_%s_%s,,%s", speed ? "v" : "u", name[n], si ? unit : "1");
            for (size_t k = 0; k < c->count; k++)
                cell(out, cli_compare_distance(c, c->first, k, n, speed == 1), c->entry[k].error.status == CAROM_OK);
            putc('\n', out);
        }
}
