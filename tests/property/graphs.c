/* A hundred random contact graphs; graphs_long has ten thousand. */
#include "random_graphs.h"

int main(void)
{
    graphs_check_all(1, 50);
    return check_end();
}
