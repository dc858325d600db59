/* Impact lzb against closed forms: pairs return es whatever p and k, three balls against small fixed steps in long
 * double, dissipative rows that end together, es = 0, forces told to a trace, what is refused. */
#include "impact/lzb.h"
#include "random_graphs.h"
#include "springy.h"

static const struct carom_lzb_options fine = {.impact_tol = 1e-10, .impact_work = 200.0};

/* --- pairs ------------------------------------------------------------------------------------------------------- */

struct history {
    size_t count;
    double last, peak, integral, every;
};

static void hear(void *own, size_t contact, double time, double force)
{
    struct history *h = own;
    CHECK(contact == 0 && time > h->last && force > 0.0);
    h->count++;
    h->last = time;
    h->integral += force * h->every;
    h->peak = fmax(h->peak, force);
}

static void hear_end(void *own, double time, double duration, double estimate)
{
    (void)own;
    (void)time;
    (void)duration;
    (void)estimate;
}

static void check_pair(double e, double p, double k, double mass)
{
    const double masses[2] = {1.0, mass}, v[2] = {2.0, -1.0}, reduced = mass / (1.0 + mass);
    struct carom_model *model = springy_row(2, false, false, masses, &e, &k, &p);
    struct springy_blow blow = {0}, traced = {0};
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, NULL), CAROM_OK);
    CHECK_NEAR(blow.rate[0], 3.0 * e, 1e-9);
    CHECK_NEAR(blow.lost[0], 0.5 * reduced * 9.0 * (1.0 - e * e), 1e-12);
    struct history history = {.every = blow.duration / 2000.0};
    const struct carom_trace trace = {history.every, hear, hear_end, &history};
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, &trace, &traced, NULL), CAROM_OK);
    CHECK(memcmp(&blow, &traced, sizeof blow) == 0); /* listening changes no bit */
    if (e >= 0.05 && p < 10.0) {
        const double most = pow(0.5 * (1.0 + p) * 9.0 * reduced / k, 1.0 / (1.0 + p)); /* largest x */
        CHECK_NEAR(history.integral / blow.impulse[0], 1.0, 1e-3);
        CHECK_NEAR(history.peak / (k * pow(most, p)), 1.0, 1e-4);
        CHECK(history.last <= blow.duration && history.last > 0.85 * blow.duration);
    }
    carom_model_free(model);
}

/* who gives no k and no p gets 1 and 3/2 */
static void check_usual(void)
{
    const double masses[3] = {1.0, 2.0, 0.5}, v[3] = {2.0, 0.0, -1.0}, e[2] = {0.6, 0.8}, k[2] = {1.0, 1.0},
                 p[2] = {1.5, 1.5};
    struct carom_model *model = springy_row(3, false, false, masses, e, k, p);
    struct springy_blow told = {0}, usual = {0};
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &told, NULL), CAROM_OK);
    springy_usual = true;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &usual, NULL), CAROM_OK);
    springy_usual = false;
    CHECK(memcmp(&told, &usual, sizeof told) == 0 && told.duration > 0.0);
    carom_model_free(model);
}

static void check_pairs(void)
{
    static const double es[] = {0.0, 1e-7, 0.01, 0.3, 0.6, 0.95, 1.0}, ps[] = {1.0, 1.5, 2.0, 3.3, 7.0, 20.0};
    for (size_t i = 0; i < sizeof es / sizeof *es; i++)
        for (size_t j = 0; j < sizeof ps / sizeof *ps; j++)
            for (double k = 1e-6; k < 1e12; k *= 1e6)
                check_pair(es[i], ps[j], k, k < 1.0 ? 1e-6 : 3.0);
}

