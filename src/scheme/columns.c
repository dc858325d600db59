/* How much a scheme remembers: the widths of its columns, added up. */
#include "scheme/columns.h"

size_t carom_columns_size(const struct carom_column *table, size_t which, const struct carom_model *model)
{
    size_t size = 0;
    for (const struct carom_column *c = table; c < table + which; c++)
        size += c->once + c->contact * model->nc + c->q * model->nq + c->v * model->nv + c->part * model->nparts;
    return size;
}
