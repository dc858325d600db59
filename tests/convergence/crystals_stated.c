/* Crystals struck at a corner: is what runs state true? */
#include "convergence/crystals_stated.h"

int main(void)
{
    crystals_check(HEXAGONAL, 12.0);
    crystals_check(FCC, 3.0);
    return check_end();
}
