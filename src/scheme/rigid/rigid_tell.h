/* Contacts in the sentences of schemes for rigid contacts. */
#ifndef CAROM_SCHEME_RIGID_RIGID_TELL_H
#define CAROM_SCHEME_RIGID_RIGID_TELL_H

#include "carom/scheme.h"

enum { CAROM_RIGID_TELL_ROOM = 320 };

/* Which of the contacts 0 .. nc are meant. */
typedef bool carom_rigid_tell_choice(const void *own, size_t j);

static inline bool carom_rigid_tell_any(const struct carom_stepper *stepper, carom_rigid_tell_choice *meant,
                                        const void *own)
{
    for (size_t j = 0; j < stepper->model->nc; j++)
        if (meant(own, j))
            return true;
    return false;
}

/* n contacts by their indices in words, the first few of them: "bodies 1 and 2, place 1; bodies 1 and 3, corner 2; and
 * others" where bodies are known, else "contact 1; contact 4". "" of none. */
const char *carom_rigid_tell(const struct carom_model *model, const size_t *contact, size_t n,
                             char text[CAROM_RIGID_TELL_ROOM]);

/* Contacts changed so many times at t and no time passed, among those that touch. */
enum carom_status carom_rigid_tell_still(const struct carom_stepper *stepper, double t, int times,
                                         carom_rigid_tell_choice *touches, const void *own, struct carom_error *error);

/* So many impacts in one instant, and there are contacts that approach. */
enum carom_status carom_rigid_tell_endless(const struct carom_stepper *stepper, double t, long impacts,
                                           carom_rigid_tell_choice *approaches, const void *own,
                                           struct carom_error *error);

#endif
