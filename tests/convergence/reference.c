/* The stored reference tables are what their program computes: the smallest is computed again. With the name of a case
 * as argument this is the program that makes its table. */
#include "reference/chain_reference.c"