/* two pairs that have nothing to do with each other are two pairs, beside others too */
static void check_apart(void)
{
    struct disks d = {.n = 4, .ntouch = 2, .mass = {1.0, 2.0, 0.5, 4.0}};
    d.touch[0].b = 1;
    d.touch[1].a = 2;
    d.touch[1].b = 3;
    d.touch[0].x = d.touch[1].y = 1.0;
    const double e[2] = {0.7, 0.2}, k[2] = {1.0, 1e4}, p[2] = {1.5, 2.0};
    const double v[8] = {1.0, 0.3, 0.0, 0.0, 0.0, 0.5, 0.1, 0.0};
    struct carom_model *model = springy_disks(&d, e, k, p);
    struct springy_blow blow;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, NULL), CAROM_OK);
    CHECK_NEAR(blow.rate[0], 0.7, 1e-14);
    CHECK_NEAR(blow.rate[1], 0.1, 1e-14);
    carom_model_free(model);
}

/* --- rows against small steps in long double --------------------------------------------------------------------- */

/* The equations as they stand, by leapfrog: x moves by half a step, v by a whole one, x by another half. */
static void leap(size_t n, const double *mass, double es, double p, const double *v, long double h, long double until,
                 long double *out)
{
    long double x[SPRINGY_CONTACTS] = {0}, force[SPRINGY_CONTACTS] = {0};
    for (size_t i = 0; i < n; i++)
        out[i] = (long double)v[i];
    for (long double t = 0.0L; t < until; t += h) {
        for (size_t j = 0; j + 1 < n; j++) {
            const long double a = out[j] - out[j + 1];
            x[j] += 0.5L * h * (a > 0.0L ? a : a / ((long double)es * (long double)es));
            x[j] = x[j] > 0.0L ? x[j] : 0.0L;
            force[j] = p == 1.5 ? x[j] * sqrtl(x[j]) : powl(x[j], (long double)p);
        }
        for (size_t i = 0; i < n; i++)
            out[i] += h * ((i > 0 ? force[i - 1] : 0.0L) - (i + 1 < n ? force[i] : 0.0L)) / (long double)mass[i];
        for (size_t j = 0; j + 1 < n; j++) {
            const long double a = out[j] - out[j + 1];
            x[j] += 0.5L * h * (a > 0.0L ? a : a / ((long double)es * (long double)es));
            x[j] = x[j] > 0.0L ? x[j] : 0.0L;
        }
    }
}

static void check_row(size_t n, const double *mass, double es, double p, long double until, double allowed)
{
    double e[SPRINGY_CONTACTS], k[SPRINGY_CONTACTS], ps[SPRINGY_CONTACTS], v[SPRINGY_BODIES] = {1.0};
    long double small[SPRINGY_BODIES];
    for (size_t j = 0; j < n; j++) {
        e[j] = es;
        k[j] = 1.0;
        ps[j] = p;
    }
    struct carom_model *model = springy_row(n, false, false, mass, e, k, ps);
    struct springy_blow blow;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, NULL), CAROM_OK);
    leap(n, mass, es, p, v, 2e-4L, until, small);
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(blow.after[i], (double)small[i], allowed);
    carom_model_free(model);
}

static void check_rows(void)
{
    static const double equal[8] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    static const double taper[8] = {1.0, 0.7, 0.49, 0.343, 0.2401, 0.168, 0.1176, 0.0824};
    check_row(3, equal, 1.0, 1.5, 8.0L, 2e-6);
    check_row(8, equal, 0.9, 1.5, 40.0L, 2e-6);
    check_row(8, taper, 0.8, 1.5, 20.0L, 2e-6);
    check_row(5, equal, 0.7, 1.0, 8.0L, 1e-6);
    check_row(5, equal, 0.8, 3.0, 60.0L, 2e-6);
}

/* --- ends -------------------------------------------------------------------------------------------------------- */

static void check_together(size_t n, double es, double allowed)
{
    double mass[SPRINGY_BODIES], e[SPRINGY_CONTACTS], k[SPRINGY_CONTACTS], p[SPRINGY_CONTACTS];
    const double v[SPRINGY_BODIES] = {1.0};
    for (size_t i = 0; i < n; i++) {
        mass[i] = k[i] = 1.0;
        e[i] = es;
        p[i] = 1.5;
    }
    struct carom_model *model = springy_row(n, false, false, mass, e, k, p);
    struct springy_blow blow;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, NULL), CAROM_OK);
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(blow.after[i], 1.0 / (double)n, allowed);
    carom_model_free(model);
}

