/* What `check` says of implicit schemes in plane and space: which damping they imitate, how it stands to the step, how
 * far they are from Kuwabara and Kono's law, and where they may fail; and what `run` says of momenta that nothing from
 * outside has changed. */
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "cli.h"

/* Hertz' contact of reduced mass mu and stiffness k at speed v takes 3.218 (mu/k)^(2/5) v^(-1/5) */
#define HERTZ_TIME 3.218

/* steps in contact times beyond which all but energy-momentum were seen to create energy */
#define CREATES 0.4

/* least and largest gamma of the pairings */
static void find_gamma(const struct carom_bodies *b, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = 0.0;
    for (size_t p = 0; p < b->npairings; p++) {
        const double gamma = carom_bodies_viscous_time(&b->pairing[p]).param;
        *low = fmin(*low, gamma);
        *high = fmax(*high, gamma);
    }
}

static double least_distance(const struct carom_bodies *b)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < b->n; i++)
        if (b->body[i].surface == CAROM_BALL && !b->body[i].inside)
            least = fmin(least, 2.0 * b->body[i].radius);
    return least;
}

static void print_range(const char *name, double low, double high)
{
    printf("%s ", name);
    cli_range(low, high, 4);
}

static void print_imitated(const struct carom_scene *scene, bool theta, bool irk, double low, double high, double step)
{
    const char *unit = scene->si ? " s" : "";
    print_range("damping    gamma", low, high);
    printf("%s,", unit);
    print_range(" gamma/step", low / step, high / step);
    if (theta)
        print_range(", theta = 1/2 + gamma/(2 step) =", 0.5 + 0.5 * low / step, 0.5 + 0.5 * high / step);
    if (irk)
        print_range(", C11 = gamma/(2 step) =", 0.5 * low / step, 0.5 * high / step);
    printf("%s\n", theta || irk ? ": imitated by numerical dissipation" : "");
}

static void print_softness(const struct carom_scene *scene, const struct carom_bodies *b, bool paper)
{
    const double eps = scene->scales.contact_time * scene->scales.speed / (HERTZ_TIME * least_distance(b));
    printf("           eps = (mu/k)^(2/5) V^(4/5)/L = %.2g: %s\n", eps,
           paper ? "an oblique pair loses too little by the share 1.16 eps (v_t/v_n)^2 of the law's loss"
                 : "what overlaps are to distances");
}

void cli_check_crystal(const struct carom_scene *scene)
{
    const struct carom_bodies *b = carom_model_bodies(scene->model);
    const char *name = scene->scheme->kind.name;
    const bool em = strcmp(name, "energy-momentum") == 0, theta = strcmp(name, "theta") == 0,
               irk = strcmp(name, "irk") == 0, paper = cli_option_of(scene, "form") > 0.0;
    const double step = cli_option_of(scene, "step"), time = scene->scales.contact_time;
    double low, high;
    if (!b || !(em || theta || irk || strcmp(name, "cn-reg") == 0 || strcmp(name, "gl-reg") == 0) || !(step > 0.0))
        return;
    find_gamma(b, &low, &high);
    if (high > 0.0)
        print_imitated(scene, theta, irk, low, high, step);
    if (time > 0.0)
        print_softness(scene, b, paper);
    if ((theta || irk) && high > step)
        printf("warning    gamma is larger than the step: the error levels off at O(gamma^2); energy-momentum and "
               "gl-reg go on\n");
    if (paper)
        printf("warning    form: paper damps the turning of normals too; angular momentum is not kept\n");
    if (!em && step > CREATES * time && time > 0.0)
        printf("warning    the step is longer than %g contact times: %s may create energy; energy-momentum does not\n",
               CREATES, name);
}

/* --- after a run ------------------------------------------------------------------------------------------------- */

static void momenta(const struct carom_bodies *b, const double *q, const double *v, double p[3], double l[3],
                    double size[2])
{
    const size_t nv = carom_bodies_nv(b);
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    size[0] = size[1] = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        double x[3], of[3] = {0.0, 0.0, 0.0};
        carom_bodies_centre(b, i, q, x);
        for (size_t k = 0; k < b->dimension; k++)
            of[k] = b->body[i].mass * v[i * nv + k];
        for (int k = 0; k < 3; k++) {
            const double turn = x[(k + 1) % 3] * of[(k + 2) % 3] - x[(k + 2) % 3] * of[(k + 1) % 3];
            p[k] += of[k];
            l[k] += turn;
            size[0] += fabs(of[k]);
            size[1] += fabs(turn);
        }
        for (size_t k = b->dimension; k < nv; k++)
            l[b->dimension == 2 ? 2 : k - 3] += b->body[i].inertia * v[i * nv + k];
    }
}

/* is there nothing but the bodies themselves? */
static bool is_alone(const struct carom_bodies *b)
{
    bool alone = b->nloads == 0 && b->nleads == 0;
    for (int k = 0; k < 3; k++)
        alone &= b->gravity[k] == 0.0 && !b->periodic[k];
    for (size_t i = 0; i < b->n; i++)
        alone &= !b->body[i].fixed && b->body[i].surface == CAROM_BALL;
    return alone;
}

void cli_summary_momenta(const struct carom_sim *sim, const struct carom_scene *scene)
{
    const struct carom_bodies *b = carom_model_bodies(sim->model);
    double p[2][3], l[2][3], size[2], least[2], change[2] = {0.0, 0.0};
    if (!b || !is_alone(b) || sim->stepper->counts.iterations == 0)
        return;
    momenta(b, scene->q, scene->v, p[0], l[0], least);
    momenta(b, sim->view->q, sim->view->v, p[1], l[1], size);
    for (int k = 0; k < 3; k++) {
        change[0] += fabs(p[1][k] - p[0][k]);
        change[1] += fabs(l[1][k] - l[0][k]);
    }
    for (int k = 0; k < 2; k++) /* nobody turns at all: nothing to compare with */
        change[k] /= change[k] > 0.0 ? fmax(size[k], least[k]) : 1.0;
    printf("momentum   changed by %.1e of what bodies have, angular momentum by %.1e\n", change[0], change[1]);
}
