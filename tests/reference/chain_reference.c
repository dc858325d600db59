/* Reference motions of chains in quadruple precision, error below 1e-18.
 * The motion is smooth between contact changes, so these are located and the integration (Gragg's midpoint rule,
 * extrapolated to order 20) starts anew at each. After a closing the forces grow with half powers of the time: there
 * the time is t0 + s^2. Before an opening they end with half powers of the overlap d: there d = s^2 falls to zero and
 * carries the time along, which also hits the opening exactly.
 *
 *     chain_reference CASE [TOLERANCE]   writes the table of a case of cases.h to standard output
 *     chain_reference                    computes the smallest case anew and compares it with the stored table */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "reference/motion.h"
#include "reference/table.h"

/* --- events -------------------------------------------------------------------------------------------------- */

enum watched { CLOSING, FORCE_SIGN, TIME };

struct event {
    enum watched kind;
    int contact;
    quad time; /* TIME: the target */
};

static quad watch(const struct chain *chain, const struct event *event, const quad *y)
{
    if (event->kind == TIME)
        return y[chain->size - 1] - event->time;
    const quad d = overlap(chain, y, event->contact);
    return event->kind == CLOSING ? d : full_force(chain, event->contact, d, overlap_rate(chain, y, event->contact));
}

/* The step between 0 and h after which the event is met: false position with the Illinois weights. */
static quad locate(const struct chain *chain, const struct event *event, quad h)
{
    quad after[UNKNOWNS], low = 0, high = h, at = h;
    quad f_low = watch(chain, event, chain->y);
    try_step(chain, high, after);
    quad f_high = watch(chain, event, after);
    for (int i = 0; i < 200 && size_of(high - low) > (quad)1e-33 * (size_of(h) + size_of(chain->s)); i++) {
        at = (low * f_high - high * f_low) / (f_high - f_low);
        try_step(chain, at, after);
        const quad f = watch(chain, event, after);
        if (f == 0 || size_of(f) < (quad)1e-33)
            break;
        if ((f > 0) == (f_high > 0)) {
            high = at;
            f_high = f;
            f_low /= 2;
        } else {
            low = at;
            f_low = f;
            f_high /= 2;
        }
    }
    return at;
}

static bool by_force(const struct chain *chain)
{
    return chain->from->by_force && chain->gamma > 0;
}

/* Has contact j changed its state at y? */
static bool changed(const struct chain *chain, const quad *y, int j, struct event *event)
{
    const enum contact_state state = chain->contact[j].state;
    const quad d = overlap(chain, y, j), u = overlap_rate(chain, y, j);
    *event = (struct event){.kind = state == OPEN ? CLOSING : FORCE_SIGN, .contact = j};
    if (state == OPEN)
        return d > NOISE && u > 0;
    if (state == CLIPPED)
        return d > NOISE && full_force(chain, j, d, u) > 0;
    return state == CLOSED && by_force(chain) && full_force(chain, j, d, u) < 0;
}

/* Starts a new path here: `power` as in struct path. */
static void restart(struct chain *chain, int power, quad h)
{
    chain->path = (struct path){.origin = chain->y[chain->size - 1], .power = power, .opening = -1};
    chain->s = 0;
    chain->h = h;
}

/* Applies a change to contact j and to all that change at the same moment. */
static void switch_contact(struct chain *chain, int j)
{
    struct contact *c = &chain->contact[j];
    const bool closing = c->state == OPEN;
    c->state = closing || c->state == CLIPPED ? CLOSED : by_force(chain) ? CLIPPED : OPEN;
    for (int i = 0; i < chain->nc; i++) {
        const quad d = overlap(chain, chain->y, i), u = overlap_rate(chain, chain->y, i);
        struct contact *other = &chain->contact[i];
        if (i == j || size_of(d) > NOISE || other->state == RESTING)
            continue;
        if (other->state == OPEN && u > 0)
            other->state = CLOSED;
        else if (other->state == CLOSED && u < 0)
            other->state = OPEN;
    }
    restart(chain, closing ? 2 : 1, (quad)1 / 100);
}