/* es = 0 at the first contact only: two balls stay together until the third leaves them */
static void check_held(void)
{
    const double mass[3] = {1.0, 1.0, 1.0}, e[2] = {0.0, 1.0}, k[2] = {1.0, 1.0}, p[2] = {1.0, 1.0};
    const double v[3] = {0.0, 0.0, -1.0};
    struct carom_model *model = springy_row(3, false, false, mass, e, k, p);
    struct springy_blow blow;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, NULL), CAROM_OK);
    CHECK(blow.rate[0] >= -1e-12 && blow.rate[1] > 0.0);
    CHECK_NEAR(blow.lost[1], 0.0, 1e-9);
    CHECK(blow.lost[0] > 0.0);
    carom_model_free(model);
}

struct patience {
    size_t asked, allowed;
};

static bool lasts(void *own)
{
    struct patience *p = own;
    return p->asked++ < p->allowed;
}

/* Whoever waits for an impact is asked once for every so many contacts that have been stepped, not more often, and can
 * end it. */
static void check_patience(void)
{
    double mass[SPRINGY_BODIES], e[SPRINGY_CONTACTS], k[SPRINGY_CONTACTS], p[SPRINGY_CONTACTS];
    const double v[SPRINGY_BODIES] = {1.0};
    for (size_t i = 0; i < SPRINGY_BODIES; i++) {
        mass[i] = 1.0 + 0.3 * (double)(i % 3);
        k[i % SPRINGY_CONTACTS] = 1.0;
        e[i % SPRINGY_CONTACTS] = 0.9;
        p[i % SPRINGY_CONTACTS] = 1.5;
    }
    struct carom_model *model = springy_row(SPRINGY_BODIES, false, false, mass, e, k, p);
    const struct carom_lzb_options finest = {.impact_tol = 1e-13, .impact_work = 2000.0};
    struct springy_blow blow;
    for (int ends = 0; ends < 2; ends++) {
        struct patience own = {0, ends ? 2 : SIZE_MAX};
        const struct carom_patience patience = {lasts, &own};
        struct carom_error error = {CAROM_OK, ""};
        springy_patience = &patience;
        CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &finest, v, NULL, &blow, &error),
                     ends ? CAROM_E_STOPPED : CAROM_OK);
        springy_patience = NULL;
        const double work = (double)blow.steps * (double)model->nc; /* at most */
        printf("%zu times asked in %zu steps of %zu contacts\n", own.asked, blow.steps, model->nc);
        CHECK(ends ? own.asked == 3 : own.asked > 3 && (double)own.asked <= work / 3e4);
    }
    carom_model_free(model);
}

static void check_refusals(void)
{
    const double mass[3] = {1.0, 1.0, 1.0}, one[4] = {1.0, 1.0, 1.0, 1.0}, p[4] = {1.5, 1.5, 1.5, 1.5};
    const double loose[4] = {1.0, 0.9, 1.0, 1.0}, v[3] = {1.0, 0.0, 0.0};
    struct carom_error error = {CAROM_OK, ""};
    struct springy_blow blow;
    struct carom_model *model = springy_row(3, true, true, mass, one, one, p);
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, &error), CAROM_E_NUMERIC);
    CHECK_TEXT(error.text, "impact lzb at 4 contacts, 0 to 3, does not end: its bodies have no way to part and es = 1 "
                           "loses nothing; give es below 1 or a gap, or take theory: compliant");
    carom_model_free(model);
    model = springy_row(3, true, true, mass, loose, one, p); /* one contact that loses is enough */
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, &error), CAROM_OK);
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(blow.after[i], 0.0, 1e-9);
    model->group[0].param[CAROM_RIGID_K][1] = -1.0;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, &error), CAROM_E_NUMERIC);
    CHECK_TEXT(error.text, "impact lzb: contact 1: k must be positive, got -1");
    model->group[0].param[CAROM_RIGID_K][1] = 1.0;
    model->group[0].param[CAROM_RIGID_E][2] = 1.5;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, &error), CAROM_E_NUMERIC);
    CHECK_TEXT(error.text, "impact lzb: contact 2: es must be between 0 and 1, got 1.5");
    carom_model_free(model);
}

