/* "True error <= 10 tol" under dp5 for the laws that jump or remember, against an integration of its own: long double,
 * Gragg's midpoint rule extrapolated to order 12, every change of a contact located by repeated steps, steps graded
 * towards touch and release, and the laws in their textbook forms (bistiff as the differential equation of x, not as a
 * function of the overlap). Also: the ledger closes at every sample, and dissipated energy is good between steps. */
#include "carom/carom.h"
#include "check.h"
#include "runs.h"

typedef long double real;

enum { BEADS = 3, CONTACTS = 3, SIZE = 3 * BEADS + 1, SAMPLES = 60, COLUMNS = 6 };
enum kind { DAMPED, BISTIFF, WALTON_BRAUN };
enum phase { OPEN, IN, OUT }; /* IN: loading, plastic, or closed; OUT: unloading, elastic */

/* Three beads, the first one moving, and a wall at the right. y: q, v - (viscous impulses) / m, x of bistiff, time */
struct motion {
    const char *name, *contacts;
    enum kind kind;
    real k, p, c, b; /* force k d^p + d/dt (c d^b) */
    real second;     /* es, or k2 */
    real mass[BEADS], gap[CONTACTS], speed, until;
    enum phase phase[CONTACTS];
    real dent[CONTACTS];
    real y[SIZE], h;
};

static real power(real d, real p)
{
    if (p == 1.5L)
        return d * sqrtl(d);
    if (p == 2.5L)
        return d * d * sqrtl(d);
    return p == 1.0L ? d : powl(d, p);
}

static real overlap(const struct motion *m, const real *y, int j)
{
    return y[j] - (j + 1 < BEADS ? y[j + 1] : 0.0L) - m->gap[j];
}

static real elastic(const struct motion *m, const real *y, int j)
{
    const real d = overlap(m, y, j), x = y[2 * BEADS + j];
    if (m->phase[j] == OPEN)
        return 0.0L;
    if (m->kind == BISTIFF)
        return x > 0.0L ? m->k * power(x, m->p) : 0.0L;
    if (m->kind == WALTON_BRAUN && m->phase[j] == OUT)
        return m->second * (d - m->dent[j]);
    return d > 0.0L ? m->k * power(d, m->p) : 0.0L;
}

static void rate_of(const struct motion *m, const real *y, real *rate)
{
    real force[CONTACTS], impulse[CONTACTS];
    for (int j = 0; j < CONTACTS; j++) {
        const real d = overlap(m, y, j);
        force[j] = elastic(m, y, j);
        impulse[j] = m->phase[j] != OPEN && m->c > 0.0L && d > 0.0L ? m->c * power(d, m->b) : 0.0L;
    }
    for (int i = 0; i < BEADS; i++) {
        rate[i] = y[BEADS + i] + ((i > 0 ? impulse[i - 1] : 0.0L) - impulse[i]) / m->mass[i];
        rate[BEADS + i] = ((i > 0 ? force[i - 1] : 0.0L) - force[i]) / m->mass[i];
    }
    for (int j = 0; j < CONTACTS; j++) {
        const real a = rate[j] - (j + 1 < BEADS ? rate[j + 1] : 0.0L);
        rate[2 * BEADS + j] = m->kind == BISTIFF && m->phase[j] == OUT ? a / (m->second * m->second) : a;
    }
    rate[SIZE - 1] = 1.0L;
}

static void try_step(const struct motion *m, real h, real *after)
{
    real table[COLUMNS][SIZE], first[SIZE], rate[SIZE], before[SIZE], now[SIZE], state[SIZE];
    rate_of(m, m->y, first);
    for (int row = 0; row < COLUMNS; row++) {
        const int parts = 2 * (row + 1);
        const real part = h / parts;
        for (int i = 0; i < SIZE; i++) {
            before[i] = 0.0L;
            now[i] = part * first[i];
        }
        for (int k = 1; k <= parts; k++) {
            for (int i = 0; i < SIZE; i++)
                state[i] = m->y[i] + now[i];
            rate_of(m, state, rate);
            for (int i = 0; i < SIZE && k < parts; i++) {
                const real next = before[i] + 2.0L * part * rate[i];
                before[i] = now[i];
                now[i] = next;
            }
        }
        for (int i = 0; i < SIZE; i++)
            table[row][i] = 0.5L * (before[i] + now[i] + part * rate[i]);
        for (int j = row - 1; j >= 0; j--) {
            const real ratio = (row + 1.0L) / (j + 1.0L);
            for (int i = 0; i < SIZE; i++)
                table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) / (ratio * ratio - 1.0L);
        }
    }
    for (int i = 0; i < SIZE; i++)
        after[i] = m->y[i] + table[0][i];
}