/* The contact that will open within about two steps, or -1. */
static int opening_soon(const struct chain *chain)
{
    quad rate[UNKNOWNS], soonest = (quad)1e30;
    int which = -1;
    if (by_force(chain))
        return -1;
    rate_of(chain, chain->s, chain->y, rate);
    const quad duration = 2 * size_of(rate[chain->size - 1] * chain->h);
    for (int j = 0; j < chain->nc; j++) {
        const quad d = overlap(chain, chain->y, j), u = overlap_rate(chain, chain->y, j);
        if (chain->contact[j].state == CLOSED && u < 0 && d < -u * smaller(duration, soonest)) {
            soonest = -d / u;
            which = j;
        }
    }
    return which;
}

static void follow_opening(struct chain *chain, int j)
{
    const quad d = overlap(chain, chain->y, j);
    chain->path = (struct path){.opening = j};
    chain->s = d > 0 ? sqrtf128(d) : 0;
    chain->h = -chain->s / 3;
}

/* Contacts that were at rest or that passed out of overlap without force. */
static void settle(struct chain *chain)
{
    for (int j = 0; j < chain->nc; j++) {
        const quad d = overlap(chain, chain->y, j);
        if (chain->contact[j].state == RESTING && d > (quad)1e-12)
            chain->contact[j].state = CLOSED;
        if (chain->contact[j].state == CLIPPED && d <= 0)
            chain->contact[j].state = OPEN;
    }
}

/* Would the step end beyond the opening of some closed contact? */
static bool too_far(const struct chain *chain, const quad *after)
{
    for (int j = 0; j < chain->nc; j++)
        if (chain->contact[j].state == CLOSED && j != chain->path.opening && !by_force(chain) &&
            !(overlap(chain, after, j) > 0))
            return true;
    return chain->path.opening >= 0 && !(overlap_rate(chain, after, chain->path.opening) < 0);
}

/* One step, shortened to the first event in it; true when the time `until` is reached. */
static bool advance(struct chain *chain, quad until)
{
    quad after[UNKNOWNS];
    if (chain->path.opening < 0) {
        const int soon = opening_soon(chain);
        if (soon >= 0)
            follow_opening(chain, soon);
    }
    if (chain->path.opening >= 0 && chain->s + chain->h < chain->s / 50)
        chain->h = -chain->s;
    quad h = chain->h;
    quad wrong = try_step(chain, h, after);
    if (!(wrong <= 1) || too_far(chain, after)) {
        if (chain->path.opening >= 0 && size_of(h) < chain->s / 1000)
            restart(chain, 1, (quad)1 / 1000); /* turned back: it does not open now */
        else
            chain->h = h * (wrong <= 1 ? (quad)1 / 2 : smaller((quad)1 / 2, powf128(wrong, (quad)-1 / 19)));
        return false;
    }
    struct event found, first = {.kind = TIME, .contact = -1, .time = until};
    bool event = after[chain->size - 1] >= until;
    quad shortest = event ? locate(chain, &first, h) : h;
    for (int j = 0; j < chain->nc; j++)
        if (changed(chain, after, j, &found)) {
            const quad at = locate(chain, &found, h);
            if (size_of(at) <= size_of(shortest)) {
                shortest = at;
                first = found;
                event = true;
            }
        }
    if (event)
        wrong = try_step(chain, shortest, after);
    const bool opened = chain->path.opening >= 0 && !event && h == -chain->s;
    chain->s += shortest;
    memcpy(chain->y, after, sizeof after);
    chain->h = h * smaller(2, powf128(wrong > 0 ? wrong : (quad)1e-19, (quad)-1 / 19) * 9 / 10);
    if (opened)
        switch_contact(chain, chain->path.opening);
    else if (event && first.kind != TIME)
        switch_contact(chain, first.contact);
    settle(chain);
    if (event && first.kind == TIME)
        chain->y[chain->size - 1] = until;
    return event && first.kind == TIME;
}

/* --- cases --------------------------------------------------------------------------------------------------- */

