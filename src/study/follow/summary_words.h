/* What a run's contacts and scheme are, for those who compare runs. */
#ifndef CAROM_STUDY_FOLLOW_SUMMARY_WORDS_H
#define CAROM_STUDY_FOLLOW_SUMMARY_WORDS_H

#include "study/follow/run_summary.h"

/* Fills in scheme, options and contacts. */
void carom_summary_words(struct carom_run_summary *w, bool si, const struct carom_model *model,
                         const struct carom_stepper *stepper);

#endif
