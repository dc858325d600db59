/* Ten thousand random contact graphs, see random_graphs.h. */
#include "random_graphs.h"

int main(void)
{
    graphs_check_all(2, 5000);
    return check_end();
}
