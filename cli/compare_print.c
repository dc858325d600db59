/* A comparison for a person: what each entry is, then tables with a column for each. What a theory does not say stands
 * as "-", with a sentence that says why. */
#include <string.h>

#include "compare.h"
#include "sim/blunders.h"
#include "sim/doubt.h"
#include "sim/unbalanced.h"
#include "terminal.h"

enum { WIDTH = 16, WIDEST = 25, LONGEST = 4096 }; /* of columns: nonsmooth:moreau-adaptive is 25 long */
enum { NAME = 18 };                               /* of the column of names */
enum { CUT = 48 };                                /* a head that were longer is its number in the list */

static bool ran(const struct carom_compare_entry *entry)
{
    return entry->error.status == CAROM_OK;
}

/* --- what is compared -------------------------------------------------------------------------------------------- */

static void print_restitution(const struct carom_compare *c, const struct carom_compare_entry *entry)
{
    const struct carom_run_summary *w = &entry->found;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t j = 0; j < w->nc; j++) {
        low = isnan(w->e[j]) ? low : fmin(low, w->e[j]);
        high = isnan(w->e[j]) ? high : fmax(high, w->e[j]);
    }
    if (low > high || w->rigid)
        return;
    printf("   a pair that closes with %s%.6g%s parts with e = ", w->closing == w->scales.speed ? "V = " : "",
           w->closing, c->entry[c->first].si ? " m/s" : "");
    cli_range(low, high, 6);
    printf("\n");
}

static void print_entries(const struct carom_compare *c)
{
    const struct carom_compare_entry *first = &c->entry[c->first < c->count ? c->first : 0];
    printf("%s\n", first->title[0] != '\0' ? first->title : "(no title)");
    for (size_t i = 0; i < c->count; i++) {
        const struct carom_compare_entry *entry = &c->entry[i];
        printf("%zu  %s", i + 1, entry->label);
        if (!ran(entry)) {
            printf("\n   NOT RUN: %s\n", entry->error.text);
            continue;
        }
        printf(": %s%s%s\n", entry->found.scheme, entry->found.options[0] != '\0' ? ", " : "", entry->found.options);
        if (entry->found.contacts[0] != '\0')
            printf("   %s\n", entry->found.contacts);
        print_restitution(c, entry);
        if (entry->dropped[0] != '\0')
            printf("   without the scene's %s, which it does not have\n", entry->dropped);
    }
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

static size_t longest(const struct carom_compare *c, size_t from)
{
    size_t most = WIDTH;
    for (size_t i = 0; i < c->count; i++)
        most = strlen(c->entry[i].label + from) > most ? strlen(c->entry[i].label + from) : most;
    return most;
}

/* Where the heads of columns begin in labels: words that all share are left out where labels are long. */
static size_t shared(const struct carom_compare *c)
{
    size_t words = 0;
    for (size_t i = 0; c->count > 1 && longest(c, 0) > WIDEST; i++) {
        const char letter = c->entry[0].label[i];
        for (size_t k = 0; k < c->count; k++)
            if (letter == '\0' || c->entry[k].label[i] != letter)
                return words;
        words = letter == ':' || letter == ' ' ? i + 1 : words;
    }
    return words;
}

/* does a terminal have too little room for columns of all digits? */
static bool is_narrow(const struct carom_compare *c)
{
    const size_t room = cli_terminal_width(), most = longest(c, shared(c));
    return room > 0 && NAME + c->count * ((most <= CUT ? most : WIDTH) + 1) > room;
}

/* are heads numbers of the list? */
static bool are_numbered(const struct carom_compare *c)
{
    return longest(c, shared(c)) > (is_narrow(c) ? WIDTH : CUT);
}

/* as wide as the longest head, or as six digits */
static int width(const struct carom_compare *c)
{
    size_t most = 12;
    for (size_t i = 0; i < c->count && !are_numbered(c); i++)
        most = strlen(c->entry[i].label + shared(c)) > most ? strlen(c->entry[i].label + shared(c)) : most;
    return (int)(is_narrow(c) ? most : are_numbered(c) ? WIDTH : longest(c, shared(c)));
}

static void print_head(const struct carom_compare *c, const char *title, const char *unit)
{
    const bool si = c->entry[c->first].si && strcmp(unit, "1") != 0;
    printf("\n%s%s%s%s\n%-18s", title, si ? " (" : "", si ? unit : "", si ? ")" : "", "");
    for (size_t i = 0; i < c->count; i++)
        if (are_numbered(c))
            printf(" %*zu", width(c), i + 1);
        else
            printf(" %*s", width(c), c->entry[i].label + shared(c));
    printf("\n");
}

static void print_value(const struct carom_compare *c, double value, bool known)
{
    if (known && !isnan(value))
        printf(" %*.*g", width(c), is_narrow(c) ? 6 : 8, value);
    else
        printf(" %*s", width(c), "-");
}

/* what is rounding beside `scale` is shown as 0 */
static void print_row(const struct carom_compare *c, const struct cli_compare_section *s, size_t i, double scale)
{
    for (size_t k = 0; k < c->count; k++) {
        const double value = ran(&c->entry[k]) ? s->value(&c->entry[k], i) : 0.0;
        print_value(c, fabs(value) < 1e-13 * scale ? 0.0 : value, ran(&c->entry[k]));
    }
    printf("\n");
}

/* the largest number of a section */
static double largest(const struct carom_compare *c, const struct cli_compare_section *s, size_t rows)
{
    double most = 0.0;
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; ran(&c->entry[k]) && i < rows; i++)
            most = fmax(most, fabs(s->value(&c->entry[k], i)));
    return most;
}

