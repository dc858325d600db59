/* Every rooted tree up to the order of every tableau, explicit and implicit, and the forms that see errors. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "scheme/tableau_explicit.h"
#include "scheme/tableau_implicit.h"

enum { MOST = 8, TREES = 256, WIDE = 12 };

/* a tree: its nodes, density, and its children by number, never falling */
struct tree {
    int nodes, nchildren, child[MOST];
    double density;
};

static struct tree tree[TREES];
static size_t ntrees;

/* adds all trees whose children are taken from number `from` on and have `left` nodes in all */
static void grow(struct tree *t, int left, size_t from, size_t until)
{
    if (left == 0) {
        t->density = t->nodes;
        for (int i = 0; i < t->nchildren; i++)
            t->density *= tree[t->child[i]].density;
        CHECK_OR_STOP(ntrees < TREES);
        tree[ntrees++] = *t;
        return;
    }
    for (size_t k = from; k < until; k++) {
        if (tree[k].nodes > left)
            continue;
        t->child[t->nchildren++] = (int)k;
        grow(t, left - tree[k].nodes, k, until);
        t->nchildren--;
    }
}

static void plant(void)
{
    for (int nodes = 1; nodes <= MOST; nodes++) {
        struct tree t = {.nodes = nodes};
        grow(&t, nodes - 1, 0, ntrees);
    }
}

/* phi[i] of every tree at every stage of a matrix of n stages */
static void weigh(size_t n, const double *a, double phi[TREES][WIDE])
{
    for (size_t k = 0; k < ntrees; k++)
        for (size_t i = 0; i < n; i++) {
            phi[k][i] = 1.0;
            for (int c = 0; c < tree[k].nchildren; c++) {
                double sum = 0.0;
                for (size_t j = 0; j < n; j++)
                    sum += a[i * n + j] * phi[tree[k].child[c]][j];
                phi[k][i] *= sum;
            }
        }
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* the largest miss among trees of so many nodes */
static double miss(size_t n, const double *b, double phi[TREES][WIDE], int nodes, bool form)
{
    double worst = 0.0;
    for (size_t k = 0; k < ntrees; k++)
        if (tree[k].nodes == nodes)
            worst = fmax(worst, fabs(dot(b, phi[k], n) - (form ? 0.0 : 1.0 / tree[k].density)));
    return worst;
}

static void check_order(size_t n, const double *a, const double *b, const double *c, int order)
{
    static double phi[TREES][WIDE];
    weigh(n, a, phi);
    for (int nodes = 1; nodes <= order; nodes++)
        CHECK(miss(n, b, phi, nodes, false) < 2e-14);
    if (order < MOST)
        CHECK(miss(n, b, phi, order + 1, false) > 1e-6);
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += a[i * n + j];
        CHECK(fabs(sum - c[i]) < 2e-14);
    }
}

static void check_explicit(int order)
{
    static double phi[TREES][WIDE];
    const struct carom_tableau_explicit *t = carom_tableau_explicit_of(order);
    CHECK_OR_STOP(t && t->order == order);
    const size_t n = (size_t)t->stages, all = n + 1;
    double a[WIDE * WIDE] = {0.0}, more[WIDE * WIDE] = {0.0};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            a[i * n + j] = more[i * all + j] = t->a[i][j];
    memcpy(more + n * all, t->b, n * sizeof(double)); /* the slope at the end */
    check_order(n, a, t->b, t->c, order);
    weigh(all, more, phi);
    for (int nodes = 1; nodes <= t->sees; nodes++)
        CHECK(miss(all, t->fine, phi, nodes, true) < 1e-12);
    for (int nodes = 1; nodes < t->sees; nodes++)
        CHECK(miss(all, t->coarse, phi, nodes, true) < 1e-12);
    CHECK(miss(all, t->fine, phi, t->sees + 1, true) > 1e-3);
    CHECK(miss(all, t->coarse, phi, t->sees, true) > 1e-3);
    /* not blind for y' = f(t) */
    double power = 0.0;
    for (size_t i = 0; i < all; i++)
        power += t->fine[i] * pow(i < n ? t->c[i] : 1.0, t->sees);
    CHECK(fabs(power) > 0.01 / (t->sees + 1));
}

int main(void)
{
    plant();
    CHECK(ntrees == 1 + 1 + 2 + 4 + 9 + 20 + 48 + 115);
    for (int order = CAROM_TABLEAU_EXPLICIT_LEAST; order <= CAROM_TABLEAU_EXPLICIT_MOST; order++)
        check_explicit(order);
    CHECK(carom_tableau_explicit_of(1) == NULL && carom_tableau_explicit_of(9) == NULL);
    for (int order = 1; order <= 6; order++) {
        const struct carom_tableau_implicit *t = carom_tableau_implicit_of(order % 2 == 1, order);
        CHECK_OR_STOP(t && t->order == order);
        double a[9];
        const size_t n = (size_t)t->stages;
        for (size_t i = 0; i < n; i++)
            memcpy(a + i * n, t->a[i], n * sizeof(double));
        check_order(n, a, t->b, t->c, order);
        CHECK(carom_tableau_implicit_of(order % 2 == 0, order) == NULL);
    }
    CHECK_MAIN_END;
}
