/* carom restitution of discs and spheres: e of head-on impacts over closing speeds, and oblique ones over angles. */
#include <math.h>

#include "carom/bodies.h"
#include "carom/friction.h"
#include "carom/law.h"
#include "law/restitution.h"
#include "record/export/csv.h"
#include "restitution.h"
#include "study/oblique.h"

#define DEGREES 57.29577951308232087680

enum { KINDS = 64 };

static void describe_body(const struct carom_scene *scene, const struct carom_body *body, size_t number)
{
    if (body->surface == CAROM_BALL && !body->inside)
        printf("body %zu (radius %.6g%s)", number + 1, body->radius, cli_si(scene, " m"));
    else
        printf("wall %zu", number + 1);
}

static void describe(const struct carom_scene *scene, const struct carom_bodies *b,
                     const struct carom_oblique_pair *pair)
{
    const struct carom_law *law = pair->pairing->law;
    describe_body(scene, &b->body[pair->body[1]], pair->body[1]);
    printf(" on ");
    describe_body(scene, &b->body[pair->body[0]], pair->body[0]);
    printf(": %s%s, mass %.6g%s", law->kind.name, cli_ending(pair->pairing->ending), pair->mass, cli_si(scene, " kg"));
    for (size_t k = 0; law->kind.params[k].name; k++)
        printf(", %s = %.9g", law->kind.params[k].name, pair->param[k]);
    if (pair->pairing->friction)
        printf(", %s with mu = %g", pair->pairing->friction->kind.name, pair->mu);
    printf("\n");
}

/* --- head-on ----------------------------------------------------------------------------------------------------- */

static enum carom_status print_speeds(const struct carom_scene *scene, const struct carom_oblique_pair *pair,
                                      const struct cli_restitution *wish, struct carom_error *error)
{
    const struct carom_pairing *p = pair->pairing;
    if (p->law->pull)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "law %s pulls, and slow pairs stick; --angles 0:60:3 --speed V runs such pairs",
                               p->law->kind.name);
    if (!wish->quiet)
        printf("  %14s  %14s  %14s  %14s\n", scene->si ? "speed (m/s)" : "closing speed", "e",
               scene->si ? "lasts (s)" : "contact time", scene->si ? "overlap (m)" : "overlap");
    for (size_t i = 0; i < wish->npoints; i++) {
        const double speed = cli_restitution_speed(wish, i);
        double e = 0.0, time = 0.0, overlap = 0.0;
        const enum carom_status status =
            carom_restitution_of(p->law, pair->param, p->ending, pair->mass, speed, &e, &time, &overlap, error);
        if (status != CAROM_OK && status != CAROM_E_REFUSED)
            return status;
        if (!wish->quiet && status == CAROM_OK)
            printf("  %14.6g  %14.12g  %14.6g  %14.6g\n", speed, e, time, overlap);
        else if (!wish->quiet)
            printf("  %14.6g  none: the pair never separates\n", speed);
        if (!wish->csv)
            continue;
        fprintf(wish->csv, "\n%zu,%zu,%s", pair->body[1] + 1, pair->body[0] + 1, p->law->kind.name);
        carom_csv_numbers(wish->csv, (const double[]){pair->mass, speed}, 2);
        if (status == CAROM_OK)
            carom_csv_numbers(wish->csv, (const double[]){e, time, overlap}, 3);
        else
            fputs(",,,", wish->csv);
    }
    return CAROM_OK;
}

/* --- oblique ----------------------------------------------------------------------------------------------------- */

static void print_number(double x, int width, int digits)
{
    if (isnan(x))
        printf("  %*s", width, "-");
    else
        printf("  %*.*g", width, digits, x);
}

static void print_oblique(double angle, const struct carom_oblique *o)
{
    printf("  %8.4g", angle * DEGREES);
    print_number(o->e, 11, 8);
    print_number(o->beta, 11, 6);
    print_number(o->gross, 11, 6);
    print_number(o->rebound * DEGREES, 9, 5);
    print_number(o->spin[1], 12, 6);
    print_number(o->spin[0], 12, 6);
    print_number(o->lost, 9, 4);
    printf("  %s\n", o->slides ? "slides" : "");
}

static enum carom_status print_angles(const struct carom_scene *scene, const struct carom_bodies *b,
                                      const struct carom_oblique_pair *pair, const struct cli_restitution *wish,
                                      struct carom_error *error)
{
    if (!wish->quiet)
        printf("  %8s  %11s  %11s  %11s  %9s  %12s  %12s  %9s\n", "degrees", "e", "beta", "sliding", "rebound",
               scene->si ? "spin (1/s)" : "spin", "of the other", "lost");
    for (size_t i = 0; i < wish->nangles; i++) {
        struct carom_oblique o;
        const enum carom_status status = carom_oblique_find(b, pair, wish->speed, wish->angle[i], wish->tol, &o, error);
        if (status == CAROM_E_REFUSED) {
            if (!wish->quiet)
                printf("  %s\n", error->text);
            return CAROM_OK;
        }
        if (status != CAROM_OK)
            return status;
        if (!wish->quiet && isnan(o.duration))
            printf("  %8.4g  none: the pair never separates\n", wish->angle[i] * DEGREES);
        else if (!wish->quiet)
            print_oblique(wish->angle[i], &o);
        if (!wish->csv)
            continue;
        const double row[] = {wish->speed, wish->angle[i], o.e,       o.beta,     o.gross,
                              o.rebound,   o.spin[1],      o.spin[0], o.duration, o.lost};
        fprintf(wish->csv, "\n%zu,%zu,%s", pair->body[1] + 1, pair->body[0] + 1, pair->pairing->law->kind.name);
        carom_csv_numbers(wish->csv, &pair->mu, 1);
        carom_csv_numbers(wish->csv, row, sizeof row / sizeof *row);
    }
    return CAROM_OK;
}

static bool any_angular(const struct carom_bodies *b)
{
    size_t i = 0;
    while (i < b->n && (b->body[i].fixed || carom_bodies_round(&b->body[i])))
        i++;
    return i < b->n;
}

enum carom_status cli_restitution_bodies(const struct carom_scene *scene, const struct cli_restitution *wish,
                                         struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(scene->model);
    struct carom_oblique_pair pair[KINDS];
    size_t more;
    const size_t count = carom_oblique_pairs(b, pair, KINDS, &more);
    enum carom_status status = CAROM_OK;
    if (count == 0)
        status = carom_error_set(error, CAROM_E_REFUSED, "%s",
                                 any_angular(b) ? CLI_RESTITUTION_ROUND : "no two bodies of the scene can meet");
    if (status == CAROM_OK && wish->nangles > 0 && !wish->quiet)
        printf("impacts at %g%s, angles of the relative velocity from the normal in degrees; beta = -slip after / slip "
               "before, sliding: beta if it slides all the time\n",
               wish->speed, cli_si(scene, " m/s"));
    for (size_t i = 0; i < count && status == CAROM_OK; i++) {
        if (!wish->quiet)
            describe(scene, b, &pair[i]);
        if (pair[i].pairing->law->rigid) {
            if (!wish->quiet)
                printf("  e is the same at every speed\n");
        } else
            status = wish->nangles > 0 ? print_angles(scene, b, &pair[i], wish, error)
                                       : print_speeds(scene, &pair[i], wish, error);
    }
    if (status == CAROM_OK && more > 0 && !wish->quiet)
        printf("and %zu sort%s of round walls or further kinds, left out here\n", more, cli_s(more));
    return status;
}