/* the spread of a row: the largest difference between two entries */
static double spread(const struct carom_compare *c, const struct cli_compare_section *s, size_t i)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 0; k < c->count; k++) {
        const double value = ran(&c->entry[k]) ? s->value(&c->entry[k], i) : nan("");
        low = isnan(value) ? low : fmin(low, value);
        high = isnan(value) ? high : fmax(high, value);
    }
    return high >= low ? high - low : 0.0;
}

static bool is_zero(const struct carom_history *h)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->left[i] != 0.0 || h->right[i] != 0.0)
            return false;
    return true;
}

/* Is the row of a body of plane or space that no run moves, such as a floor? */
static bool is_still(const struct carom_compare *c, const struct cli_compare_section *s, size_t i)
{
    const struct carom_points *points = &c->entry[c->first].found.points;
    if ((s->of != CLI_OF_VELOCITY && s->of != CLI_OF_COORDINATE) || points->axes == 0)
        return false;
    const size_t first = i / points->axes * points->axes;
    for (size_t k = 0; k < c->count; k++)
        for (size_t j = first; ran(&c->entry[k]) && j < first + points->axes; j++)
            if (!is_zero(&c->entry[k].found.u[j]) || !is_zero(&c->entry[k].found.v[j]))
                return false;
    return true;
}

/* The rows to show: all of what moves, or the `most` that differ most, in the order of that. */
static size_t choose(const struct carom_compare *c, const struct cli_compare_section *s, size_t rows, size_t most,
                     size_t *chosen)
{
    size_t count = 0;
    if (rows <= most) {
        for (size_t i = 0; i < rows; i++)
            if (!is_still(c, s, i))
                chosen[count++] = i;
        return count;
    }
    for (size_t i = 0; i < rows; i++) { /* insertion into a short list */
        const double own = spread(c, s, i);
        size_t at = count;
        while (at > 0 && own > spread(c, s, chosen[at - 1]))
            at--;
        if (at >= most)
            continue;
        count = count < most ? count + 1 : most;
        for (size_t k = count - 1; k > at; k--)
            chosen[k] = chosen[k - 1];
        chosen[at] = i;
    }
    return count;
}

/* Is there anything to show? Losses that are rounding are not. */
static bool said(const struct carom_compare *c, const struct cli_compare_section *s, size_t rows)
{
    const bool energy = strcmp(s->unit, "J") == 0;
    for (size_t k = 0; k < c->count; k++)
        for (size_t i = 0; ran(&c->entry[k]) && i < rows; i++)
            if (fabs(s->value(&c->entry[k], i)) >= (energy ? 1e-12 * fabs(c->entry[k].found.energy) : 0.0))
                return true;
    return false;
}

/* "body 3", "sensor tip x"; a long name has a line of its own */
static void print_name(const char *what, const char *name, const char *axis)
{
    char text[80];
    snprintf(text, sizeof text, "%-*s%s%s%s%s", *what ? 8 : 0, what, *what ? " " : "", name, *axis ? " " : "", axis);
    if (strlen(text) > 18)
        printf("%s\n%18s", text, "");
    else
        printf("%-18s", text);
}

