/* Gauss and Radau IIA: collocation at the zeros of Legendre's polynomials, and at those of P_s - P_(s-1) mapped to
 * (0, 1]. Tests check the order conditions. */
#include "scheme/tableau_implicit.h"

#include <stddef.h>

#define R3 1.7320508075688772935274463415059
#define R6 2.4494897427831780981972840747059
#define R15 3.8729833462074168851792653997824

static const struct carom_tableau_implicit gauss[] = {
    {2, 1, {{0.5}}, {1.0}, {0.5}},
    {4, 2, {{0.25, 0.25 - R3 / 6.0}, {0.25 + R3 / 6.0, 0.25}}, {0.5, 0.5}, {0.5 - R3 / 6.0, 0.5 + R3 / 6.0}},
    {6,
     3,
     {{5.0 / 36.0, 2.0 / 9.0 - R15 / 15.0, 5.0 / 36.0 - R15 / 30.0},
      {5.0 / 36.0 + R15 / 24.0, 2.0 / 9.0, 5.0 / 36.0 - R15 / 24.0},
      {5.0 / 36.0 + R15 / 30.0, 2.0 / 9.0 + R15 / 15.0, 5.0 / 36.0}},
     {5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0},
     {0.5 - R15 / 10.0, 0.5, 0.5 + R15 / 10.0}},
};

static const struct carom_tableau_implicit radau_iia[] = {
    {1, 1, {{1.0}}, {1.0}, {1.0}},
    {3, 2, {{5.0 / 12.0, -1.0 / 12.0}, {0.75, 0.25}}, {0.75, 0.25}, {1.0 / 3.0, 1.0}},
    {5,
     3,
     {{(88.0 - 7.0 * R6) / 360.0, (296.0 - 169.0 * R6) / 1800.0, (-2.0 + 3.0 * R6) / 225.0},
      {(296.0 + 169.0 * R6) / 1800.0, (88.0 + 7.0 * R6) / 360.0, (-2.0 - 3.0 * R6) / 225.0},
      {(16.0 - R6) / 36.0, (16.0 + R6) / 36.0, 1.0 / 9.0}},
     {(16.0 - R6) / 36.0, (16.0 + R6) / 36.0, 1.0 / 9.0},
     {(4.0 - R6) / 10.0, (4.0 + R6) / 10.0, 1.0}},
};

const struct carom_tableau_implicit *carom_tableau_implicit_of(bool radau, int order)
{
    for (size_t i = 0; i < CAROM_TABLEAU_IMPLICIT_STAGES; i++)
        if ((radau ? radau_iia : gauss)[i].order == order)
            return radau ? &radau_iia[i] : &gauss[i];
    return NULL;
}
