/* What a recorder counts of its rows, see tally.h. */
#include "record/tally.h"

#include <math.h>

void carom_tally_row(struct carom_tally *tally, uint64_t half, bool between, const struct carom_ledger *l,
                     const struct carom_state *view)
{
    const double residual = fabs(l->residual);
    double *worst = between ? &tally->worst_between : &tally->worst_residual;
    if (tally->rows++ == half)
        tally->half = view->time;
    tally->last = *l;
    tally->largest = fmax(tally->largest, fmax(fmax(fabs(l->kinetic), fabs(l->stored)), fabs(l->dissipated)));
    tally->given = fmax(tally->given, carom_balance_given(view, l));
    if (isnan(residual) || residual > *worst) /* a NaN stays seen: nothing is larger */
        *worst = residual;
}
