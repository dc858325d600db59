/* A solid in words, beside its cells: for check and the summary of a run. */
#include <stdio.h>

#include "cli.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"

enum { SHOWN = 6 }; /* clamps, drives and loads printed in full */

static void begin(const char *word, size_t *count)
{
    printf("%-10s ", *count == 0 ? word : "");
    (*count)++;
}

/* "(0, -1) N" */
static void print_vector(const struct carom_scene *scene, const struct carom_solid *solid, const double *vector,
                         const char *of)
{
    printf("(");
    for (int k = 0; k < solid->dimension; k++)
        printf("%s%.6g", k > 0 ? ", " : "", vector[k]);
    printf(")%s", cli_si(scene, of));
}

/* where one cell alone stands, or its face: a place that was asked for is seldom the middle of one */
static void print_place(const struct carom_scene *scene, const struct carom_solid *solid, uint32_t cell,
                        const double *arm)
{
    double place[3];
    for (int k = 0; k < 3; k++)
        place[k] = solid->centre[cell][k] + (arm ? arm[k] : 0.0);
    printf(" at ");
    print_vector(scene, solid, place, " m");
}

/* "x, y and turns": what a hold holds; in the plane there is one turn, the last of its three coordinates */
static void print_directions(const struct carom_solid *solid, const struct carom_solid_hold *hold)
{
    const unsigned places = hold->mask & ((1u << solid->dimension) - 1), turns = hold->mask >> solid->dimension;
    const char *between = "";
    for (int k = 0; k < solid->dimension; k++)
        if (places & 1u << k) {
            printf("%s%c", between, "xyz"[k]);
            between = ", ";
        }
    if (turns)
        printf("%s%s", between, hold->wall ? "turns as at a wall" : "turns");
}

static void print_holds(const struct carom_scene *scene, const struct carom_solid *solid)
{
    size_t count = 0;
    for (size_t i = 0; i < solid->nholds && i < SHOWN; i++) {
        const struct carom_solid_hold *hold = &solid->hold[i];
        begin("held", &count);
        printf("%zu cell%s", hold->count, cli_s(hold->count));
        if (hold->count == 1)
            print_place(scene, solid, hold->cell[0], NULL);
        printf(": ");
        print_directions(solid, hold);
        if (hold->angle != 0.0) {
            printf(", turned by %g rad x ", hold->angle);
            cli_describe_signal(scene, &hold->signal, "");
        } else if (hold->driven) {
            printf(", driven by ");
            print_vector(scene, solid, hold->vector, " m");
            printf(" x ");
            cli_describe_signal(scene, &hold->signal, "");
        }
        printf("\n");
    }
    if (solid->nholds > SHOWN)
        printf("           and %zu more\n", solid->nholds - SHOWN);
}

static void print_loads(const struct carom_scene *scene, const struct carom_solid *solid)
{
    static const char *const words[] = {"force", "traction", "pressure", "moment"};
    static const char *const units[] = {" N", " Pa", " Pa", " N m"};
    size_t count = 0;
    if (solid->gravity[0] != 0.0 || solid->gravity[1] != 0.0 || solid->gravity[2] != 0.0) {
        begin("loads", &count);
        printf("gravity ");
        print_vector(scene, solid, solid->gravity, " m/s^2");
        printf("\n");
    }
    for (size_t i = 0; i < solid->nloads && i < SHOWN; i++) {
        const struct carom_solid_load *load = &solid->load[i];
        const bool faces = load->push == CAROM_SOLID_TRACTION || load->push == CAROM_SOLID_PRESSURE;
        begin("loads", &count);
        printf("%s ", words[load->push]);
        if (load->push == CAROM_SOLID_PRESSURE)
            printf("%.6g%s", load->vector[0], cli_si(scene, units[load->push]));
        else
            print_vector(scene, solid, load->vector, units[load->push]);
        printf(" on %zu %s%s", load->count, faces ? "face" : "cell", cli_s(load->count));
        if (load->count == 1 && faces)
            print_place(scene, solid, solid->face[load->at[0]].cell, solid->face[load->at[0]].arm);
        else if (load->count == 1)
            print_place(scene, solid, load->at[0], NULL);
        if (load->signal.shape != CAROM_SHAPE_CONSTANT || load->signal.amplitude != 1.0) {
            printf(" x ");
            cli_describe_signal(scene, &load->signal, "");
        }
        printf("\n");
    }
    if (solid->nloads > SHOWN)
        printf("           and %zu more\n", solid->nloads - SHOWN);
}