/* What ends the phase of contact j, positive while it lasts: `which` is 0 or 1. */
static real lasting(const struct motion *m, const real *y, int j, int which)
{
    real rate[SIZE];
    const real d = overlap(m, y, j), x = y[2 * BEADS + j];
    rate_of(m, y, rate);
    const real a = rate[j] - (j + 1 < BEADS ? rate[j + 1] : 0.0L);
    if (m->kind == DAMPED)
        return which == 1 ? 1.0L : m->phase[j] == OPEN ? -d : d;
    if (m->kind == BISTIFF && m->phase[j] == OPEN)
        return which == 1 ? 1.0L : -x;
    if (m->kind == BISTIFF)
        return which == 0 ? x : m->phase[j] == IN ? a : -a;
    if (m->phase[j] == OPEN)
        return which == 0 ? m->dent[j] - d : m->dent[j] > 0.0L ? d : 1.0L;
    if (m->phase[j] == IN)
        return which == 0 ? 1.0L : a;
    return which == 0 ? d - m->dent[j] : m->k * d - m->second * (d - m->dent[j]);
}

static void turn(struct motion *m, int j, int which)
{
    enum phase *phase = &m->phase[j];
    if (m->kind == DAMPED) {
        *phase = *phase == OPEN ? IN : OPEN;
    } else if (m->kind == BISTIFF) {
        *phase = *phase == OPEN ? IN : which == 0 ? OPEN : *phase == IN ? OUT : IN;
    } else if (*phase == OPEN && which == 1) {
        m->dent[j] = 0.0L; /* the gap has opened */
    } else if (*phase == OPEN) {
        *phase = m->dent[j] > 0.0L ? OUT : IN;
    } else if (*phase == IN) {
        m->dent[j] = (1.0L - m->k / m->second) * overlap(m, m->y, j);
        *phase = OUT;
    } else {
        *phase = which == 0 ? OPEN : IN;
    }
    m->h = 1e-7L;
}

/* The step in [0, h] after which event (j, which) is met. */
static real locate(const struct motion *m, int j, int which, real h)
{
    real low = 0.0L, high = h, after[SIZE];
    for (int i = 0; i < 48; i++) {
        const real middle = 0.5L * (low + high);
        try_step(m, middle, after);
        *(lasting(m, after, j, which) < 0.0L ? &high : &low) = middle;
    }
    return high;
}

/* No step is long against the time left until a contact is released. */
static real graded(const struct motion *m, real h)
{
    real rate[SIZE];
    rate_of(m, m->y, rate);
    for (int j = 0; j < CONTACTS; j++) {
        const bool bistiff = m->kind == BISTIFF;
        const real d = bistiff ? m->y[2 * BEADS + j] : overlap(m, m->y, j);
        const real a = bistiff ? rate[2 * BEADS + j] : rate[j] - (j + 1 < BEADS ? rate[j + 1] : 0.0L);
        if (m->phase[j] != OPEN && a < 0.0L && d > 1e-13L && h > -0.12L * d / a)
            h = -0.12L * d / a;
    }
    return h;
}

static void advance_to(struct motion *m, real until)
{
    const real noise = -1e-22L;
    real after[SIZE];
    while (m->y[SIZE - 1] < until) {
        real h = graded(m, m->h);
        const real left = until - m->y[SIZE - 1];
        const bool last = h >= left;
        h = last ? left : h;
        int which = -1;
        real shortest = h;
        try_step(m, h, after);
        for (int e = 0; e < 2 * CONTACTS; e++)
            if (lasting(m, after, e / 2, e % 2) < noise) {
                const real at = locate(m, e / 2, e % 2, h);
                if (at <= shortest) {
                    shortest = at;
                    which = e;
                }
            }
        if (which >= 0)
            try_step(m, shortest, after);
        memcpy(m->y, after, sizeof after);
        m->h = 1.15L * (h < m->h ? h : m->h) < 0.02L ? 1.15L * (h < m->h && !last ? h : m->h) : 0.02L;
        if (which >= 0)
            turn(m, which / 2, which % 2);
        else if (last)
            m->y[SIZE - 1] = until;
    }
}

static void begin(struct motion *m)
{
    memset(m->y, 0, sizeof m->y);
    m->y[BEADS] = m->speed;
    m->h = 1e-7L;
    for (int j = 0; j < CONTACTS; j++) {
        m->phase[j] = m->gap[j] > 0.0L ? OPEN : IN; /* touching: the wave will come */
        m->dent[j] = 0.0L;
        m->y[2 * BEADS + j] = -m->gap[j];
    }
}

