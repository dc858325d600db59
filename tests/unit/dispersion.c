/* Normal modes and dispersion curves against closed forms: chains of one and of two kinds of beads between walls and
 * free, local springs, precompressed Hertz contacts; group velocities against differences. */
#include "study/dispersion.h"
#include "check.h"

static const double pi = 3.14159265358979323846;

static struct carom_scene *parse(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    if (scene == NULL) {
        fprintf(stderr, "%s\n%s\n", error.text, text);
        exit(1);
    }
    return scene;
}

static struct carom_dispersion *find(const char *text, size_t period, bool shapes)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = parse(text);
    struct carom_dispersion *d = carom_dispersion_find(scene, period, shapes, &error);
    carom_scene_free(scene);
    if (d == NULL) {
        fprintf(stderr, "%s\n%s\n", error.text, text);
        exit(1);
    }
    return d;
}

/* fixed ends: omega_k = 2 sqrt(k/m) sin(k pi / 2 (n + 1)); shapes sin(k i pi / (n + 1)) */
static void test_fixed(void)
{
    struct carom_dispersion *d =
        find("units: none\nbodies: [{wall: {side: left}}, {chain: {count: 30, mass: 2}}, {wall: {side: right}}]\n"
             "contacts: {law: power, p: 1, k: 3}\nrun: {until: 1}\n",
             0, true);
    CHECK(d->n == 30 && d->period == 1 && d->closed == 31);
    for (size_t k = 1; k <= 30; k++) {
        const double angle = (double)k * pi / 31.0;
        CHECK_NEAR(d->omega[k - 1], 2.0 * sqrt(3.0 / 2.0) * sin(angle / 2.0), 1e-13);
        double largest = 0.0;
        for (size_t i = 1; i <= 30; i++)
            largest = fmax(largest, fabs(sin(angle * (double)i)));
        for (size_t i = 1; i <= 30; i++)
            CHECK_NEAR(fabs(d->shape[(i - 1) * 30 + k - 1]), fabs(sin(angle * (double)i)) / largest, 1e-10);
    }
    CHECK_NEAR(d->sound, sqrt(3.0 / 2.0), 1e-14); /* beads without size are one apart */
    CHECK_NEAR(d->low[0], 0.0, 0.0);
    CHECK_NEAR(d->high[0], 2.0 * sqrt(3.0 / 2.0), 1e-14);
    carom_dispersion_free(d);
}

/* free ends: the rigid motion has frequency 0, the others 2 sqrt(k/m) sin(k pi / 2 n) */
static void test_free(void)
{
    struct carom_dispersion *d =
        find("units: none\nbodies: [{chain: {count: 16}}]\ncontacts: {law: power, p: 1, k: 1}\n"
             "run: {until: 1}\n",
             0, false);
    for (size_t k = 0; k < 16; k++)
        CHECK_NEAR(d->omega[k], 2.0 * sin((double)k * pi / 32.0), 1e-13);
    CHECK(d->omega[0] == 0.0 && d->shape == NULL);
    carom_dispersion_free(d);
}

/* two masses: omega^2 = s (1/m + 1/M) -+ s sqrt((1/m + 1/M)^2 - 4 sin^2(phase/2) / (m M)) */
static void test_dimer(void)
{
    const double m = 1.0, M = 3.0, force = 0.02, s = 1.5 * pow(2.0, 2.0 / 3.0) * pow(force, 1.0 / 3.0),
                 sum = 1.0 / m + 1.0 / M;
    struct carom_dispersion *d =
        find("units: none\nprecompression: 0.02\nbodies: [{wall: {side: left}},\n"
             "  {chain: {count: 20, radius: 0.5, pattern: [{mass: 1}, {mass: 3}]}}]\ncontacts: {law: hertz, k: 2}\n"
             "run: {until: 1}\n",
             0, false);
    double omega[2], group[2], up[2], down[2];
    struct carom_error error;
    CHECK(d->period == 2 && d->length == 2.0);
    for (int i = 0; i <= 20; i++) {
        const double phase = pi * i / 20.0, half = sin(phase / 2.0), h = 1e-4;
        CHECK(carom_dispersion_branches(d, phase, omega, group, &error) == CAROM_OK);
        const double root = s * sqrt(sum * sum - 4.0 * half * half / (m * M));
        CHECK_NEAR(omega[0] * omega[0], s * sum - root, 1e-12);
        CHECK_NEAR(omega[1] * omega[1], s * sum + root, 1e-12);
        CHECK(carom_dispersion_branches(d, phase + h, up, NULL, &error) == CAROM_OK &&
              carom_dispersion_branches(d, phase - h, down, NULL, &error) == CAROM_OK);
        for (size_t b = 0; b < 2 && i > 0; b++) /* at phase 0 the first branch has a corner */
            CHECK_NEAR(group[b], 2.0 * (up[b] - down[b]) / (2.0 * h), 1e-6);
    }
    CHECK_NEAR(d->high[0], sqrt(2.0 * s / M), 1e-12);
    CHECK_NEAR(d->low[1], sqrt(2.0 * s / m), 1e-12);
    CHECK_NEAR(d->high[1], sqrt(2.0 * s * sum), 1e-12);
    CHECK_NEAR(d->sound, 2.0 / sqrt((m + M) * 2.0 / s), 1e-12);
    carom_dispersion_branches(d, 0.0, omega, group, &error);
    CHECK_NEAR(group[0], d->sound, 0.0);
    carom_dispersion_free(d);
}

