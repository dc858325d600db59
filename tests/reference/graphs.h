/* Impacts on contact graphs: discs and spheres that touch, some of which approach. All have radius 1/2; material 1
 * meets by other numbers than material 0, walls are planes of material 2. Laws are k x^(3/2) with energetic
 * restitution es. */
#ifndef CAROM_TESTS_REFERENCE_GRAPHS_H
#define CAROM_TESTS_REFERENCE_GRAPHS_H

#include <math.h>

enum { GRAPH_BODIES = 20, GRAPH_WALLS = 3, GRAPH_CONTACTS = 40, GRAPH_MATERIALS = 3 };

struct graph {
    const char *name;
    int dimension, n, nwalls;
    double at[GRAPH_BODIES][3], v[GRAPH_BODIES][3], mass[GRAPH_BODIES];
    int material[GRAPH_BODIES];
    double wall[GRAPH_WALLS][3], normal[GRAPH_WALLS][3];
    double k[GRAPH_MATERIALS][GRAPH_MATERIALS], es[GRAPH_MATERIALS][GRAPH_MATERIALS];
};

static inline void graph_body(struct graph *g, double x, double y, double z, double mass, int material)
{
    const double at[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        g->at[g->n][k] = at[k];
    g->mass[g->n] = mass;
    g->material[g->n++] = material;
}

static inline void graph_push(struct graph *g, int i, double x, double y, double z)
{
    g->v[i][0] = x;
    g->v[i][1] = y;
    g->v[i][2] = z;
}

static inline void graph_meets(struct graph *g, int a, int b, double k, double es)
{
    g->k[a][b] = g->k[b][a] = k;
    g->es[a][b] = g->es[b][a] = es;
}

static inline void graph_wall(struct graph *g, double x, double y, double nx, double ny)
{
    g->wall[g->nwalls][0] = x;
    g->wall[g->nwalls][1] = y;
    g->normal[g->nwalls][0] = nx;
    g->normal[g->nwalls++][1] = ny;
}

enum { GRAPHS = 7 };

/* case number `which`, from 0 */
static inline struct graph graph_of(int which)
{
    static const char *const names[GRAPHS] = {"triangle", "rhombus",   "corner",     "crystal",
                                              "rack",     "soft-rack", "tetrahedron"};
    struct graph g = {.name = names[which], .dimension = 2};
    const double up = 0.5 * sqrt(3.0);
    for (int a = 0; a < GRAPH_MATERIALS; a++)
        for (int b = a; b < GRAPH_MATERIALS; b++)
            graph_meets(&g, a, b, 1.0, 1.0);
    switch (which) {
    case 0:
        graph_body(&g, 0.0, 0.0, 0.0, 1.0, 0);
        graph_body(&g, up, 0.5, 0.0, 1.0, 0);
        graph_body(&g, up, -0.5, 0.0, 1.0, 0);
        graph_push(&g, 0, 1.0, 0.1, 0.0);
        break;
    case 1:
        graph_body(&g, -1.0, 0.0, 0.0, 2.0, 1);
        graph_body(&g, 0.0, 0.0, 0.0, 1.0, 0);
        graph_body(&g, up, 0.5, 0.0, 1.0, 0);
        graph_body(&g, up, -0.5, 0.0, 1.5, 0);
        graph_body(&g, 2.0 * up, 0.0, 0.0, 1.0, 1);
        graph_push(&g, 0, 1.0, 0.0, 0.0);
        graph_meets(&g, 0, 0, 1.0, 0.7);
        graph_meets(&g, 0, 1, 3.0, 0.9);
        break;
    case 2:
        graph_body(&g, 0.0, 0.0, 0.0, 1.0, 0);
        graph_body(&g, 0.6, 0.8, 0.0, 1.0, 0);
        graph_wall(&g, -0.5, 0.0, 1.0, 0.0);
        graph_wall(&g, 0.0, -0.5, 0.0, 1.0);
        graph_push(&g, 1, -0.8, -1.0, 0.0);
        graph_meets(&g, 0, 0, 1.0, 0.8);
        graph_meets(&g, 0, 2, 2.0, 0.6);
        break;
    case 3:
        for (int row = 0; row < 3; row++)
            for (int i = 0; i < 3; i++)
                graph_body(&g, i + 0.5 * (row % 2), row * up, 0.0, 1.0 + 0.1 * i, (row + i) % 2);
        graph_wall(&g, 0.0, 2.0 * up + 0.5, 0.0, -1.0);
        graph_push(&g, 1, 0.2, 1.0, 0.0);
        graph_push(&g, 3, 0.0, 0.3, 0.0);
        graph_meets(&g, 0, 0, 1.0, 0.5);
        graph_meets(&g, 0, 1, 2.0, 0.9);
        graph_meets(&g, 1, 1, 0.5, 0.8);
        graph_meets(&g, 0, 2, 1.5, 0.7);
        graph_meets(&g, 1, 2, 1.5, 0.9);
        break;
    case 4:
    case 5:
        graph_body(&g, -1.0, 0.0, 0.0, 1.0, 1);
        for (int row = 0; row < 5; row++)
            for (int i = 0; i <= row; i++)
                graph_body(&g, row * up, i - 0.5 * row, 0.0, 1.0, 0);
        graph_push(&g, 0, 1.0, which == 4 ? 0.0 : 0.05, 0.0);
        graph_meets(&g, 0, 0, 1.0, which == 4 ? 1.0 : 0.85);
        graph_meets(&g, 0, 1, which == 4 ? 1.0 : 2.0, which == 4 ? 1.0 : 0.95);
        break;
    default:
        g.dimension = 3;
        graph_body(&g, 0.0, 0.0, 0.0, 1.0, 0);
        graph_body(&g, 1.0, 0.0, 0.0, 1.0, 0);
        graph_body(&g, 0.5, up, 0.0, 2.0, 1);
        graph_body(&g, 0.5, up / 3.0, sqrt(2.0 / 3.0), 1.0, 0);
        graph_body(&g, 0.5, up / 3.0, 1.0 + sqrt(2.0 / 3.0), 3.0, 1);
        graph_push(&g, 4, 0.1, -0.05, -1.0);
        graph_meets(&g, 0, 0, 1.0, 0.6);
        graph_meets(&g, 0, 1, 1.0, 0.8);
        break;
    }
    return g;
}

#endif
