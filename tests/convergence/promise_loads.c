/* What tol promises holds under loads too: true error <= 10 tol over the recorded times, for chains that start at rest
 * and are set moving by forces, drives or gravity, pressed ones, and cradles. The reference is a far tighter run,
 * itself compared with an independent solution in long double where contacts stay closed. */
#include "check.h"

#include "loads.h"

enum { SCENES = 14, LOOKS = 60 };

static struct rig base(size_t n, bool left, bool right, double gamma)
{
    struct rig rig = {.n = n, .left_wall = left, .right_wall = right, .p = 1.5, .down = 1.0};
    for (size_t i = 0; i < n; i++)
        rig.mass[i] = 1.0 + 0.4 * (double)(i % 2);
    for (size_t j = 0; j <= n; j++) {
        rig.k[j] = 1.0;
        rig.gamma[j] = gamma;
    }
    return rig;
}

static struct carom_signal shape(enum carom_shape kind, double amplitude, double start, double duration, double f)
{
    return (struct carom_signal){.shape = kind,
                                 .amplitude = amplitude,
                                 .start = start,
                                 .duration = duration,
                                 .frequency = f,
                                 .frequency_end = 3.0 * f};
}

static void push(struct rig *rig, size_t bead, struct carom_signal force)
{
    rig->load[rig->nloads++] = (struct carom_load){bead, force};
}

static void drive(struct rig *rig, int32_t which, struct carom_signal place)
{
    rig->drive[rig->ndrives++] = (struct carom_drive){which, place, 0.0};
}

/* `press`: precompression, negative: none; `until` */
static struct rig scene(int which, double *press, double *until)
{
    struct rig rig = base(10, which % 2 == 0, true, which % 3 == 0 ? 0.1 : 0.0);
    *press = -1.0;
    *until = 20.0;
    switch (which) {
    case 0: /* half-sine at rest */
        push(&rig, 0, shape(CAROM_SHAPE_HALF_SINE, 0.5, 1.0, 2.0, 0.0));
        break;
    case 1: /* a push that stays */
        push(&rig, 0, shape(CAROM_SHAPE_STEP, 0.2, 2.0, 0.0, 0.0));
        break;
    case 2: /* column that settles */
        rig.gravity = -0.05;
        rig.right_wall = false;
        break;
    case 3: /* the same, damped, with the bottom shaken */
        rig.gravity = -0.05;
        rig.left_wall = true;
        rig.right_wall = false;
        drive(&rig, CAROM_WALL_LEFT, shape(CAROM_SHAPE_SINE, 0.1, 0.0, 0.0, 0.3));
        break;
    case 4: /* pulse into a pressed chain */
        *press = 0.5;
        push(&rig, 4, shape(CAROM_SHAPE_HALF_SINE, 0.1, 1.0, 3.0, 0.0));
        break;
    case 5: /* driven end, contacts lost */
        drive(&rig, 0, shape(CAROM_SHAPE_SINE, 0.2, 0.5, 0.0, 0.15));
        break;
    case 6: /* small waves on a pressed chain */
        *press = 1.0;
        push(&rig, 0, shape(CAROM_SHAPE_RICKER, 1e-4, 4.0, 0.0, 0.2));
        break;
    case 7: /* ramp by a wall */
        drive(&rig, CAROM_WALL_RIGHT, shape(CAROM_SHAPE_RAMP, -1.0, 1.0, 10.0, 0.0));
        break;
    case 8: /* chirp on a pressed chain */
        *press = 0.3;
        push(&rig, 0, shape(CAROM_SHAPE_CHIRP, 0.1, 0.0, 15.0, 0.05));
        break;
    case 9: /* cradle on strings, large angles, local damping */
        rig = base(5, false, false, 0.02);
        rig.large = true;
        for (size_t i = 0; i < rig.n; i++) {
            rig.string[i] = 2.0;
            rig.damper[i] = 0.02;
        }
        rig.v[0] = 0.7;
        break;
    case 10: /* dropped on the floor */
        rig = base(3, true, false, 0.1);
        rig.gravity = -0.1;
        rig.gap[0] = 0.4;
        break;
    case 11: /* strong local damping, push in the middle */
        for (size_t i = 0; i < rig.n; i++)
            rig.damper[i] = 1.0;
        push(&rig, 5, shape(CAROM_SHAPE_STEP, -0.3, 1.0, 4.0, 0.0));
        break;
    case 12: /* column at rest under its weight, struck from below */
        rig = base(12, true, false, 0.05);
        rig.gravity = -0.02;
        *press = 0.0;
        drive(&rig, CAROM_WALL_LEFT, shape(CAROM_SHAPE_HALF_SINE, 0.2, 2.0, 1.5, 0.0));
        break;
    default: /* impurity in a pressed chain */
        rig.mass[5] = 0.1;
        *press = 0.2;
        push(&rig, 0, shape(CAROM_SHAPE_HALF_SINE, 0.3, 0.5, 2.0, 0.0));
        break;
    }
    return rig;
}

