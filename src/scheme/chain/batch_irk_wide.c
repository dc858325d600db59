/* The passes of batch_irk_abreast.h in four lanes. */
#include "base/wide.h"
#if defined CAROM_LANES
#include "scheme/chain/batch_irk_abreast.h"

static const struct carom_irk_passes passes = {predict, update, finish, switched, settle, impulses};

const struct carom_irk_passes *carom_batch_irk_wide(void)
{
    return carom_wide_runs() ? &passes : NULL;
}
#else
#include "scheme/chain/batch_irk_pass.h"

const struct carom_irk_passes *carom_batch_irk_wide(void)
{
    return NULL;
}
#endif