static quad energy_of(const struct chain *chain)
{
    quad sum = chain->y[2 * chain->n];
    for (int i = 0; i < chain->n; i++)
        sum += (chain->mass[i] * chain->y[chain->n + i] * chain->y[chain->n + i] +
                chain->spring * chain->y[i] * chain->y[i]) /
               2;
    for (int j = 0; j < chain->nc; j++) {
        const quad d = overlap(chain, chain->y, j);
        if (d > 0)
            sum += d * elastic_force(chain, j, d) / (chain->p + 1);
    }
    return sum;
}

static void set_up(struct chain *chain, const struct reference_case *from, double tolerance)
{
    memset(chain, 0, sizeof *chain);
    chain->from = from;
    chain->n = from->n;
    chain->nc = reference_contacts(from);
    chain->size = 2 * from->n + 2;
    chain->spring = (quad)from->spring;
    chain->p = (quad)from->p;
    chain->gamma = (quad)from->gamma;
    chain->b = (quad)from->b;
    chain->tolerance = (quad)tolerance;
    for (int i = 0; i < from->n; i++)
        chain->mass[i] = (quad)reference_repeat(from->mass, i);
    chain->y[from->n] = (quad)from->speed;
    for (int j = 0; j < chain->nc; j++) {
        const int left = from->left_wall ? j - 1 : j;
        struct contact *c = &chain->contact[j];
        *c = (struct contact){.a = left, .b = left + 1 < from->n ? left + 1 : -1};
        c->k = (quad)reference_repeat(from->k, j);
        c->gap = (quad)reference_gap(from, j);
        const quad u = overlap_rate(chain, chain->y, j);
        c->state = c->gap > 0 || u < 0 ? OPEN : u > 0 ? CLOSED : RESTING;
    }
    restart(chain, 4, (quad)1 / 10);
}

/* A number with 25 digits. */
static void write_number(FILE *file, quad value)
{
    char text[64];
    strfromf128(text, sizeof text, "%.24e", value);
    fprintf(file, " %s", text);
}

/* Computes a case and writes its table. */
static void write_table(FILE *file, const struct reference_case *from, double tolerance)
{
    struct chain chain;
    set_up(&chain, from, tolerance);
    const quad energy = energy_of(&chain);
    long steps = 0;
    fprintf(file, "# %s: %s\n# t, then %d displacements, then %d velocities\n", from->name, from->text, from->n,
            from->n);
    for (int sample = 1; sample <= from->samples; sample++) {
        const quad until = (quad)from->until * sample / from->samples;
        for (steps++; !advance(&chain, until); steps++)
            if (steps > 1000000)
                exit(1);
        write_number(file, until);
        for (int i = 0; i < 2 * from->n; i++)
            write_number(file, chain.y[i]);
        fprintf(file, "\n");
    }
    fprintf(stderr, "%s: %ld steps, energy closes to %.1e\n", from->name, steps,
            (double)size_of(energy_of(&chain) - energy));
}

/* The smallest case, computed again, is what the repository holds. */
static void check_stored(void)
{
    const struct reference_case *from = &reference_cases[0];
    FILE *file = tmpfile();
    struct reference_table stored, computed;
    CHECK_OR_STOP(file != NULL);
    write_table(file, from, 1e-22);
    rewind(file);
    CHECK_OR_STOP(reference_table_read(&computed, from, file));
    CHECK_OR_STOP(reference_table_open(&stored, from));
    for (int i = 0; i < from->samples; i++) {
        CHECK(stored.time[i] == computed.time[i]);
        for (int j = 0; j < 2 * from->n; j++)
            CHECK_NEAR(stored.value[i][j], computed.value[i][j], 1e-16);
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        check_stored();
        return check_end();
    }
    for (size_t i = 0; i < REFERENCE_CASES; i++)
        if (strcmp(reference_cases[i].name, argv[1]) == 0) {
            write_table(stdout, &reference_cases[i], argc > 2 ? strtod(argv[2], NULL) : 1e-22);
            return 0;
        }
    fprintf(stderr, "chain_reference: no case is called %s\n", argv[1]);
    return 2;
}
