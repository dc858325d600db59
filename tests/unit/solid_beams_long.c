/* All beams of waves onto absorbing sides, see beams.h. */
#include "beams.h"

int main(void)
{
    beams_check(0, SIZE_MAX);
    return check_end();
}
