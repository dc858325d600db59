/* The chains whose motion is known to more than double precision. chain_reference.c computes them, the tables
 * <name>.txt keep the results, and tests compare schemes with them. All numbers are doubles, so that a simulation
 * solves exactly the problem of the table. */
#ifndef CAROM_TESTS_REFERENCE_CASES_H
#define CAROM_TESTS_REFERENCE_CASES_H

#include <stdbool.h>
#include <stddef.h>

#define REFERENCE_BEADS 25
#define REFERENCE_PATTERN 3

struct reference_case {
    const char *name, *text;
    int n; /* beads; masses, stiffnesses and gaps repeat after so many as are not zero */
    double mass[REFERENCE_PATTERN];
    double k[REFERENCE_PATTERN]; /* of the contacts from left to right, walls included */
    double gap[REFERENCE_PATTERN];
    int ngaps;          /* length of the pattern of gaps, for which zero is a value; 0: all closed */
    double p, gamma, b; /* k (d^p + gamma d/dt d^b) */
    double spring;      /* local spring of every bead */
    bool left_wall, right_wall;
    bool by_force; /* contacts end by force, else by gap */
    double speed;  /* of the first bead at the start; all else is at rest */
    double until;
    int samples; /* at until / samples, 2 until / samples, ... */
};

static const struct reference_case reference_cases[] = {
    {.name = "trimer",
     .text = "three unequal beads, Kuwabara-Kono",
     .n = 3,
     .mass = {1.0, 0.512, 0.729},
     .k = {1.0, 0.97618706018395279} /* sqrt(81/85) */,
     .p = 1.5,
     .gamma = 0.1,
     .b = 1.5,
     .speed = 1.0,
     .until = 5.0,
     .samples = 20},
    {.name = "dimer",
     .text = "dimer chain, Kuwabara-Kono",
     .n = 25,
     .mass = {1.0, 0.5},
     .k = {1.0},
     .p = 1.5,
     .gamma = 0.06,
     .b = 1.5,
     .speed = 1.0,
     .until = 30.0,
     .samples = 15},
    {.name = "hertz",
     .text = "undamped chain of equal beads",
     .n = 20,
     .mass = {1.0},
     .k = {1.0},
     .p = 1.5,
     .b = 1.5,
     .speed = 1.0,
     .until = 20.0,
     .samples = 20},
    {.name = "cradle",
     .text = "Newton's cradle, Kuwabara-Kono",
     .n = 10,
     .mass = {1.0},
     .k = {1.0},
     .p = 1.5,
     .gamma = 0.3,
     .b = 1.5,
     .spring = 0.01,
     .speed = 1.0,
     .until = 60.0,
     .samples = 15},
    {.name = "gaps",
     .text = "beads that stand apart, before a wall",
     .n = 6,
     .mass = {1.0, 0.7, 1.3},
     .k = {1.0, 0.8, 2.0},
     .gap = {0.25, 0.125, 0.0},
     .ngaps = 3,
     .p = 1.5,
     .gamma = 0.05,
     .b = 1.5,
     .right_wall = true,
     .speed = 1.0,
     .until = 16.0,
     .samples = 16},
    {.name = "force",
     .text = "contacts that end where the force does",
     .n = 5,
     .mass = {1.0, 0.4},
     .k = {1.0, 1.5},
     .p = 1.5,
     .gamma = 0.2,
     .b = 1.5,
     .left_wall = true,
     .by_force = true,
     .speed = 1.0,
     .until = 12.0,
     .samples = 12},
    {.name = "power",
     .text = "other exponents, between walls",
     .n = 4,
     .mass = {1.0, 0.6},
     .k = {1.0, 1.4},
     .gap = {0.25, 0.0},
     .ngaps = 2,
     .p = 2.0,
     .gamma = 0.1,
     .b = 2.5,
     .left_wall = true,
     .right_wall = true,
     .speed = -1.0,
     .until = 12.0,
     .samples = 12},
};

#define REFERENCE_CASES (sizeof reference_cases / sizeof *reference_cases)

/* Entry i of a pattern that repeats after its last entry that is not zero. */
static inline double reference_repeat(const double *pattern, int i)
{
    int length = REFERENCE_PATTERN;
    while (length > 1 && pattern[length - 1] == 0.0)
        length--;
    return pattern[i % length];
}

static inline int reference_contacts(const struct reference_case *c)
{
    return c->n - 1 + (c->left_wall ? 1 : 0) + (c->right_wall ? 1 : 0);
}

/* The gap of contact j, counted from left, walls included. */
static inline double reference_gap(const struct reference_case *c, int j)
{
    return c->ngaps > 0 ? c->gap[j % c->ngaps] : 0.0;
}

#endif
