/* A few hundred random contact graphs; graphs_long has ten thousand. */
#include "random_graphs.h"

int main(void)
{
    graphs_check_all(1, 150);
    return check_end();
}