/* runs the scene with tol; the worst error of displacement and velocity over the samples, in units of tol */
static double error_of(const struct motion *m, const real (*exact)[SIZE], double tol, double *residual)
{
    char text[2000];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "units: none\nbodies: [{chain: {mass: [%.17g, %.17g, %.17g], gap: [%.17g, %.17g]}}, "
             "{wall: {side: right, gap: %.17g}}]\ncontacts: %s\nstart: [{body: 1, velocity: %.17g}]\n"
             "run: {until: %.17g, tol: %g}\nrecord: {every: %.17g, probes: [u, v], events: false}\n",
             (double)m->mass[0], (double)m->mass[1], (double)m->mass[2], (double)m->gap[0], (double)m->gap[1],
             (double)m->gap[2], m->contacts, (double)m->speed, (double)m->until, tol, (double)m->until / SAMPLES);
    struct carom_memory *memory;
    struct carom_sim *sim = runs_recorded(text, &memory);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_OK);
    CHECK_OR_STOP(memory->nrows == SAMPLES + 1);
    const size_t u = carom_sink_memory_column(memory, "u", 0), v = carom_sink_memory_column(memory, "v", 0);
    double worst = 0.0;
    for (size_t r = 1; r < memory->nrows; r++)
        for (size_t i = 0; i < BEADS; i++) {
            const double *row = memory->value + r * memory->width;
            worst = fmax(worst, fabs(row[u + i] - (double)exact[r][i]) / sim->scales.length);
            worst = fmax(worst, fabs(row[v + i] - (double)exact[r][BEADS + i]) / sim->scales.speed);
        }
    const struct carom_tally *tally = carom_recorder_tally(sim->recorder);
    *residual = fmax(tally->worst_residual, tally->worst_between) / sim->state->energy;
    carom_sim_free(sim);
    return worst / tol;
}

/* exact[r]: q and physical velocities at sample r */
static void compute(struct motion *m, real (*exact)[SIZE])
{
    begin(m);
    for (int r = 1; r <= SAMPLES; r++) {
        advance_to(m, m->until * r / SAMPLES);
        rate_of(m, m->y, exact[r]);
        memcpy(exact[r] + BEADS, exact[r], BEADS * sizeof(real));
        memcpy(exact[r], m->y, BEADS * sizeof(real));
    }
}

static struct motion motions[] = {
    {.name = "hunt-crossley", .contacts = "{law: hunt-crossley, gamma: 0.25}", .p = 1.5L, .c = 0.25L, .b = 2.5L},
    {.name = "hertz-dashpot", .contacts = "{law: hertz-dashpot, gamma: 0.125}", .p = 1.5L, .c = 0.125L, .b = 1.0L},
    {.name = "linear-dashpot", .contacts = "{law: linear-dashpot, gamma: 0.25}", .p = 1.0L, .c = 0.25L, .b = 1.0L},
    {.name = "bistiff .75", .contacts = "{law: bistiff, es: 0.75}", .kind = BISTIFF, .p = 1.5L, .second = 0.75L},
    {.name = "bistiff 1/4", .contacts = "{law: bistiff, es: 0.25}", .kind = BISTIFF, .p = 1.5L, .second = 0.25L},
    {.name = "bistiff 1/16",
     .contacts = "{law: bistiff, es: 0.0625, p: 1}",
     .kind = BISTIFF,
     .p = 1.0L,
     .second = 0.0625L},
    {.name = "walton-braun 2",
     .contacts = "{law: walton-braun, k1: 1, k2: 2}",
     .kind = WALTON_BRAUN,
     .p = 1.0L,
     .second = 2.0L},
    {.name = "walton-braun 20",
     .contacts = "{law: walton-braun, k1: 1, k2: 20}",
     .kind = WALTON_BRAUN,
     .p = 1.0L,
     .second = 20.0L},
};

int main(void)
{
    static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-10};
    static const real gaps[][CONTACTS] = {{0.0L, 0.0L, 0.125L}, {0.25L, 0.5L, 0.0L}};
    static real exact[SAMPLES + 1][SIZE];
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++)
        for (size_t g = 0; g < 2; g++) {
            struct motion *m = &motions[i];
            m->k = 1.0L;
            m->mass[0] = 1.0L;
            m->mass[1] = 0.375L;
            m->mass[2] = 1.5L;
            m->speed = 1.0L;
            m->until = 12.0L;
            memcpy(m->gap, gaps[g], sizeof m->gap);
            compute(m, exact);
            printf("%-16s", m->name);
            for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
                double residual;
                const double worst = error_of(m, (const real(*)[SIZE])exact, tolerances[k], &residual);
                printf("  %.0e: %.2f (ledger %.1f)", tolerances[k], worst, residual / tolerances[k]);
                CHECK(worst <= 10.0);
                CHECK(residual <= 10.0 * tolerances[k]);
            }
            printf("\n");
        }
    return check_end();
}