/* a ball between two posts and a floor that it cannot leave upwards: no direction, dense W */
static void check_trap(void)
{
    struct disks d = {.n = 1, .ntouch = 3, .mass = {1.0}};
    for (size_t i = 0; i < 3; i++) {
        d.touch[i].b = 1;
        d.touch[i].x = cos(2.0 * (double)i);
        d.touch[i].y = sin(2.0 * (double)i);
    }
    const double e[3] = {1.0, 1.0, 1.0}, k[3] = {1.0, 2.0, 3.0}, p[3] = {1.5, 1.5, 1.5}, v[2] = {0.3, 1.0};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_model *model = springy_disks(&d, e, k, p);
    struct springy_blow blow;
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &blow, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "no way to part");
    carom_model_free(model);
}

/* Two contacts by themselves. Impulses 1 and 2 balance in the first W, of bodies of any mass; in the other none do,
 * whatever an earlier collision has left where weights are kept. */
static void check_trap_of_any_mass(void)
{
    static const double trapped[4] = {4.0, -2.0, -2.0, 1.0}, loose[4] = {1.0, -0.5, -0.5, 1.0}, e[2] = {1.0, 1.0};
    for (double mass = 1e-9; mass < 1e10; mass *= 1e3)
        for (int free = 0; free < 2; free++) {
            double matrix[4], y[2] = {1.0, -5.0}, turn[2] = {0.0, 0.0};
            for (size_t i = 0; i < 4; i++)
                matrix[i] = (free ? loose[i] : trapped[i]) / mass;
            double diagonal[2] = {matrix[0], matrix[3]};
            const struct carom_frame frame = {.n = 2, .matrix = matrix, .diagonal = diagonal};
            double with_sum[4];
            struct carom_lzb w = {.frame = &frame, .n = 2, .e = e, .y = y, .turn = turn, .stiff = {.matrix = with_sum}};
            CHECK_STATUS(carom_lcp_open(&w.lcp, 2, true, NULL), CAROM_OK);
            CHECK(carom_lzb_trap_any(&w) == !free);
            carom_lcp_close(&w.lcp);
        }
}

enum { CONTACTS = 7, WAYS = 4 };

/* The impulses of the contacts in `set` that balance, of directions of small whole numbers: elimination without
 * rounding that matters. True: there is one way to balance them, up to a factor, and it pushes everywhere. */
static bool balances(double way[CONTACTS][WAYS], size_t n, unsigned set)
{
    double a[WAYS][CONTACTS], p[CONTACTS];
    size_t m = 0, rank = 0, lead[WAYS];
    for (size_t i = 0; i < n; i++)
        if (set >> i & 1u) {
            for (size_t k = 0; k < WAYS; k++)
                a[k][m] = way[i][k];
            m++;
        }
    size_t loose = 0, none = 0;
    for (size_t column = 0; column < m; column++) {
        size_t pivot = rank;
        for (size_t k = rank; k < WAYS; k++)
            pivot = fabs(a[k][column]) > fabs(a[pivot][column]) ? k : pivot;
        if (rank == WAYS || fabs(a[pivot][column]) < 1e-9) {
            loose++;
            none = column;
            continue;
        }
        for (size_t j = 0; j < m; j++) {
            const double hold = a[pivot][j];
            a[pivot][j] = a[rank][j];
            a[rank][j] = hold;
        }
        for (size_t k = 0; k < WAYS; k++) {
            const double by = k == rank ? 0.0 : a[k][column] / a[rank][column];
            for (size_t j = 0; j < m && by != 0.0; j++)
                a[k][j] -= by * a[rank][j];
        }
        lead[rank++] = column;
    }
    if (loose != 1)
        return false;
    p[none] = 1.0;
    for (size_t k = 0; k < rank; k++)
        p[lead[k]] = -a[k][none] / a[k][lead[k]];
    for (size_t i = 0; i < m; i++)
        if (!(p[i] > 1e-9))
            return false;
    return true;
}

