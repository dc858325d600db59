/* carom's dp5 beside SUNDIALS' Dormand-Prince (ARKODE) on the same chains, the same regularised variables and the same
 * error: how long does each take to come within 1e-6 of the motion? Built only where SUNDIALS is found. Debian's
 * SUNDIALS is compiled without optimisation; SUNDIALS_DIR at configuration points to a better one.
 *
 * usage: beside_sundials [repeats] */
#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <time.h>

#include "carom/carom.h"

enum { MOST = 1000, LOOKS = 50 };

/* n beads in touch, masses 1 and `light` in turn, Kuwabara-Kono with k = 1; the first bead strikes with speed 1 */
struct problem {
    const char *name;
    size_t n;
    double light, gamma, until;
};

static const struct problem problems[] = {
    {"dimer, N = 25, t = 30", 25, 0.5, 0.06, 30.0},
    {"equal beads, N = 1000, t = 1000", 1000, 1.0, 0.06, 1000.0},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double mass(const struct problem *p, size_t i)
{
    return i % 2 == 0 ? 1.0 : p->light;
}

/* --- SUNDIALS ------------------------------------------------------------------------------------------------ */

/* x' = w + gamma g(x), w' = g(x), after James et al. 2020, (10)-(11) */
static int rates(realtype t, N_Vector state, N_Vector rate, void *own)
{
    (void)t;
    const struct problem *p = own;
    const size_t n = p->n;
    const double *x = N_VGetArrayPointer(state), *w = x + n;
    double *dx = N_VGetArrayPointer(rate), *dw = dx + n;
    double left = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double d = i + 1 < n && x[i] > x[i + 1] ? x[i] - x[i + 1] : 0.0;
        const double right = d * sqrt(d);
        dw[i] = (left - right) / mass(p, i);
        dx[i] = w[i] + p->gamma * dw[i];
        left = right;
    }
    return 0;
}

/* seconds, and the displacements at LOOKS times; negative if it fails */
static double run_sundials(const struct problem *p, double tol, double *looks, long *evaluations)
{
    SUNContext context;
    const double start = now(); /* what it takes to set up counts on both sides */
    if (SUNContext_Create(NULL, &context))
        return -1.0;
    N_Vector y = N_VNew_Serial((sunindextype)(2 * p->n), context);
    N_VConst(0.0, y);
    N_VGetArrayPointer(y)[p->n] = 1.0;
    void *ark = ERKStepCreate(rates, 0.0, y, context);
    struct problem copy = *p;
    ERKStepSetUserData(ark, &copy);
    ERKStepSetTableNum(ark, ARKODE_DORMAND_PRINCE_7_4_5);
    ERKStepSStolerances(ark, tol, tol);
    ERKStepSetMaxNumSteps(ark, 100000000);
    bool good = true;
    for (int look = 0; look < LOOKS && good; look++) {
        realtype t;
        good = ERKStepEvolve(ark, p->until * (look + 1) / LOOKS, y, &t, ARK_NORMAL) >= 0;
        memcpy(looks + (size_t)look * p->n, N_VGetArrayPointer(y), p->n * sizeof(double));
    }
    const double seconds = now() - start;
    ERKStepGetNumRhsEvals(ark, evaluations);
    ERKStepFree(&ark);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return good ? seconds : -1.0;
}

/* --- carom ------------------------------------------------------------------------------------------------------- */

static struct carom_model *chain(const struct problem *p, struct carom_error *error)
{
    static double masses[MOST], ones[MOST], gammas[MOST], gaps[MOST];
    static int32_t pair[MOST][2];
    for (size_t i = 0; i < p->n; i++) {
        masses[i] = mass(p, i);
        pair[i][0] = (int32_t)i;
        pair[i][1] = (int32_t)i + 1;
        ones[i] = 1.0;
        gammas[i] = p->gamma;
        gaps[i] = 0.0;
    }
    const double *const columns[] = {ones, gammas};
    struct carom_model *model = carom_model_create();
    struct carom_beads *beads = carom_beads_create(p->n, masses, NULL, NULL, error);
    if (model && beads && carom_model_add(model, &carom_part_beads, beads, error) == CAROM_OK &&
        carom_model_join(model, &carom_law_kuwabara_kono, CAROM_END_GAP, p->n - 1, (const int32_t(*)[2])pair, gaps,
                         columns, error) == CAROM_OK &&
        carom_model_finish(model, error) == CAROM_OK)
        return model;
    carom_model_free(model);
    return NULL;
}

