/* As chains.c, with the other way in quadruple precision. */
#define CAMPAIGN_QUAD
#include "campaign/chains.h"

int main(int argc, char **argv)
{
    return chains_main(argc, argv, 100);
}
