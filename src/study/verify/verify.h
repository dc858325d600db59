/* Verification: measures the rows of a paper and judges them. */
#ifndef CAROM_STUDY_VERIFY_VERIFY_H
#define CAROM_STUDY_VERIFY_VERIFY_H

#include "study/verify/measures.h"

enum carom_verdict { CAROM_VERDICT_PASS, CAROM_VERDICT_FAIL, CAROM_VERDICT_NOT_REPRODUCED };

/* "PASS", "FAIL", "NOT-REPRODUCED" */
const char *carom_verify_word(enum carom_verdict verdict);

/* Measures m->row. A row that cannot be measured fails: *measured is then NaN and `why` says why. Returns
 * CAROM_E_STOPPED or CAROM_E_MEMORY where that ended it, else CAROM_OK. */
enum carom_status carom_verify_row(const struct carom_measuring *m, double *measured, enum carom_verdict *verdict,
                                   struct carom_error *why);

#endif