/* a larger cell folds the same curve: three beads called a cell have the same union of frequencies */
static void test_folded(void)
{
    const char *text =
        "units: none\nbodies: [{chain: {count: 12}}]\ncontacts: {law: power, p: 1, k: 1}\nrun: {until: 1}\n";
    struct carom_dispersion *d = find(text, 3, false);
    struct carom_error error;
    double omega[3];
    CHECK(d->period == 3);
    for (int i = 0; i <= 10; i++) {
        const double phase = pi * i / 10.0;
        const double each[3] = {phase / 3.0, (2.0 * pi - phase) / 3.0, (2.0 * pi + phase) / 3.0};
        CHECK(carom_dispersion_branches(d, phase, omega, NULL, &error) == CAROM_OK);
        for (size_t b = 0; b < 3; b++)
            CHECK_NEAR(omega[b], 2.0 * sin(each[b] / 2.0), 1e-13);
    }
    carom_dispersion_free(d);
}

/* local springs: omega^2 = s_local/m + 4 k/m sin^2(phase/2), no sound */
static void test_local(void)
{
    struct carom_dispersion *d = find("units: none\nbodies: [{chain: {count: 9, mass: 2, spring: 0.5}}]\n"
                                      "contacts: {law: power, p: 1, k: 1}\nrun: {until: 1}\n",
                                      0, false);
    struct carom_error error;
    double omega[1], group[1];
    CHECK(carom_dispersion_branches(d, 1.0, omega, group, &error) == CAROM_OK);
    CHECK_NEAR(omega[0] * omega[0], 0.25 + 2.0 * sin(0.5) * sin(0.5), 1e-13);
    CHECK_NEAR(group[0], sin(1.0) * 0.5 / omega[0], 1e-13);
    CHECK(d->sound == 0.0);
    CHECK_NEAR(d->low[0], 0.5, 1e-14);
    carom_dispersion_free(d);
}

/* an impurity that is light has a mode above the band: omega^2 = (4 k / m) / (2 m'/m - (m'/m)^2), m' its mass */
static void test_impurity(void)
{
    struct carom_dispersion *d =
        find("units: none\nbodies: [{wall: {side: left}}, {chain: {count: 101, impurity: {at: 51, mass: 0.5}}},\n"
             "  {wall: {side: right}}]\ncontacts: {law: power, p: 1, k: 1}\nrun: {until: 1}\n",
             0, false);
    CHECK(d->period == 0);
    CHECK_NEAR(d->omega[100] * d->omega[100], 4.0 / (2.0 * 0.5 - 0.25), 1e-12);
    CHECK(d->omega[99] < 2.0);
    carom_dispersion_free(d);
}

static void refuse(const char *text, const char *said)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = parse(text);
    struct carom_dispersion *d = carom_dispersion_find(scene, 0, false, &error);
    CHECK(d == NULL && strstr(error.text, said) != NULL);
    carom_dispersion_free(d);
    carom_scene_free(scene);
}

int main(void)
{
    test_fixed();
    test_free();
    test_dimer();
    test_folded();
    test_local();
    test_impurity();
    refuse("units: none\nbodies: [{chain: {count: 9}}]\nrun: {until: 1}\n", "sonic vacuum");
    refuse("units: none\nbodies: [{chain: {count: 9, gap: 1}}]\ncontacts: {law: power, p: 1}\nrun: {until: 1}\n",
           "sonic vacuum");
    return check_end();
}
