/* Scheme event on random rows: against a plain event loop in long double; in moving frames and mirrored; momentum,
 * energy, ledger and gaps in columns, boxes and cradles of any restitution, up to rest. Seeds are printed. */
#include "draws.h"
#include "events.h"

enum { MOST = 12, ROOM = 400 };

/* A random row that the plain loop can follow: no simultaneous impacts, no lasting contacts. */
struct sample {
    size_t n;
    bool right;
    double mass[MOST], gap[MOST + 1], e[MOST + 1], v[MOST], gravity, until;
};

static void make_sample(struct sample *s, struct carom_random *random)
{
    s->n = 1 + carom_random_below(random, 6);
    s->gravity = carom_random_below(random, 3) ? -draw_between(random, 0.5, 10.0) : 0.0;
    s->right = s->gravity == 0.0 || carom_random_below(random, 2);
    s->until = draw_between(random, 0.5, 1.2);
    for (size_t i = 0; i < s->n; i++) {
        s->mass[i] = draw_between(random, 0.3, 3.0);
        s->v[i] = draw_between(random, -1.0, 1.0);
    }
    for (size_t j = 0; j <= s->n; j++) {
        s->gap[j] = draw_between(random, 0.05, 0.5);
        s->e[j] = draw_between(random, 0.7, 1.0);
    }
}

/* --- the plain loop ---------------------------------------------------------------------------------------------- */

struct plain {
    long double q[MOST], v[MOST];
    long double time[ROOM];
    size_t contact[ROOM], count;
};

/* when the gap of contact j closes; `last` was struck just now */
static long double meets(const struct sample *s, const struct plain *p, size_t j, size_t last)
{
    const bool a = j > 0, b = j < s->n;
    long double y = (long double)s->gap[j] + (b ? p->q[j] : 0.0L) - (a ? p->q[j - 1] : 0.0L);
    const long double r = (b ? p->v[j] : 0.0L) - (a ? p->v[j - 1] : 0.0L);
    const long double g = (long double)((b ? s->gravity : 0.0) - (a ? s->gravity : 0.0));
    if (j == last || y < 0.0L)
        y = 0.0L;
    const long double square = r * r - 2.0L * g * y;
    if (square < 0.0L)
        return (long double)HUGE_VAL;
    if (r < 0.0L)
        return 2.0L * y / (sqrtl(square) - r);
    return g < 0.0L ? (r + sqrtl(square)) / -g : (long double)HUGE_VAL;
}

static void run_plain(const struct sample *s, struct plain *p)
{
    const size_t nc = s->n + (s->right ? 1 : 0);
    size_t last = nc;
    long double t = 0.0L;
    memset(p, 0, sizeof *p);
    for (size_t i = 0; i < s->n; i++)
        p->v[i] = (long double)s->v[i];
    while (p->count < ROOM) {
        long double best = (long double)s->until - t;
        size_t who = nc;
        for (size_t j = 0; j < nc; j++) {
            const long double at = meets(s, p, j, last);
            who = at < best ? j : who;
            best = at < best ? at : best;
        }
        for (size_t i = 0; i < s->n; i++) {
            p->q[i] += best * (p->v[i] + 0.5L * (long double)s->gravity * best);
            p->v[i] += (long double)s->gravity * best;
        }
        t += best;
        if (who == nc)
            return;
        const bool a = who > 0, b = who < s->n;
        const long double ia = a ? 1.0L / (long double)s->mass[who - 1] : 0.0L,
                          ib = b ? 1.0L / (long double)s->mass[who] : 0.0L;
        const long double r = (b ? p->v[who] : 0.0L) - (a ? p->v[who - 1] : 0.0L);
        const long double impulse = -(1.0L + (long double)s->e[who]) * r / (ia + ib);
        if (a)
            p->v[who - 1] -= impulse * ia;
        if (b)
            p->v[who] += impulse * ib;
        p->time[p->count] = t;
        p->contact[p->count++] = last = who;
    }
}

