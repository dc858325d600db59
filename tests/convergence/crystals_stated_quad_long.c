/* Crystals struck at a corner against quadruple precision: the table of docs/tolerance.md. */
#define CAMPAIGN_QUAD
#include "convergence/crystals_stated.h"

int main(void)
{
    crystals_check(HEXAGONAL, 20.0);
    crystals_check(FCC, 8.0);
    return check_end();
}
