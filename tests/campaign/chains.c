/* Random chains under dp5, each with a tolerance of its own, against the way of exact.h: is the stated error true?
 *
 *     chains                    sixty, and checks that none breaks its promise
 *     chains FIRST COUNT        the chains of so many seeds, one line each: what can be split and resumed
 *     chains densely FIRST COUNT  the same with a thousand samples, inside every step
 *     chains scene SEED         the scene of a seed
 *     chains table FILE ...     what such lines come to */
#include "campaign/chains.h"

int main(int argc, char **argv)
{
    return chains_main(argc, argv, 60);
}
