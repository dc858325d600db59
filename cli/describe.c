/* What a run is about to do, in words: bodies, contacts, scheme, impact law. */
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "cli.h"
#include "model/bodies/linkage.h"
#include "model/frame.h"
#include "model/solid/solid_bonds.h"
#include "model/solid/strike/solid_balls.h"
#include "scheme/solid/rattle.h"
#include "scheme/stepper.h"

const char *cli_si(const struct carom_scene *scene, const char *text)
{
    return scene->si ? text : "";
}

void cli_range(double low, double high, int digits)
{
    char first[32], last[32];
    snprintf(first, sizeof first, "%.*g", digits, low);
    snprintf(last, sizeof last, "%.*g", digits, high);
    printf(strcmp(first, last) == 0 ? "%s" : "%s ... %s", first, last);
}

void cli_unit(const struct carom_scene *scene, const struct carom_param *row)
{
    if (scene->si && strcmp(row->unit, "1") != 0)
        printf(" %s", row->unit);
}

/* what the contacts of bodies are that are one mechanism */
static void describe_linkage(const struct carom_model *model)
{
    const size_t few = 16;
    char name[80];
    for (size_t i = 0; model->nc <= few && i < model->nc; i++) {
        carom_linkage_name(model, i, name, sizeof name);
        printf("           contact %zu: %s\n", carom_frame_number(model, i), name);
    }
}

static void describe_contacts(const struct carom_model *model)
{
    printf("contacts   %zu", model->nc);
    const char *last = NULL;
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        if (last && strcmp(last, g->law->kind.name) == 0)
            continue;
        last = g->law->kind.name;
        printf("%s %s%s", i == 0 ? "," : " and", last, cli_ending(g->ending));
    }
    printf("\n");
}

static const struct carom_impact *impact_of(const struct carom_scene *scene, const void *options)
{
    const struct carom_param *row = carom_param_find(scene->scheme->kind.params, "impact");
    return row ? carom_striker_impacts[(size_t)carom_param_value(row, options)] : NULL;
}

/* a law's parameter over all contacts: one number or a range */
static void describe_parameters(const struct carom_scene *scene, const struct carom_model *model, bool springy)
{
    for (size_t i = 0; i < model->ngroups; i++) {
        const struct carom_group *g = &model->group[i];
        const char *between = "";
        printf("           %s:", g->law->kind.name);
        for (size_t c = 0; c < g->ncolumns; c++) {
            const struct carom_param *row = &g->law->kind.params[c];
            double low = HUGE_VAL, high = -HUGE_VAL;
            if (g->law->rigid && !springy && (c == CAROM_RIGID_K || c == CAROM_RIGID_P))
                continue; /* nothing asks for them */
            for (size_t j = 0; j < g->count; j++) {
                low = g->param[c][j] < low ? g->param[c][j] : low;
                high = g->param[c][j] > high ? g->param[c][j] : high;
            }
            if (strcmp(row->name, "mu_static") == 0 && high == 0.0)
                continue; /* the same as mu */
            printf("%s", between);
            printf(" %s = ", row->name);
            cli_range(low, high, 6);
            cli_unit(scene, row);
            between = ",";
        }
        printf("\n");
    }
}

/* Is it an option of springy impacts, and not of this one? (That of others, the solver, is the scheme's too.) */
static bool is_of_another(const struct carom_impact *impact, const char *name)
{
    bool known = false;
    for (size_t i = 0; impact && carom_striker_impacts[i]; i++)
        known = known ||
                (carom_striker_impacts[i]->springy && carom_param_find(carom_striker_impacts[i]->kind.params, name));
    return known && !carom_param_find(impact->kind.params, name);
}

/* the scheme with those of its options that mean something here */
static void describe_scheme(const struct carom_scene *scene, const void *options)
{
    const struct carom_impact *impact = impact_of(scene, options);
    const char *between = ":";
    printf("scheme     %s", scene->scheme->kind.name);
    for (const struct carom_param *p = scene->scheme->kind.params; p && p->name; p++) {
        const double value = carom_param_value(p, options);
        if (is_of_another(impact, p->name) || !carom_stepper_tells(p, value))
            continue;
        if (strcmp(p->name, "share") == 0)
            printf("%s of which a step may take ", between);
        else
            printf("%s %s = ", between, p->name);
        between = ",";
        if (p->type == CAROM_CHOICE)
            printf("%s", p->choices[(size_t)value]);
        else if (p->type == CAROM_FLAG)
            printf("%s", value != 0.0 ? "on" : "off");
        else
            printf("%g", value);
        cli_unit(scene, p);
    }
    printf("\n");
}

/* how a springy impact law reads the contacts: force and energetic restitution */
static void describe_impact(const struct carom_scene *scene, const struct carom_model *model, const void *options)
{
    const struct carom_impact *impact = impact_of(scene, options);
    static const struct {
        const char *name;
        int column;
    } shown[] = {{"k", CAROM_RIGID_K}, {"p", CAROM_RIGID_P}, {"es", CAROM_RIGID_E}};
    if (!impact || !impact->springy || model->nc == 0)
        return;
    printf("impact     %s: force k x^p, energetic restitution es:", impact->kind.name);
    for (size_t c = 0; c < 3; c++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < model->ngroups; i++)
            for (size_t j = 0; j < model->group[i].count; j++) {
                low = fmin(low, model->group[i].param[shown[c].column][j]);
                high = fmax(high, model->group[i].param[shown[c].column][j]);
            }
        printf("%s %s = ", c > 0 ? "," : "", shown[c].name);
        cli_range(low, high, 6);
    }
    printf("\n");
}

