/* Damping from a restitution: what gamma makes a pair come apart with the e that a scene gives, one solution per kind
 * of pair. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "carom/law.h"
#include "law/restitution.h"
#include "scene/contact/contact_table.h"

#define REMEMBERED 16

/* A kind of pair whose gamma is known in units of the pair's mass, its closing speed and the length that makes k one.
 * There e depends on gamma alone, so that beads of a thousand sizes need one solution. */
struct solved {
    const struct carom_law *law;
    uint8_t ending;
    double value[CAROM_LAW_WIDTH]; /* the other parameters; k and gamma are zero here */
    double e;
    double gamma;
    struct carom_dimension of_k, of_gamma;
};

static bool same_kind(const struct solved *a, const struct solved *b)
{
    return a->law == b->law && a->ending == b->ending && memcmp(a->value, b->value, sizeof a->value) == 0 &&
           a->e == b->e;
}

/* The size of a dimension's unit made of a mass, a length and a speed. */
static double unit_of(const struct carom_dimension *d, double mass, double length, double speed)
{
    return carom_power(mass, d->kg) * carom_power(length, d->m + d->s) * carom_power(speed, -d->s);
}

static enum carom_status solve(struct carom_bind *b, const struct carom_contact_table *table, size_t contact,
                               struct solved *kind)
{
    const struct carom_param *params = kind->law->kind.params;
    const struct carom_param *k = carom_param_find(params, "k"), *gamma = carom_param_find(params, "gamma");
    double value[CAROM_LAW_WIDTH];
    memcpy(value, kind->value, sizeof value);
    value[k - params] = 1.0;
    if (carom_contact_table_dimension(table, contact, k, &kind->of_k, b->r.error) != CAROM_OK ||
        carom_contact_table_dimension(table, contact, gamma, &kind->of_gamma, b->r.error) != CAROM_OK)
        return b->r.error->status;
    return carom_restitution_gamma(kind->law, value, (enum carom_ending)kind->ending, 1.0, 1.0, kind->e, &kind->gamma,
                                   b->r.error);
}

/* gamma of a contact whose restitution is given, from the kinds of pairs solved so far or a new one */
static enum carom_status find_gamma(struct carom_bind *b, const struct carom_contact_table *table, size_t j,
                                    double mass, struct solved *known, size_t *next, double *gamma)
{
    const struct carom_clause *clause = &table->clause[table->damped_by[j] - 1];
    struct solved kind = {.law = carom_contact_table_law(table, j), .ending = table->ending[j], .e = clause->pair.e};
    const struct carom_param *params = kind.law->kind.params;
    const struct carom_param *row_k = carom_param_find(params, "k"), *row_gamma = carom_param_find(params, "gamma");
    carom_contact_table_values(table, j, kind.value);
    if (row_k == NULL)
        return carom_tree_error(b->r.tree, clause->restitution, CAROM_E_REFUSED, b->r.error,
                                "the law %s has no stiffness k to go with it", kind.law->kind.name);
    const double k = kind.value[row_k - params];
    kind.value[row_k - params] = kind.value[row_gamma - params] = 0.0;
    size_t i = 0;
    while (i < REMEMBERED && !same_kind(&known[i], &kind))
        i++;
    if (i == REMEMBERED) {
        if (solve(b, table, j, &kind) != CAROM_OK)
            return carom_tree_error_at(b->r.tree, clause->restitution, b->r.error);
        i = *next;
        known[i] = kind;
        *next = (i + 1) % REMEMBERED;
    }
    const double speed = clause->pair.speed;
    const struct carom_dimension *of_k = &known[i].of_k;
    const double length = carom_power(k / unit_of(of_k, mass, 1.0, speed), 1.0 / (of_k->m + of_k->s));
    *gamma = known[i].gamma * unit_of(&known[i].of_gamma, mass, length, speed);
    if (!isfinite(*gamma))
        return carom_value_wrong(&b->r, clause->restitution, "gives no gamma that a number can hold");
    return CAROM_OK;
}

/* What a law whose restitution is known in closed form needs for e. */
static double find_damping(const struct carom_contact_table *table, size_t j, double e)
{
    double value[CAROM_LAW_WIDTH];
    const double *param[CAROM_LAW_WIDTH];
    carom_contact_table_values(table, j, value);
    for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
        param[i] = &value[i];
    return carom_contact_table_law(table, j)->damping_of(param, 0, e);
}

enum carom_status carom_bind_damping(struct carom_bind *b, const struct carom_contact_table *table, const double *mass)
{
    struct solved known[REMEMBERED] = {{0}};
    size_t next = 0;
    if (carom_bind_rigid(b) && !(b->e = carom_memory_zeroed(table->nc, sizeof *b->e)))
        return carom_bind_memory(b);
    for (size_t j = 0; b->e && j < table->nc; j++)
        b->e[j] = nan("");
    for (size_t j = 0; j < table->nc; j++) {
        if (table->damped_by[j] == 0)
            continue;
        const struct carom_law *law = carom_contact_table_law(table, j);
        const struct carom_clause *clause = &table->clause[table->damped_by[j] - 1];
        const double e = clause->pair.e;
        double *damping = &carom_contact_table_column(table, carom_contact_table_damping(law)->name)[j];
        if (!isnan(clause->dashpot)) {
            *damping = clause->dashpot / carom_contact_table_column(table, "k")[j];
            continue;
        }
        if (carom_bind_rigid(b)) /* which asks for e itself */
            b->e[j] = e;
        if (law->damping_of)
            *damping = find_damping(table, j, e);
        else if (carom_bind_rigid(b))
            *damping = law->rigid ? e : 0.0;
        else if (find_gamma(b, table, j, mass[j], known, &next, damping) != CAROM_OK)
            return b->r.error->status;
    }
    return CAROM_OK;
}