static void print_fracture(const struct carom_scene *scene, const struct carom_solid *solid)
{
    const struct carom_solid_fracture *law = &solid->fracture;
    const double weakest = carom_solid_fracture_weakest(solid);
    printf("breaks     beyond %.6g%s", weakest, cli_si(scene, " Pa"));
    if (law->energy > 0.0)
        printf(", taking %.6g%s", law->energy, cli_si(scene, " J/m^2"));
    printf(law->energy > 0.0 ? "" : " at once");
    if (law->strength > 0.0 && weakest < law->strength)
        printf("; cells are too large for a strength of %.6g%s: below %.3g%s they would do", law->strength,
               cli_si(scene, " Pa"), carom_solid_fracture_size(solid), cli_si(scene, " m"));
    printf("\n");
    size_t cracked = 0;
    for (size_t l = 0; l < solid->nlinks; l++)
        cracked += solid->breaks->cracked[l];
    if (cracked > 0)
        printf("cracks     %zu of %zu links are broken at the start\n", cracked, solid->nlinks);
}

static void print_rubbing(const struct carom_scene *scene, const struct carom_solid *solid)
{
    if (carom_solid_self_is_rough(solid))
        printf("rubs       where it meets itself: mu = %.6g, full above %.6g%s\n", solid->self->mu,
               solid->self->slip_speed, cli_si(scene, " m/s"));
}

static void print_flow(const struct carom_scene *scene, const struct carom_solid *solid)
{
    const struct carom_solid_plasticity *law = &solid->plasticity;
    if (law->relaxation > 0.0)
        printf("flows      as Maxwell's body: shear stresses die away in %.6g%s\n", law->relaxation,
               cli_si(scene, " s"));
    else if (law->yield > 0.0)
        printf("flows      beyond %.6g%s of von Mises' stress, hardening %.6g%s, kinematic %.6g%s\n", law->yield,
               cli_si(scene, " Pa"), law->hardening, cli_si(scene, " Pa"), law->kinematic, cli_si(scene, " Pa"));
    if (solid->breaks)
        print_fracture(scene, solid);
    if (solid->damping_mass > 0.0 || solid->damping_stiffness > 0.0)
        printf("damping    %.6g%s of mass, %.6g%s of stiffness\n", solid->damping_mass, cli_si(scene, " 1/s"),
               solid->damping_stiffness, cli_si(scene, " s"));
    for (size_t i = 0; i < solid->nabsorbing; i++)
        printf("%s%s%s", i == 0 ? "absorbing  " : ", ", carom_solid_sides[solid->absorbing[i]],
               i + 1 == solid->nabsorbing ? ": waves leave there\n" : "");
}

/* the sides of a box, bit 2 k and 2 k + 1 across axis k, whose cells are cut through their centres */
static unsigned cut_sides(const struct carom_solid *solid)
{
    const size_t *count = solid->grid.count;
    unsigned sides = 0;
    for (size_t i = 0; i < solid->n; i++) {
        const size_t at[3] = {i % count[0], i / count[0] % count[1], i / (count[0] * count[1])};
        for (int k = 0; k < solid->dimension; k++)
            if (solid->sorts[solid->sort[i]].halved & 1u << k)
                sides |= 1u << (2 * k + (at[k] == 0 ? 0 : 1));
    }
    return sides;
}

static void print_cut(const struct carom_scene *scene, const struct carom_solid *solid)
{
    const struct carom_solid_grid *g = &solid->grid;
    if (!solid->halved || g->shell || g->count[0] * g->count[1] * (solid->dimension == 3 ? g->count[2] : 1) != solid->n)
        return;
    const unsigned sides = cut_sides(solid);
    size_t count = 0;
    for (int k = 0; k < solid->dimension; k++) {
        const unsigned cuts = (sides >> 2 * k & 1u) + (sides >> (2 * k + 1) & 1u);
        if (cuts == 0)
            continue;
        begin("cut", &count);
        printf("%.6g%s long along %c, not %.6g: a side that is held or absorbs ends at the centres of its cells\n",
               g->edge[k] * ((double)g->count[k] - 0.5 * cuts), cli_si(scene, " m"), "xyz"[k],
               g -> edge[k] * (double)g -> count[k]);
    }
}

void cli_describe_solid(const struct carom_scene *scene, const struct carom_solid *solid)
{
    print_cut(scene, solid);
    print_holds(scene, solid);
    print_loads(scene, solid);
    print_flow(scene, solid);
    print_rubbing(scene, solid);
}
