/* 0 <= z _|_ b + W z >= 0 in quadruple precision: every set of a few contacts is tried, and of more an active set grows
 * where rates are worst (Lawson and Hanson). */
#ifndef CAROM_TESTS_LCP_QUAD_H
#define CAROM_TESTS_LCP_QUAD_H

#include <stdbool.h>

#include "quad.h"

enum { LCP_QUAD_ROOM = 40, LCP_QUAD_FEW = 8 };

static inline quad lcp_quad_abs(quad x)
{
    return x < 0 ? -x : x;
}

static inline bool lcp_quad_eliminate(int n, quad a[LCP_QUAD_ROOM][LCP_QUAD_ROOM + 1])
{
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c + 1; i < n; i++)
            best = lcp_quad_abs(a[i][c]) > lcp_quad_abs(a[best][c]) ? i : best;
        if (!(lcp_quad_abs(a[best][c]) > (quad)1e-25))
            return false;
        for (int k = 0; k <= n; k++) {
            const quad hold = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = hold;
        }
        for (int i = 0; i < n; i++) {
            const quad f = i == c ? 0 : a[i][c] / a[c][c];
            for (int k = c; k <= n && i != c; k++)
                a[i][k] -= f * a[c][k];
        }
    }
    for (int i = 0; i < n; i++)
        a[i][n] /= a[i][i];
    return true;
}

/* z of the contacts in `set`, whose rates after it are 0, the others' z 0; false: they depend on each other */
static inline bool lcp_quad_active(int count, quad w[LCP_QUAD_ROOM][LCP_QUAD_ROOM], const quad *b, const bool *set,
                                   quad *z)
{
    quad a[LCP_QUAD_ROOM][LCP_QUAD_ROOM + 1];
    int in[LCP_QUAD_ROOM] = {0}, n = 0;
    for (int i = 0; i < count; i++) {
        z[i] = 0;
        if (set[i])
            in[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            a[i][k] = w[in[i]][in[k]];
        a[i][n] = -b[in[i]];
    }
    if (!lcp_quad_eliminate(n, a))
        return false;
    for (int i = 0; i < n; i++)
        z[in[i]] = a[i][n];
    return true;
}

/* the contact outside of `set` whose rate after z is lowest, -1: none is; *rate: that */
static inline int lcp_quad_lowest(int count, quad w[LCP_QUAD_ROOM][LCP_QUAD_ROOM], const quad *b, const bool *set,
                                  const quad *z, quad *rate)
{
    int lowest = -1;
    *rate = 0;
    for (int i = 0; i < count; i++) {
        quad after = b[i];
        for (int k = 0; k < count; k++)
            after += w[i][k] * z[k];
        if (!set[i] && after < *rate) {
            *rate = after;
            lowest = i;
        }
    }
    return lowest;
}

static inline bool lcp_quad_try(int count, quad w[LCP_QUAD_ROOM][LCP_QUAD_ROOM], const quad *b, quad enough, quad *z)
{
    for (unsigned number = 0; number < 1U << count; number++) {
        bool set[LCP_QUAD_ROOM] = {false};
        quad rate, worst = 0;
        for (int i = 0; i < count; i++)
            set[i] = number >> i & 1U;
        if (!lcp_quad_active(count, w, b, set, z))
            continue;
        for (int i = 0; i < count; i++)
            worst = -z[i] * w[i][i] > worst ? -z[i] * w[i][i] : worst;
        lcp_quad_lowest(count, w, b, set, z, &rate);
        if (worst <= enough && -rate <= enough)
            return true;
    }
    return false;
}

/* goes from z towards `to` as far as nothing becomes negative; what stops it leaves the set. True: all the way */
static inline bool lcp_quad_go(int count, const quad *to, bool *set, quad *z)
{
    quad part = 1;
    int stop = -1;
    for (int i = 0; i < count; i++)
        if (set[i] && to[i] <= 0 && z[i] / (z[i] - to[i]) < part) {
            part = z[i] / (z[i] - to[i]);
            stop = i;
        }
    for (int i = 0; i < count; i++)
        z[i] += part * (to[i] - z[i]);
    if (stop >= 0) {
        set[stop] = false;
        z[stop] = 0;
    }
    return stop < 0;
}

static inline bool lcp_quad_grow(int count, quad w[LCP_QUAD_ROOM][LCP_QUAD_ROOM], const quad *b, quad enough, quad *z)
{
    bool set[LCP_QUAD_ROOM] = {false};
    quad to[LCP_QUAD_ROOM], rate;
    for (int i = 0; i < count; i++)
        z[i] = 0;
    for (int round = 0; round < 10000; round++) {
        const int worst = lcp_quad_lowest(count, w, b, set, z, &rate);
        if (worst < 0 || -rate <= enough)
            return true;
        set[worst] = true;
        do {
            if (!lcp_quad_active(count, w, b, set, to))
                return false;
        } while (!lcp_quad_go(count, to, set, z));
    }
    return false;
}

/* false: no z was found that is good to `enough` */
static inline bool lcp_quad_solve(int count, quad w[LCP_QUAD_ROOM][LCP_QUAD_ROOM], const quad *b, quad enough, quad *z)
{
    return count <= LCP_QUAD_FEW ? lcp_quad_try(count, w, b, enough, z) : lcp_quad_grow(count, w, b, enough, z);
}

#endif