/* the same with dp5 at a local tolerance; `window` as its option */
static double run_carom(const struct problem *p, double tol, bool window, double *looks, long *evaluations)
{
    struct carom_error error;
    static double q[MOST], v[MOST];
    memset(q, 0, sizeof q);
    memset(v, 0, sizeof v);
    v[0] = 1.0;
    struct carom_model *model = chain(p, &error);
    void *options = carom_options_create(&carom_scheme_dp5.kind);
    carom_options_set(&carom_scheme_dp5.kind, options, "tol", tol, &error);
    carom_options_set(&carom_scheme_dp5.kind, options, "share", 1.0, &error);
    carom_options_set(&carom_scheme_dp5.kind, options, "window", window, &error);
    struct carom_setup setup = {
        .model = model, .scheme = &carom_scheme_dp5, .options = options, .q = q, .v = v, .threads = 1};
    const double start = now();
    struct carom_sim *sim = carom_sim_create(&setup, &error);
    bool good = sim != NULL;
    for (int look = 0; look < LOOKS && good; look++) { /* dense output, as a recorder would take it */
        const double t = p->until * (look + 1) / LOOKS;
        const struct carom_bound bound = {.t_stop = p->until, .t_dense = t, .steps = SIZE_MAX};
        while (good && carom_state_until(sim->state, t) > 0.0)
            good = carom_scheme_dp5.step(sim->stepper, sim->state, &bound, &error) == CAROM_OK;
        if (carom_state_until(sim->state, t) < 0.0)
            carom_scheme_dp5.dense(sim->stepper, sim->state, t, sim->view);
        else
            carom_sim_sync(sim);
        memcpy(looks + (size_t)look * p->n, sim->view->q, p->n * sizeof(double));
    }
    const double seconds = now() - start;
    *evaluations = good ? (long)sim->stepper->counts.evaluations : 0;
    carom_sim_free(sim);
    return good ? seconds : -1.0;
}

/* --- side by side --------------------------------------------------------------------------------------------- */

static double distance(const double *a, const double *b, size_t count)
{
    double worst = 0.0;
    for (size_t i = 0; i < count; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* who: SUNDIALS, dp5 without and with its window */
static double run(const struct problem *p, int who, double tol, double *looks, long *evaluations)
{
    return who == 0 ? run_sundials(p, tol, looks, evaluations) : run_carom(p, tol, who == 2, looks, evaluations);
}

/* the loosest tolerance whose error is below 1e-6, from `tol` down by `factor` */
static double find_tolerance(const struct problem *p, int who, double tol, double factor, const double *exact,
                             double *looks, double *error)
{
    long evaluations;
    for (*error = HUGE_VAL; *error > 1e-6 && tol > 1e-14;) {
        tol *= factor;
        run(p, who, tol, looks, &evaluations);
        *error = distance(looks, exact, LOOKS * p->n);
    }
    return tol;
}

/* tightens the tolerance, at first by halves, until the error is below 1e-6, then times that */
static double time_to(const struct problem *p, int who, const double *exact, double *looks, int repeats)
{
    static const char *const names[] = {"SUNDIALS ARKODE, Dormand-Prince", "carom dp5, window off", "carom dp5"};
    double error, best = HUGE_VAL;
    long evaluations = 0;
    double tol = find_tolerance(p, who, 1e-3, 0.5, exact, looks, &error);
    tol = find_tolerance(p, who, 2.0 * tol, 0.87, exact, looks, &error);
    for (int i = 0; i < repeats; i++)
        best = fmin(best, run(p, who, tol, looks, &evaluations));
    printf("  %-34s %10.3f ms  error %.1e  %ld evaluations\n", names[who], 1e3 * best, error, evaluations);
    return best;
}

int main(int argc, char **argv)
{
    const int repeats = argc > 1 ? atoi(argv[1]) : 7;
    double *exact = calloc((size_t)LOOKS * MOST, sizeof *exact), *looks = calloc((size_t)LOOKS * MOST, sizeof *looks);
    if (!exact || !looks)
        return 1;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const struct problem *p = &problems[i];
        long evaluations;
        printf("%s, to error 1e-6\n", p->name);
        if (run_carom(p, 1e-13, false, exact, &evaluations) < 0.0)
            return 1;
        const double other = time_to(p, 0, exact, looks, repeats);
        const double full = time_to(p, 1, exact, looks, repeats);
        const double windowed = time_to(p, 2, exact, looks, repeats);
        printf("  SUNDIALS / carom: %.1f without, %.1f with the window\n", other / full, other / windowed);
    }
    free(exact);
    free(looks);
    return 0;
}
