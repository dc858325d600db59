/* What `carom check` says of the scheme: how a fixed step compares with the shortest contact, which step would do, what
 * tailored schemes cannot reach, what a tableau of the user's own is worth, and roughly what a run costs. The
 * constants were measured on five beads in a row, one striking, gamma between 0.0004 and 2 contact times: they tell an
 * order of magnitude, in units of the scales. */
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/law.h"
#include "cli.h"
#include "model/scales.h"
#include "scheme/tableau.h"

/* error = factor (step / contact time)^order; ns per bead and step */
static const struct grade {
    const char *name;
    int order;
    double factor, nanoseconds;
} grades[] = {
    {"verlet", 2, 1.9, 5.0},   {"theta", 2, 4.0, 20.0},           {"irk", 3, 0.25, 50.0},
    {"cn", 2, 4.0, 70.0},      {"cn-reg", 2, 4.0, 65.0},          {"gl", 3, 0.25, 90.0},
    {"gl-reg", 3, 0.25, 65.0}, {"energy-momentum", 2, 4.0, 85.0}, {"dp5", 5, 0.0, 50.0},
};

#define FLOWS 100   /* discs or spheres that may be a flow */
#define SHORTER 8.0 /* steps of cradles on strings than those of one impact */
#define MANY 2000   /* beyond which a step is the usual way (scene/run/bind_run.c) */

enum { GRADES = sizeof grades / sizeof *grades };

/* ns per cell and step of scheme rattle (carom bench --only solid) */
#define SPACE_CELL 80.0
#define PLANE_CELL 25.0

/* ns per disc or sphere and fixed step, measured on the scenes of scenes/space and crystals: verlet 170 to 430,
 * implicit schemes about 6000. Steps of rigid bodies cost from 1000, where all sleep, to more than 1e6, where blocks
 * and polyhedra lie on each other, those of dp5 with its pilots from 20000 to 2e5: no number stands for them. */
static const struct {
    const char *name;
    double nanoseconds;
} body_grades[] = {{"verlet", 300.0},  {"theta", 6000.0},  {"irk", 6000.0},
                   {"cn-reg", 6000.0}, {"gl-reg", 6000.0}, {"energy-momentum", 6000.0}};

static double body_nanoseconds(const struct carom_scene *scene)
{
    for (size_t i = 0; i < sizeof body_grades / sizeof *body_grades; i++)
        if (strcmp(body_grades[i].name, scene->scheme->kind.name) == 0)
            return body_grades[i].nanoseconds;
    return 0.0;
}

static const struct grade *grade_of(const struct carom_scene *scene)
{
    for (size_t i = 0; i < GRADES; i++)
        if (strcmp(grades[i].name, scene->scheme->kind.name) == 0)
            return &grades[i];
    return NULL;
}

double cli_option_of(const struct carom_scene *scene, const char *name)
{
    const struct carom_param *param = carom_param_find(scene->scheme->kind.params, name);
    return param ? carom_param_value(param, scene->options) : 0.0;
}

static double largest_gamma(const struct carom_model *model)
{
    double largest = 0.0;
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        for (size_t j = 0; group->law->viscous_time && j < group->count; j++)
            largest = fmax(largest, group->law->viscous_time((const double *const *)group->param, j));
    }
    return largest;
}

static double error_of(const struct grade *grade, double part)
{
    return grade->factor * pow(part, grade->order);
}

/* the step that goes with an error */
static double step_for(const struct grade *grade, double error)
{
    return pow(error / grade->factor, 1.0 / grade->order);
}

/* What is left of the error of a tailored scheme at a fixed gamma. theta imitates all of it; irk what its tableau
 * takes, which from `*until` on falls with the step. */
