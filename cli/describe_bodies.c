/* What `check` and `run` say of bodies in the plane and in space: who there is, and by which laws they meet. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/bodies.h"
#include "carom/friction.h"
#include "carom/law.h"
#include "cli.h"
#include "model/bodies/joints.h"

static void print_vector(const double *value, size_t count)
{
    for (size_t k = 0; k < count; k++)
        printf("%s%.6g", k == 0 ? "(" : ", ", value[k]);
    printf(")");
}

static void print_range(const char *name, double low, double high, const char *of)
{
    printf(", %s ", name);
    cli_range(low, high, 6);
    printf("%s", of);
}

/* Those that move, other than discs, spheres and planes, by what they are. */
enum { BOXES, CYLINDERS, CONVEX, COMPOUNDS, CONTAINERS, KINDS };

static int kind_of(const struct carom_body *body)
{
    if (body->fixed || body->surface == CAROM_PLANE || (body->surface == CAROM_BALL && !body->inside))
        return KINDS;
    return body->inside                      ? CONTAINERS
           : body->surface == CAROM_BOX      ? BOXES
           : body->surface == CAROM_CYLINDER ? CYLINDERS
           : body->surface == CAROM_CONVEX   ? CONVEX
                                             : COMPOUNDS;
}

static void print_kinds(const struct carom_bodies *b, const size_t count[KINDS], bool any)
{
    const bool plane = b->dimension == 2;
    const char *const name[KINDS][2] = {{"box", "boxes"},
                                        {"cylinder", "cylinders"},
                                        {plane ? "polygon" : "polyhedron", plane ? "polygons" : "polyhedra"},
                                        {"capsule or compound", "capsules or compounds"},
                                        {"container that moves", "containers that move"}};
    for (int k = 0; k < KINDS; k++) {
        if (count[k] > 0)
            printf("%s%zu %s", any ? ", " : "", count[k], name[k][count[k] > 1]);
        any |= count[k] > 0;
    }
}

static void print_who(const struct carom_scene *scene, const struct carom_bodies *b)
{
    double light = HUGE_VAL, heavy = 0.0, small = HUGE_VAL, large = 0.0, least = HUGE_VAL, most = 0.0;
    size_t balls = 0, fixed = 0, discs = 0, walls = 0, movable = 0, count[KINDS] = {0};
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const int kind = kind_of(body);
        if (kind < KINDS) {
            count[kind]++;
            light = fmin(light, body->mass);
            heavy = fmax(heavy, body->mass);
            continue;
        }
        if (body->surface != CAROM_BALL || body->inside) {
            walls++;
            movable += !body->fixed;
            least = body->fixed ? least : fmin(least, body->mass);
            most = body->fixed ? most : fmax(most, body->mass);
            continue;
        }
        balls++;
        small = fmin(small, body->radius);
        large = fmax(large, body->radius);
        fixed += body->fixed;
        if (body->fixed)
            continue;
        discs += body->inertia > 0.45 * body->mass * body->radius * body->radius;
        light = fmin(light, body->mass);
        heavy = fmax(heavy, body->mass);
    }
    discs += discs > 0 || balls == fixed ? fixed : 0; /* what is held has no inertia: it is as the others are */
    printf("bodies     ");
    if (b->dimension == 2 && discs > 0)
        printf("%zu disc%s%s", discs, cli_s(discs), balls > discs ? " and " : "");
    if (balls > discs)
        printf("%zu %s%s", balls - discs, b->dimension == 2 && discs > 0 ? "other ball" : "sphere",
               cli_s(balls - discs));
    print_kinds(b, count, balls > 0);
    printf(" %s", b->dimension == 2 ? "in the plane" : "in space");
    if (heavy > 0.0)
        print_range("mass", light, heavy, cli_si(scene, " kg"));
    if (balls > 0)
        print_range("radius", small, large, cli_si(scene, " m"));
    if (walls > 0)
        printf("; %zu wall%s", walls, cli_s(walls));
    if (movable > 0) {
        if (movable < walls)
            printf(", %zu of them", movable);
        printf(" free");
        print_range("mass", least, most, cli_si(scene, " kg"));
    }
    printf("\n");
}

static void print_around(const struct carom_scene *scene, const struct carom_bodies *b)
{
    const double *g = b->gravity;
    if (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0) {
        printf("           gravity ");
        print_vector(g, b->dimension);
        printf("%s\n", cli_si(scene, " m/s^2"));
    }
    if (b->bounded) {
        printf("           domain ");
        print_vector(b->low, b->dimension);
        printf(" to ");
        print_vector(b->high, b->dimension);
        for (size_t k = 0; k < b->dimension; k++)
            if (b->periodic[k])
                printf(", periodic along %c", "xyz"[k]);
        printf("\n");
    }
    if (b->nloads > 0 || b->nleads > 0)
        printf("           %zu load%s, %zu driven bod%s\n", b->nloads, cli_s(b->nloads), b->nleads,
               carom_plural_y(b->nleads));
}