static void print_section(const struct carom_compare *c, const struct cli_compare_section *s, size_t most)
{
    static size_t chosen[LONGEST];
    const size_t rows = cli_compare_rows(c, s);
    const char *what = s->of == CLI_OF_CONTACT ? "contact" : cli_compare_what(c);
    char title[160];
    if (rows == 0 || !said(c, s, rows))
        return;
    const size_t count = choose(c, s, rows, most < LONGEST ? most : LONGEST, chosen);
    if (rows > most || rows > LONGEST)
        snprintf(title, sizeof title, "%s, the %zu of %zu that differ most", s->title, count, rows);
    else
        snprintf(title, sizeof title, "%s", s->title);
    print_head(c, title, cli_compare_unit(c, s, SIZE_MAX));
    const double scale = largest(c, s, rows);
    bool missed = false;
    for (size_t i = 0; i < count; i++) {
        char name[CLI_COMPARE_NAME];
        cli_compare_name(c, s, chosen[i], name);
        print_name(what, name, cli_compare_axis(c, s, chosen[i]));
        print_row(c, s, chosen[i], scale);
        for (size_t k = 0; k < c->count; k++)
            missed = missed || (ran(&c->entry[k]) && isnan(s->value(&c->entry[k], chosen[i])));
    }
    if (missed && strcmp(s->name, "arrival") == 0)
        printf("-: the velocity has not changed that much up to the end\n");
}

/* Energies and cost: rows that are 0 for all are left out. */
static void print_numbers(const struct carom_compare *c, const char *title, const char *unit, const char *from,
                          const char *to)
{
    bool inside = false;
    print_head(c, title, unit);
    for (const struct cli_compare_section *s = cli_compare_sections; s->name != NULL; s++) {
        inside = inside || strcmp(s->name, from) == 0;
        bool any = false;
        for (size_t k = 0; inside && k < c->count; k++) /* other sections may have no number 0 */
            any = any || (ran(&c->entry[k]) && s->value(&c->entry[k], 0) != 0.0);
        if (any) {
            printf("%-18s", s->title);
            print_row(c, s, 0, strcmp(s->unit, "J") == 0 ? c->entry[c->first].found.energy : 0.0);
        }
        inside = inside && strcmp(s->name, to) != 0;
    }
}

static void print_distances(const struct carom_compare *c)
{
    static const char *const name[] = {"sup", "L1", "Hausdorff"};
    const bool si = c->entry[c->first].si;
    char title[160];
    const char *what = cli_compare_what(c);
    snprintf(title, sizeof title, "differences from %.60s, the largest of all %s", c->entry[c->first].label,
             *what == '\0'  ? "coordinates"
             : *what == 'b' ? "bodies"
             : *what == 's' ? "sensors"
                            : "cells");
    print_head(c, title, "1");
    for (int speed = 0; speed < 2; speed++)
        for (size_t k = 0; k < CAROM_COMPARE_NORMS; k++) {
            const char *unit = cli_compare_motion(c, SIZE_MAX, speed == 1, k == CAROM_COMPARE_L1);
            char row[40];
            snprintf(row, sizeof row, "%s %s%s%s", speed ? "v" : "u", name[k], si ? ", " : "", si ? unit : "");
            printf("%-18s", row);
            for (size_t i = 0; i < c->count; i++)
                print_value(c, cli_compare_distance(c, c->first, i, k, speed == 1), ran(&c->entry[i]));
            printf("\n");
        }
    printf(
        "for this table motions are stored as lines that miss at most %.0e of U and V, beside the errors of the runs: "
        "smaller differences mean nothing\n",
        CAROM_RUN_SUMMARY_MISS);
    printf("U = %.6g%s%s, V = %.6g%s%s; for Hausdorff a time of %.6g%s counts as much as U and V\n", c->scales.length,
           si ? " " : "", si ? cli_compare_motion(c, SIZE_MAX, false, false) : "", c->scales.speed, si ? " " : "",
           si ? cli_compare_motion(c, SIZE_MAX, true, false) : "", c->time_scale, si ? " s" : "");
}

static void print_blunder(void *own, const char *text)
{
    const struct carom_compare_entry *entry = own;
    printf("%s: %s\n", entry->label, text);
}

/* Does an impact reach three neighbours of a row at the same moment? Two are any pair that meets. */
static bool reached_together(const struct carom_compare_entry *entry)
{
    const double *t = entry->arrival;
    size_t n = 2;
    while (n < entry->found.nv && !(t[n] == t[n - 1] && t[n] == t[n - 2])) /* NaN: never */
        n++;
    return entry->found.row && n < entry->found.nv;
}