static double floor_of(const struct carom_scene *scene, double step, double *until)
{
    const double time = scene->scales.contact_time, share = largest_gamma(scene->model) / time;
    *until = 0.0;
    if (scene->scheme == &carom_scheme_theta)
        return 4.0 * share * share / (1.0 + 15.0 * share);
    if (scene->scheme != &carom_scheme_irk || !(share > 0.0))
        return 0.0;
    const double imitated = 2.0 * carom_tableau_c11(share, step / time, 1.0) * step / time;
    *until = cli_option_of(scene, "adapt") > 0.0 ? HUGE_VAL /* the tableau is that of the longest step */
                                                 : 0.5 * fmin(share, 0.2) / carom_tableau_c11(share, 0.0, 1.0) * time;
    return 1.3 * imitated * imitated;
}

static void print_floor(const struct carom_scene *scene, double floor, double until)
{
    printf("warning    %s %s near %.1g at this gamma, ", scene->scheme->kind.name, until > 0.0 ? "stays" : "levels off",
           floor);
    if (until > 0.0)
        printf("down to a step of %.2g%s, because its dissipation is\n", until, scene->si ? " s" : "");
    else
        printf("however small the step, because its dissipation is\n");
    printf("           tailored for gamma = O(step); cn-reg, gl-reg and dp5 (tol) go on from there\n");
}

static void print_step(const struct carom_scene *scene, const struct grade *grade, double step)
{
    if (carom_solid_of(scene->model, NULL))
        return; /* its limit stands with the body */
    if (carom_model_bodies(scene->model))
        grade = NULL; /* measured on rows */
    const double time = scene->scales.contact_time, part = step / time;
    const char *unit = scene->si ? " s" : "";
    printf("step       %s%g%s, contact time / %.3g", cli_option_of(scene, "adapt") > 0.0 ? "at most " : "", step, unit,
           time / step);
    double until = 0.0;
    const double floor = grade ? floor_of(scene, step, &until) : 0.0;
    if (grade && part < 0.5)
        printf(": error of a few beads about %.1g (of U and V)", fmax(error_of(grade, part), floor));
    if (grade)
        printf("\n           about %.2g%s for an error of 1e-2, %.2g%s for 1e-3", time * step_for(grade, 1e-2), unit,
               time * step_for(grade, 1e-3), unit);
    printf("\n");
    if (carom_model_bodies(scene->model) && carom_model_bodies(scene->model)->n > MANY &&
        scene->scheme == &carom_scheme_verlet)
        printf(
            "           with this many bodies a step is the usual way; tol instead keeps a tolerance (dp5), for less\n"
            "           where few of them move, as in a struck crystal, and for far more where all do\n");
    if (part > 1.0 / 3.0 && !(cli_option_of(scene, "adapt") > 0.0))
        printf(
            "warning    the step is longer than a third of the shortest contact (%.3g%s): impacts are not resolved\n",
            time, unit);
    if (grade && floor > error_of(grade, part) && step > until)
        print_floor(scene, floor, until);
}

/* rigid contacts take no time: what a step must see is how far bodies get */
#define FAR 0.25

static void print_rigid_step(const struct carom_scene *scene, double step)
{
    const double part = step * scene->scales.speed / scene->scales.length;
    const char *unit = scene->si ? " s" : "";
    if (!*scene->step_at && step >= 0.999e-4 * scene->until)
        printf("step       %g%s, none is given: until / 10000, in which a body of speed V goes %.2g U; give one, "
               "and runs of all lengths agree\n",
               step, unit, part);
    else if (!*scene->step_at)
        printf("step       %g%s, none is given: a body of speed V goes U / %.3g in it, however long the run\n", step,
               unit, 1.0 / part);
    if (part > FAR)
        printf("warning    in a step of %g%s bodies go %.2g U at V, past gaps and each other: at most %.2g%s sees them "
               "meet\n",
               step, unit, part, FAR * step / part, unit);
}

void cli_check_step(const struct carom_scene *scene)
{
    const double step = cli_option_of(scene, "step");
    if (step > 0.0 && !(cli_option_of(scene, "tol") > 0.0) && scene->scales.contact_time > 0.0)
        print_step(scene, grade_of(scene), step);
    else if (step > 0.0 && scene->model->offers & CAROM_RIGID && scene->scales.length > 0.0)
        print_rigid_step(scene, step);
}