/* records of a run at tol: displacements and velocities at LOOKS times */
static void record(const struct rig *rig, double press, double until, double tol, double (*out)[2 * RIG_BEADS],
                   struct carom_scales *scales, double *estimate)
{
    static const char *const probes[] = {"u", "v"};
    struct carom_model *model = rig_model(rig);
    double q[RIG_BEADS], times[LOOKS];
    memcpy(q, rig->q, sizeof q);
    if (press >= 0.0)
        CHECK_STATUS(carom_static_press(model, 0, rig->n, press, q, NULL), CAROM_OK);
    for (int i = 0; i < LOOKS; i++)
        times[i] = until * (i + 0.7) / LOOKS;
    const struct carom_schedule schedule = {.times = times, .ntimes = LOOKS};
    void *options = carom_options_create(&carom_scheme_dp5.kind);
    CHECK_STATUS(carom_options_set(&carom_scheme_dp5.kind, options, "tol", tol, NULL), CAROM_OK);
    struct carom_recorder *recorder = carom_recorder_create(model, probes, 2, &schedule, NULL);
    struct carom_memory *memory = carom_sink_memory_new();
    CHECK_OR_STOP(recorder != NULL && memory != NULL);
    CHECK_STATUS(carom_recorder_attach(recorder, &carom_sink_memory, memory, NULL), CAROM_OK);
    const struct carom_setup setup = {.model = model,
                                      .scheme = &carom_scheme_dp5,
                                      .options = options,
                                      .q = q,
                                      .v = rig->v,
                                      .until = until,
                                      .threads = 1,
                                      .recorder = recorder};
    struct carom_sim *sim = carom_sim_create(&setup, NULL);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK);
    CHECK_OR_STOP(memory->nrows == LOOKS);
    const size_t u = carom_sink_memory_column(memory, "u", 0), v = carom_sink_memory_column(memory, "v", 0);
    for (size_t i = 0; i < LOOKS; i++) {
        memcpy(out[i], memory->value + i * memory->width + u, rig->n * sizeof(double));
        memcpy(out[i] + rig->n, memory->value + i * memory->width + v, rig->n * sizeof(double));
    }
    *scales = sim->scales;
    *estimate = sim->estimate;
    carom_sim_free(sim);
}

static double distance(const struct rig *rig, double (*a)[2 * RIG_BEADS], double (*b)[2 * RIG_BEADS],
                       const struct carom_scales *scales)
{
    double worst = 0.0;
    for (size_t i = 0; i < LOOKS; i++)
        for (size_t k = 0; k < 2 * rig->n; k++)
            worst = fmax(worst, fabs(a[i][k] - b[i][k]) / (k < rig->n ? scales->length : scales->speed));
    return worst;
}

/* V and U are of the size of what happens, not of what is held: largest speed and displacement seen over them */
static void check_scales(const struct rig *rig, double (*a)[2 * RIG_BEADS], const struct carom_scales *scales)
{
    double fastest = 0.0;
    for (size_t i = 0; i < LOOKS; i++)
        for (size_t k = rig->n; k < 2 * rig->n; k++)
            fastest = fmax(fastest, fabs(a[i][k]));
    printf("  V %.3g seen %.3g", scales->speed, fastest);
    CHECK(scales->speed > 0.1 * fastest && scales->speed < 20.0 * fastest);
    CHECK(scales->length > 0.0 && scales->length < HUGE_VAL);
}

/* where all stays closed, a fine classical Runge-Kutta solution from the same start, to the first look */
static void check_reference(void)
{
    static double exact[LOOKS][2 * RIG_BEADS];
    double press, until, estimate, q[RIG_BEADS];
    struct carom_scales scales;
    struct rig rig = scene(6, &press, &until);
    record(&rig, press, until, 1e-9, exact, &scales, &estimate);
    struct carom_model *model = rig_model(&rig);
    CHECK_STATUS(carom_static_press(model, 0, rig.n, press, q, NULL), CAROM_OK);
    const struct carom_beads *beads = model->member[0].own;
    for (size_t k = 0; k < beads->ndrives; k++)
        rig.gap[rig.n] += beads->drive[k].offset; /* the wall that was moved in */
    long double x[RIG_BEADS], v[RIG_BEADS];
    for (size_t i = 0; i < rig.n; i++) {
        x[i] = rig_wide(q[i]);
        v[i] = 0.0L;
    }
    rig_solve(&rig, 0.0, until * 0.7 / LOOKS + until * 29.0 / LOOKS, 8000, x, v);
    double worst = 0.0;
    for (size_t i = 0; i < rig.n; i++)
        worst = fmax(worst, fmax(fabs((double)(rig_wide(exact[29][i]) - x[i])) / scales.length,
                                 fabs((double)(rig_wide(exact[29][rig.n + i]) - v[i])) / scales.speed));
    printf("pressed chain, tol 1e-9: %.1e of the scales from an independent solution\n", worst);
    CHECK(worst <= 1e-8);
    carom_model_free(model);
}

int main(void)
{
    static double exact[LOOKS][2 * RIG_BEADS], found[LOOKS][2 * RIG_BEADS];
    for (int which = 0; which < SCENES; which++) {
        double press, until, estimate;
        struct carom_scales scales;
        const struct rig rig = scene(which, &press, &until);
        record(&rig, press, until, 1e-12, exact, &scales, &estimate);
        printf("scene %2d:", which);
        check_scales(&rig, exact, &scales);
        for (int i = 0; i < 3; i++) {
            const double tol = pow(10.0, -3.0 * (i + 1));
            record(&rig, press, until, tol, found, &scales, &estimate);
            const double error = distance(&rig, exact, found, &scales);
            printf("  tol %.0e: error/tol %.2f (estimate %.2f)", tol, error / tol, estimate / tol);
            CHECK(error <= 10.0 * tol);
        }
        printf("\n");
    }
    check_reference();
    CHECK_MAIN_END;
}