/* Every impact of the plain loop, in order, at its time; the end of the run. */
static void check_against_plain(struct carom_random *random)
{
    size_t impacts = 0;
    for (int trial = 0; trial < 300; trial++) {
        struct sample s;
        static struct plain p;
        make_sample(&s, random);
        run_plain(&s, &p);
        if (p.count == ROOM)
            continue; /* impacts accumulate: not for the plain loop */
        const struct row row = {.n = s.n,
                                .left = true,
                                .right = s.right,
                                .mass = s.mass,
                                .gap = s.gap,
                                .e = s.e,
                                .v = s.v,
                                .gravity = s.gravity};
        struct log log = log_row(&row, trial % 2 ? MOREAU : NEWTON, s.until, SIZE_MAX);
        CHECK(log.count == p.count);
        for (size_t i = 0; i < log.count && i < p.count; i++) {
            CHECK(log.event[i].contact == p.contact[i]);
            CHECK_NEAR(log.event[i].time, (double)p.time[i], 1e-10);
        }
        for (size_t i = 0; i < s.n; i++) {
            CHECK_NEAR(log.play.state->q[i], (double)p.q[i], 1e-10);
            CHECK_NEAR(log.play.state->v[i], (double)p.v[i], 1e-9);
        }
        impacts += p.count;
        log_check(&log, 1e-13);
        log_close(&log);
    }
    CHECK(impacts > 2000);
}

/* --- invariances ------------------------------------------------------------------------------------------------- */

/* A free row seen from a moving frame, and in a mirror, has the same impacts. */
static void check_frames(struct carom_random *random)
{
    enum { N = 8 };
    for (int trial = 0; trial < 40; trial++) {
        double mass[N], gap[N], v[N], fast[N], back[N], back_mass[N], back_gap[N];
        const double e = draw_between(random, 0.6, 1.0), boost = 3.0;
        for (size_t i = 0; i < N; i++) {
            mass[i] = draw_between(random, 0.3, 3.0);
            gap[i] = draw_between(random, 0.05, 0.5);
            v[i] = draw_between(random, -1.0, 1.0);
            fast[i] = v[i] + boost;
        }
        for (size_t i = 0; i < N; i++) {
            back_mass[i] = mass[N - 1 - i];
            back[i] = -v[N - 1 - i];
            back_gap[i] = i < N - 1 ? gap[N - 2 - i] : 0.0;
        }
        const struct row rows[] = {{.n = N, .mass = mass, .gap = gap, .e_all = e, .v = v},
                                   {.n = N, .mass = mass, .gap = gap, .e_all = e, .v = fast},
                                   {.n = N, .mass = back_mass, .gap = back_gap, .e_all = e, .v = back}};
        struct log log[3];
        for (int k = 0; k < 3; k++)
            log[k] = log_row(&rows[k], NEWTON, 5.0, SIZE_MAX);
        CHECK(log[0].count > 0 && log[1].count == log[0].count && log[2].count == log[0].count);
        for (size_t i = 0; i < log[0].count && i < log[1].count && i < log[2].count; i++)
            for (int k = 1; k < 3; k++) {
                const size_t contact = log[0].event[i].contact;
                CHECK(log[k].event[i].contact == (k == 1 ? contact : N - 2 - contact));
                CHECK_NEAR(log[k].event[i].time, log[0].event[i].time, 1e-10);
                CHECK_NEAR(log[k].event[i].impulse, log[0].event[i].impulse, 1e-9);
            }
        double before = 0.0, after = 0.0;
        for (size_t i = 0; i < N; i++) {
            CHECK_NEAR(log[1].play.state->v[i] - boost, log[0].play.state->v[i], 1e-9);
            CHECK_NEAR(log[1].play.state->q[i] - 5.0 * boost, log[0].play.state->q[i], 1e-9);
            CHECK_NEAR(log[2].play.state->v[N - 1 - i], -log[0].play.state->v[i], 1e-9);
            before += mass[i] * v[i];
            after += mass[i] * log[0].play.state->v[i];
        }
        CHECK_NEAR(after, before, 1e-13);
        for (int k = 0; k < 3; k++)
            log_close(&log[k]);
    }
}