/* a sum of powers of z, for a person */
static void print_polynomial(const double *of)
{
    printf("(%.6g", of[0]);
    for (int i = 1; i < 3; i++)
        if (of[i] != 0.0)
            printf(" %c %.6g z%s", of[i] < 0.0 ? '-' : '+', fabs(of[i]), i == 2 ? "^2" : "");
    printf(")");
}

/* what rounding leaves of nothing is nothing */
static double clean(double value)
{
    return fabs(value) < 1e-14 ? 0.0 : value;
}

void cli_check_tableau(const struct carom_scene *scene)
{
    if (scene->scheme != &carom_scheme_rk2)
        return;
    const struct carom_tableau tableau = {cli_option_of(scene, "b1"), cli_option_of(scene, "a11"),
                                          cli_option_of(scene, "a12"), cli_option_of(scene, "a21"),
                                          cli_option_of(scene, "a22")};
    struct carom_tableau_report r;
    carom_tableau_report(&tableau, &r);
    printf("tableau    nodes c1 = %.10g, c2 = %.10g; order %d as it stands\n", r.c1, r.c2, r.order);
    printf("           C11 = %.10g, C21 = %.10g, C22 = %.10g\n", clean(r.c11), clean(r.c21), clean(r.c22));
    printf("           imitates gamma = 2 C11 step = %g%s, to order %d\n",
           2.0 * clean(r.c11) * cli_option_of(scene, "step"), scene->si ? " s" : "", r.tailored_order);
    printf(
        "           order conditions (59): C22 - 2 C11 - C11^2 = %.3g, C21 - C11 + C11^2 = %.3g (third order: 0, 0)\n",
        clean(r.third1), clean(r.third2));
    printf("           stability function R(z) = ");
    print_polynomial(r.over);
    printf(" / ");
    print_polynomial(r.under);
    printf(", |R| at infinity %.6g\n           %s\n", r.far, r.a_stable ? "A-stable" : "not A-stable");
}

/* 4813 -> 4800: an estimate has no more */
static double two_digits(double x)
{
    const double size = pow(10.0, floor(log10(x)) - 1.0);
    return size * rint(x / size);
}

/* how long that is, for a person */
static void print_time(double seconds)
{
    if (seconds < 100.0)
        printf("%.2g s", seconds);
    else if (seconds < 6000.0)
        printf("%.2g min", seconds / 60.0);
    else
        printf("%.2g h", seconds / 3600.0);
}

/* a solid under rattle: cells and steps; tol takes two flights more, at a step it finds for itself */
static void print_cells(const struct carom_scene *scene, const struct carom_solid *solid)
{
    const double step = cli_option_of(scene, "step"), tol = cli_option_of(scene, "tol"),
                 steps = cli_steps(scene->until, step);
    size_t cells = 0;
    double each = solid->dimension == 3 ? SPACE_CELL : PLANE_CELL;
    for (size_t i = 0; i < carom_solid_count(scene->model); i++)
        cells += carom_solid_at(scene->model, i)->n;
    if (solid->breaks) /* every link is asked; what that costs is told in docs/solids.md */
        each *= solid->dimension == 3 ? 3.0 : 6.0;
    const double seconds = steps * (double)cells * 1e-9 * each;
    printf("cost       %s%.6g steps of %zu cell%s%s\n", tol > 0.0 ? "at least " : "", steps, cells, cli_s(cells),
           tol > 0.0 ? ", more where tol asks for it (the run finds out first)" : "");
    if (seconds < 1.0)
        return;
    printf("           %s ", solid->breaks ? "at least" : "about");
    print_time(seconds);
    printf(" on one thread%s\n",
           solid->breaks ? ", and up to tens of times that where much breaks and pieces meet" : "");
}

