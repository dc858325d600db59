/* The same in quadruple precision, as long as a test may take; the whole is crystals_stated_quad_long.c. */
#define CAMPAIGN_QUAD
#include "convergence/crystals_stated.h"

int main(void)
{
    crystals_check(HEXAGONAL, 2.0);
    return check_end();
}