/* Some impulses balance if and only if those of a smallest set do, of which all are looked at. */
static void check_traps_by_sets(void)
{
    static const double e[CONTACTS] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    uint64_t seed = 7;
    size_t trapped = 0, missed = 0, false_alarms = 0;
    struct carom_lzb w = {.e = e};
    CHECK_STATUS(carom_lcp_open(&w.lcp, CONTACTS, true, NULL), CAROM_OK);
    for (int turn = 0; turn < 4000; turn++) {
        double way[CONTACTS][WAYS] = {{0.0}}, matrix[CONTACTS * CONTACTS], diagonal[CONTACTS], with_sum[49], y[7], b[7];
        const size_t n = 2 + (size_t)graphs_draw(&seed, 0.0, CONTACTS - 1.0);
        const size_t ways = 1 + (size_t)graphs_draw(&seed, 0.0, WAYS);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < ways; k++)
                way[i][k] = floor(graphs_draw(&seed, -3.0, 4.0)) + (k == 0 && ways == 1 ? 0.5 : 0.0);
        bool any = false, stands = false;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                matrix[i * n + j] = 0.0;
                for (size_t k = 0; k < ways; k++)
                    matrix[i * n + j] += way[i][k] * way[j][k] / (double)(1 + 3 * k);
            }
            diagonal[i] = matrix[i * n + i];
            stands |= diagonal[i] == 0.0;
        }
        if (stands) /* a contact of bodies that nothing moves */
            continue;
        for (unsigned set = 1; set < 1u << n; set++)
            any |= balances(way, n, set);
        const struct carom_frame frame = {.n = n, .matrix = matrix, .diagonal = diagonal};
        w.frame = &frame;
        w.n = n;
        w.y = y;
        w.turn = b;
        w.stiff.matrix = with_sum;
        const bool found = carom_lzb_trap_any(&w);
        trapped += any;
        missed += any && !found;
        false_alarms += found && !any;
    }
    carom_lcp_close(&w.lcp);
    CHECK(trapped > 1000);
    CHECK(missed == 0);
    CHECK(false_alarms == 0);
}

/* --- coarse tolerances ------------------------------------------------------------------------------------------- */

/* A row before a wall, struck, by tolerances from 1e-2 down to `least`: as far off as stated, no farther. */
static void check_stated(size_t n, const double *masses, const double *v, double e, double p, double least)
{
    double es[10], ps[10], ks[10];
    for (size_t j = 0; j < n; j++) {
        es[j] = e;
        ps[j] = p;
        ks[j] = 1.0;
    }
    struct carom_model *model = springy_row(n, false, true, masses, es, ks, ps);
    struct springy_blow exact = {0};
    CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &fine, v, NULL, &exact, NULL), CAROM_OK);
    for (double tol = 1e-2; tol > least; tol *= 0.9) {
        const struct carom_lzb_options coarse = {.impact_tol = tol, .impact_work = 200.0};
        struct springy_blow blow = {0};
        CHECK_STATUS(springy_strike(&carom_impact_lzb, model, &coarse, v, NULL, &blow, NULL), CAROM_OK);
        for (size_t i = 0; i < n; i++)
            CHECK_NEAR(blow.after[i], exact.after[i], blow.estimate);
    }
    carom_model_free(model);
}

static void check_coarse(void)
{
    /* Where a step ends at a turn by its error after it, the contact goes out with a speed that still has the other
     * sign, and is seen to open in the step that begins there all the same. */
    check_stated(2, (const double[]){1.985, 1.538}, (const double[]){1.0, 0.0}, 0.5, 1.0, 1e-7);
    /* what the end of an impact leaves out, as no ball would feel half the tolerance, is an error too */
    static const double alike[10] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, v[10] = {1.0, [9] = -0.5};
    check_stated(10, alike, v, 0.8, 1.5, 1e-6);
}

int main(void)
{
    check_pairs();
    check_coarse();
    check_usual();
    check_apart();
    check_rows();
    check_together(21, 0.6, 1e-8);
    check_together(21, 0.0, 1e-8);
    check_together(5, 0.05, 1e-8);
    check_together(5, 1e-4, 1e-8);
    check_held();
    check_patience();
    check_refusals();
    check_trap();
    check_trap_of_any_mass();
    check_traps_by_sets();
    return check_end();
}