/* --- energy, gaps, rest ------------------------------------------------------------------------------------------ */

/* Runs by pieces: energy never grows but by rounding, the ledger closes, nothing overlaps. */
static void follow(const struct row *row, int impact, double until, bool rests)
{
    struct log log;
    struct carom_error error = {CAROM_OK, ""};
    CHECK_OR_STOP(log_open(&log, row_model(row), impact, 1e-9, row->q, row->v, &error));
    struct carom_ledger ledger = play_ledger(&log.play);
    const double start = ledger.kinetic + ledger.stored, size = log.play.scales.speed * log.play.scales.speed;
    double last = start, lost = 0.0;
    for (int piece = 1; piece <= 50; piece++) {
        CHECK_STATUS(log_run(&log, until * piece / 50.0, SIZE_MAX, &error), CAROM_OK);
        ledger = play_ledger(&log.play);
        CHECK(ledger.kinetic + ledger.stored <= last + 1e-11 * size);
        CHECK(ledger.impact >= lost - 1e-12 * size);
        CHECK_NEAR(ledger.residual, 0.0, 1e-10 * size);
        last = ledger.kinetic + ledger.stored;
        lost = ledger.impact;
    }
    log_check(&log, 1e-13 * log.play.scales.length);
    for (size_t i = 0; rests && i < row->n; i++) {
        CHECK(log.play.state->v[i] == 0.0);
        CHECK_NEAR(log.play.state->force[i], -row->gravity * (double)(row->n - i), 1e-9 * size);
    }
    log_close(&log);
}

static void check_columns(struct carom_random *random)
{
    static const size_t sizes[] = {2, 3, 7, 20, 50};
    static const double es[] = {0.0, 0.3, 0.5, 0.8, 0.9, 1.0};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t i = 0; i < sizeof es / sizeof *es; i++) {
            double gap[50];
            for (size_t j = 0; j < 50; j++)
                gap[j] = j == 0 ? 1.0 : draw_between(random, 0.01, 0.03);
            const struct row row = {.n = sizes[k], .left = true, .gap = gap, .e_all = es[i], .gravity = -10.0};
            follow(&row, MOREAU, es[i] == 1.0 ? 3.0 : 12.0, es[i] < 1.0);
            if (sizes[k] <= 7) /* pair by pair takes many more impacts in a column that touches */
                follow(&row, NEWTON, es[i] == 1.0 ? 3.0 : 12.0, es[i] < 1.0);
        }
}

/* rows with springs of all frequencies between walls: contacts that last, open, close again */
static void check_springs(struct carom_random *random)
{
    enum { N = 6 };
    size_t trial = 0;
    for (int impact = MOREAU; impact <= NEWTON; impact++)
        for (; trial < 20 + 20 * (size_t)impact; trial++) {
            double mass[N], spring[N], gap[N + 1], v[N];
            for (size_t i = 0; i < N; i++) {
                mass[i] = draw_between(random, 0.3, 3.0);
                spring[i] = trial % 4 == 0 ? mass[i] : draw_between(random, 0.0, 2.0);
                v[i] = draw_between(random, -1.0, 1.0);
            }
            for (size_t j = 0; j <= N; j++)
                gap[j] = trial % 3 == 0 ? 0.0 : draw_between(random, 0.0, 0.3);
            const double es[] = {1.0, 0.9, 0.5, 0.0};
            const struct row row = {.n = N,
                                    .left = trial % 2 == 0,
                                    .right = trial % 3 != 0,
                                    .mass = mass,
                                    .spring = spring,
                                    .gap = gap,
                                    .v = v,
                                    .e_all = es[trial % 4],
                                    .gravity = trial % 5 == 0 ? 0.3 : 0.0};
            follow(&row, impact, 40.0, false);
        }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    check_against_plain(&random);
    check_frames(&random);
    check_columns(&random);
    check_springs(&random);
    return check_end();
}