/* how long a run of discs, spheres or blocks takes, and what would be faster */
static void print_bodies(const struct carom_scene *scene, const struct carom_bodies *bodies, double steps, bool fixed)
{
    const double seconds = 1e-9 * body_nanoseconds(scene) * steps * (double)bodies->n;
    if (seconds >= 1.0) {
        printf("           about ");
        print_time(seconds);
        printf(" on one thread\n");
    }
    if (!fixed && bodies->n > FLOWS)
        printf("           a tolerance is slow where many bodies flow: about ten pilot runs go before the run itself; "
               "scheme: verlet is fast, but states no error\n");
}

/* Half a swing of beads on strings or springs, between whose collisions they fly; 0: there are none, or contacts act
 * longer. */
static double half_swing(const struct carom_scene *scene)
{
    const struct carom_beads *beads = carom_model_chain(scene->model);
    const double fastest = carom_scales_swing(scene->model); /* strings at small angles are springs */
    const double half = fastest > 0.0 ? 3.14159265358979323846 / fastest : 0.0;
    return beads && half > 10.0 * (double)beads->n * scene->scales.contact_time ? half : 0.0;
}

/* The steps of tol. Measured on impacts of a few beads; on strings every contact acts once in half a swing, and steps
 * are as short as errors that all later collisions magnify ask for. */
static double steps_of_tol(const struct carom_scene *scene, double tol)
{
    const double half = half_swing(scene), in_contact = 1.0 / (0.65 * pow(tol, 0.2));
    if (half > 0.0)
        return ceil(scene->until / half) * (double)scene->model->nc * SHORTER * in_contact;
    return scene->until / scene->scales.contact_time * in_contact;
}

double cli_steps(double until, double step)
{
    return ceil(until / step * (1.0 - 1e-12));
}

/* walls and bodies that are led cost next to nothing */
static size_t count_bodies(const struct carom_bodies *bodies)
{
    size_t count = 0;
    for (size_t i = 0; i < bodies->n; i++)
        count += bodies->body[i].fixed ? 0 : 1;
    return count;
}

void cli_check_cost(const struct carom_scene *scene)
{
    const double step = cli_option_of(scene, "step"), tol = cli_option_of(scene, "tol");
    const struct grade *grade = grade_of(scene);
    const struct carom_solid *solid = carom_solid_of(scene->model, NULL);
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    const bool fixed = step > 0.0 && !(tol > 0.0);
    double steps = 0.0;
    if (solid && scene->scheme == &carom_scheme_rattle && step > 0.0) {
        print_cells(scene, solid);
        return;
    }
    if (fixed)
        steps = cli_steps(scene->until, step);
    else if (tol > 0.0 && scene->scales.contact_time > 0.0)
        steps = steps_of_tol(scene, tol);
    if (!(steps > 0.0)) {
        if (scene->scheme->tells)
            printf("cost       not known before the run: its steps go from one impact to the next\n");
        return;
    }
    const bool exact = fixed && !(cli_option_of(scene, "adapt") > 0.0);
    steps = fmax(steps, 1.0);
    printf(exact ? "cost       %.6g" : "cost       of the order of %g", exact ? steps : two_digits(steps));
    const size_t count = solid ? solid->n : bodies ? count_bodies(bodies) : scene->model->nv;
    printf(" step%s of %zu %s%s\n", steps > 1.0 ? "s" : "", count,
           solid        ? "cells"
           : count == 1 ? "body"
                        : "bodies",
           fixed                     ? ""
           : half_swing(scene) > 0.0 ? ": those of a collision in every half swing"
                                     : ": as if contacts acted all the time, far fewer where bodies fly; more where "
                                       "errors grow");
    if (bodies)
        print_bodies(scene, bodies, steps, fixed);
    if (!grade || bodies)
        return;
    const double work = steps * (double)scene->model->nv * (fixed ? 1.0 : 3.0 * 6.0); /* pilots, stages */
    const double seconds = 1e-9 * grade->nanoseconds * work;
    if (seconds < 1.0)
        return;
    printf("           %s", fixed ? "about " : "of the order of ");
    print_time(seconds);
    printf(" on one thread if all bodies move%s\n",
           strcmp(grade->name, "dp5") == 0 ? "; those that no wave has reached cost nothing" : "");
}