/* What a theory cannot say, in sentences. */
static void print_silence(const struct carom_compare *c)
{
    printf("\n");
    for (size_t i = 0; i < c->count; i++) {
        const struct carom_compare_entry *entry = &c->entry[i];
        const struct carom_run_summary *w = &entry->found;
        double most = 0.0;
        bool missed = false; /* is a number left out because samples are too far apart? */
        for (size_t j = 0; ran(entry) && j < w->nc; j++) {
            most = w->impulses ? fmax(most, w->impulse[j]) : most;
            missed = missed || (w->impulses && isnan(w->impulse[j])) || (w->traced && isnan(w->peak[j]));
        }
        const char *together = ran(entry) && entry->arrival && reached_together(entry)
                                   ? "; bodies that touch are reached at the same moment"
                                   : "";
        if (ran(entry) && w->traced)
            printf("%s: forces and their times are those inside impacts, in an impact's own time, while bodies stand "
                   "still%s\n",
                   entry->label, together);
        else if (ran(entry) && w->nc > 0 && !w->forces && w->rigid && (!w->impulses || missed))
            printf("%s: no force in time at rigid contacts%s\n", entry->label, together);
        else if (ran(entry) && w->nc > 0 && !w->forces && w->rigid)
            printf("%s: no force in time at rigid contacts, whose impulses over the run are at most %.6g%s%s\n",
                   entry->label, most, entry->si ? " N s" : "", together);
        else if (ran(entry) && w->nc > 0 && !w->forces)
            printf("%s: forces were not recorded\n", entry->label);
        if (missed)
            printf("%s: where a number of a contact is missing, the file's samples are too far apart to tell it\n",
                   entry->label);
        if (ran(entry) && w->nc == 0 && w->rigid && !w->traced && c->entry[c->first].found.top.contact > 0)
            printf("%s: no force in time at rigid contacts\n", entry->label);
        if (ran(entry) && entry->file && !w->losses && w->nc > 0)
            printf("%s: energy lost in each contact was not recorded (probe contact_dissipated)\n", entry->label);
        if (ran(entry) && w->unbalanced > 0.0) {
            char text[CAROM_UNBALANCED_TEXT];
            carom_unbalanced_say(w->unbalanced, w->tol, w->counts.largest_step, w->scales.contact_time, entry->si,
                                 text);
            printf("%s: %s\n", entry->label, text);
        }
        char doubt[CAROM_DOUBT_TEXT];
        carom_doubt_say(&w->doubt, entry->si, doubt);
        if (ran(entry) && *doubt)
            printf("%s: %s\n", entry->label, doubt);
        if (ran(entry))
            carom_blunders_say(&w->blunders, entry->si, print_blunder, &c->entry[i]);
        const struct carom_compare_entry *first = &c->entry[c->first];
        const bool differ = ran(entry) && w->nc != first->found.nc, lists = w->nc == 0 || first->found.nc == 0;
        if (differ && lists)
            printf("%s: contacts of %s come and go and have no numbers: contacts are not compared one by one\n",
                   entry->label, w->nc == 0 ? entry->label : first->label);
        else if (differ)
            printf("%s: has %zu contact%s, %s has %zu: contacts are not compared\n", entry->label, w->nc, cli_s(w->nc),
                   c->entry[c->first].label, c->entry[c->first].found.nc);
    }
}

void cli_compare_print(const struct carom_compare *c, size_t most)
{
    print_entries(c);
    if (c->first >= c->count)
        return;
    for (const struct cli_compare_section *s = cli_compare_sections; s->name != NULL; s++)
        if (s->of != CLI_OF_RUN && strcmp(s->name, "displacement") != 0 && strcmp(s->name, "restitution") != 0)
            print_section(c, s, most);
    bool booked = false, struck = false;
    for (size_t i = 0; i < c->count; i++) {
        booked |= c->entry[i].found.top.contact > 0;
        struck |= c->entry[i].found.impacts > 0 && c->entry[i].found.points.axes > 0; /* of rows contact by contact */
    }
    if (booked)
        print_numbers(c, "largest contact force", "N", "top_force", "top_second");
    if (struck)
        print_numbers(c, "impulses of impacts", "N s", "impact_impulse", "impact_largest");
    print_numbers(c, "energy", "J", "energy_start", "residual");
    print_distances(c);
    print_numbers(c, "cost", "1", "seconds", "impacts");
    print_silence(c);
    char text[CAROM_COMPARE_TEXT];
    if (carom_compare_laws(c, text))
        printf("%s\n", text);
}