/* why steps of a body that breaks are far shorter than what is stable */
static void describe_opening(const struct carom_scene *scene, const struct carom_solid *solid)
{
    const double opening = carom_solid_fracture_opening(solid), speed = scene->scales.speed,
                 step = speed > 0.0 ? CAROM_SOLID_OPENING_STEP * opening / speed : 0.0;
    if (step > 0.0 && step < 0.5 * carom_rattle_limit(solid, solid->omega))
        printf("           cracks open fast, at V in 25 steps of %.6g%s: longer ones take another energy than G_c\n",
               step, cli_si(scene, " s"));
}

static void describe_solid(const struct carom_scene *scene, const struct carom_model *model, size_t member)
{
    const struct carom_solid *solid = carom_solid_at(model, member);
    /* a scene that runs has given its q away */
    const double *q = scene->q ? scene->q + model->member[member].q0 : NULL;
    const double stiffer = q ? carom_solid_bonds_stiffer(solid, q, scene->scales.speed) : 1.0;
    double mass = 0.0;
    for (size_t i = 0; i < solid->n; i++)
        mass += solid->sorts[solid->sort[i]].mass;
    printf("body       %s%s%zu cell%s, %zu link%s, %s, mass %.6g%s\n", solid->name, *solid->name != '\0' ? ": " : "",
           solid->n, cli_s(solid->n), solid->nlinks, cli_s(solid->nlinks),
           solid->kind == CAROM_SOLID_SPACE    ? "in space"
           : solid->kind == CAROM_SOLID_STRAIN ? "plane strain"
                                               : "plane stress",
           mass, cli_si(scene, " kg"));
    printf("           largest frequency %.6g%s, largest stable step %.6g%s\n", solid->omega, cli_si(scene, " rad/s"),
           carom_rattle_limit(solid, solid->omega), cli_si(scene, " s"));
    describe_opening(scene, solid);
    if (stiffer > 1.0 && solid->omega > 0.0) /* of what is too soft to be counted nothing is left to say */
        printf("           links become up to %.3g times as stiff at the scale speed: then %.6g%s\n", stiffer,
               carom_rattle_limit(solid, solid->omega) / sqrt(stiffer), cli_si(scene, " s"));
}

/* what strikes a solid */
static void describe_joints(const struct carom_solid_balls *balls)
{
    enum { ROPE = CAROM_JOINTS, WORDS };
    static const char *const words[WORDS] = {"hinge", "ball joint", "slider", "weld", "rod", "rope"};
    size_t count[WORDS] = {0};
    const char *between = "joints     ";
    for (size_t j = 0; j < balls->njoints; j++)
        count[balls->joint[j].kind == CAROM_JOINT_DISTANCE && balls->joint[j].limited ? ROPE : balls->joint[j].kind]++;
    for (size_t k = 0; k < WORDS; k++) {
        if (count[k] == 0)
            continue;
        printf("%s%zu %s%s", between, count[k], words[k], cli_s(count[k]));
        between = ", ";
    }
    printf("%s", balls->njoints > 0 ? "\n" : "");
}

static void describe_balls(const struct carom_scene *scene, const struct carom_model *model)
{
    const struct carom_solid_balls *balls = carom_solid_balls_of(model, NULL);
    double low = HUGE_VAL, high = 0.0;
    for (size_t i = 0; balls && i < balls->n; i++) {
        low = fmin(low, balls->mass[i]);
        high = fmax(high, balls->mass[i]);
    }
    if (!balls)
        return;
    printf("balls      %zu %s%s, mass ", balls->n, balls->dimension == 3 ? "sphere" : "disc", cli_s(balls->n));
    cli_range(low, high, 6);
    printf("%s%s\n", cli_si(scene, " kg"), balls->n > 1 ? " each" : "");
    describe_joints(balls);
}

void cli_describe(const struct carom_scene *scene, const struct carom_model *model, const void *options)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    const struct carom_impact *impact = impact_of(scene, options);
    const bool springy = impact && impact->springy;
    printf("%s\n", scene->title && *scene->title ? scene->title : "(no title)");
    printf("theory     %s\n", scene->theory);
    if (beads) {
        double low = HUGE_VAL, high = 0.0;
        for (size_t i = 0; i < beads->n; i++) {
            low = beads->mass[i] < low ? beads->mass[i] : low;
            high = beads->mass[i] > high ? beads->mass[i] : high;
        }
        printf("bodies     %zu, mass ", beads->n);
        cli_range(low, high, 6);
        printf("%s%s%s%s\n", cli_si(scene, " kg"), beads->spring ? ", local springs" : "",
               beads->damper ? ", local dampers" : "", beads->string ? ", strings at large angles" : "");
        cli_describe_loads(scene, beads);
    } else if (solid) {
        for (size_t i = 0; i < carom_solid_count(model); i++) {
            describe_solid(scene, model, i);
            cli_describe_solid(scene, carom_solid_at(model, i));
        }
        describe_balls(scene, model);
    } else if (carom_model_bodies(model)) {
        cli_describe_bodies(scene, carom_model_bodies(model), springy);
    } else {
        const struct carom_bodies *linked = carom_linkage_of(model);
        if (linked)
            cli_describe_linked(scene, linked);
        printf("%s %zu coordinate%s%s\n", linked ? "          " : "bodies    ", model->nq, cli_s(model->nq),
               linked == NULL ? ""
               : linked->dimension == 2
                   ? ": x, y and angle of each body that moves, in the order of the scene"
                   : ": x, y, z and quaternion of each body that moves, in the order of the scene");
    }
    if (!carom_model_bodies(model) && (model->nc > 0 || !solid))
        describe_contacts(model);
    if (carom_linkage_of(model))
        describe_linkage(model);
    describe_parameters(scene, model, springy);
    describe_scheme(scene, options);
    describe_impact(scene, model, options);
}