/* every parameter as a number, or as a power of the effective radius R* and mass m* of the two, whose unit then is not
 * that of the table */
static void print_law(const struct carom_scene *scene, const struct carom_kind *kind, const struct carom_scaled *value,
                      bool skip_force)
{
    const char *between = "";
    printf("%s:", kind->name);
    for (size_t i = 0; kind->params && kind->params[i].name; i++) {
        const struct carom_param *row = &kind->params[i];
        if (skip_force && (i == CAROM_RIGID_K || i == CAROM_RIGID_P))
            continue;
        if (strcmp(row->name, "mu_static") == 0 && value[i].param == 0.0)
            continue; /* the same as mu */
        printf("%s %s = ", between, row->name);
        between = ",";
        if (row->type == CAROM_CHOICE) {
            printf("%s", row->choices[(size_t)value[i].param]);
            continue;
        }
        printf("%.6g", value[i].param);
        if (value[i].radius_power != 0.0)
            printf(" R*^%.3g", value[i].radius_power);
        if (value[i].mass_power != 0.0)
            printf(" m*^%.3g", value[i].mass_power);
        if (value[i].radius_power == 0.0 && value[i].mass_power == 0.0)
            cli_unit(scene, row);
    }
    printf("\n");
}

static void print_pairing(const struct carom_scene *scene, const struct carom_pairing *p, bool springy)
{
    static const char *const names[] = {"friction", "rolling", "twisting"};
    const struct carom_scaled *const value[] = {p->rub, p->roll, p->twist};
    printf("           ");
    print_law(scene, &p->law->kind, p->param, p->law->rigid && !springy);
    for (size_t way = p->law->rigid ? 1 : 0; way < CAROM_WAYS; way++) { /* a rigid law says mu of sliding itself */
        const struct carom_friction *law = carom_pairing_resists(p, (enum carom_way)way);
        if (!law)
            continue;
        printf("           %s ", names[way]);
        if (p->law->rigid) /* of a rigid contact mu is all there is */
            printf("mu = %.6g\n", value[way][0].param);
        else
            print_law(scene, &law->kind, value[way], false);
    }
}

/* restitution at limits, from the least to the largest */
static void print_limits(const struct carom_bodies *b)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    size_t count = 0;
    for (size_t j = 0; j < b->njoints; j++)
        if (b->joint[j].limited) {
            low = fmin(low, b->joint[j].e);
            high = fmax(high, b->joint[j].e);
            count++;
        }
    if (count == 0)
        return;
    printf("           limits of %zu: e = ", count);
    cli_range(low, high, 6);
    printf("\n");
}

static void print_joints(const struct carom_bodies *b)
{
    static const char *const names[CAROM_JOINTS] = {"hinge", "ball", "slider", "weld", "distance"};
    size_t count[CAROM_JOINTS] = {0};
    bool any = false;
    for (size_t j = 0; j < b->njoints; j++)
        count[b->joint[j].kind]++;
    for (size_t k = 0; k < CAROM_JOINTS; k++) {
        if (count[k] > 0)
            printf("%s%zu %s%s", any ? ", " : "joints     ", count[k], names[k], count[k] > 1 ? "s" : "");
        any = any || count[k] > 0;
    }
    if (any)
        printf("\n");
    print_limits(b);
}

/* are there two that no joint holds, one of which moves? */
static bool any_can_meet(const struct carom_bodies *b)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = i + 1; j < b->n; j++)
            if (!(b->body[i].fixed && b->body[j].fixed) && !carom_joints_join(b, i, j))
                return true;
    return false;
}

void cli_describe_linked(const struct carom_scene *scene, const struct carom_bodies *b)
{
    print_who(scene, b);
    print_around(scene, b);
}

void cli_describe_bodies(const struct carom_scene *scene, const struct carom_bodies *b, bool springy)
{
    enum { SHOWN = 4 };
    bool scaled = false;
    print_who(scene, b);
    print_around(scene, b);
    print_joints(b);
    if (b->njoints > 0 && !any_can_meet(b)) {
        printf("contacts   none: bodies on a joint do not meet each other\n");
        return;
    }
    printf("contacts   come and go, %zu kind%s of pair%s\n", b->npairings, cli_s(b->npairings), cli_s(b->npairings));
    for (size_t i = 0; i < b->npairings && i < SHOWN; i++) {
        const bool shown = !b->pairing[i].law->rigid || springy; /* powers of R and m are those of k */
        print_pairing(scene, &b->pairing[i], springy);
        for (size_t k = 0; k < CAROM_LAW_WIDTH && shown; k++)
            scaled = scaled || b->pairing[i].param[k].radius_power != 0.0 || b->pairing[i].param[k].mass_power != 0.0;
    }
    if (b->npairings > SHOWN)
        printf("           and %zu more\n", b->npairings - SHOWN);
    if (scaled)
        printf("           R* = R1 R2/(R1 + R2), m* = m1 m2/(m1 + m2): effective radius and mass of the two%s\n",
               b->dimension == 2 ? "; k of discs is that of spheres of the same radii" : "");
}
