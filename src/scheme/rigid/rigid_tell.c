/* Names of contacts, see rigid_tell.h. */
#include "scheme/rigid/rigid_tell.h"

#include <stdio.h>
#include <string.h>

#include "model/bodies/linkage.h"
#include "model/frame.h"

enum { FEW = 3, EACH = 90 };

const char *carom_rigid_tell(const struct carom_model *model, const size_t *contact, size_t n,
                             char text[CAROM_RIGID_TELL_ROOM])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n && i < FEW; i++) {
        used += (size_t)snprintf(text + used, CAROM_RIGID_TELL_ROOM - used, "%s", i > 0 ? "; " : "");
        if (carom_linkage_of(model))
            carom_linkage_name(model, contact[i], text + used, EACH);
        else
            snprintf(text + used, EACH, "contact %zu", carom_frame_number(model, contact[i]));
        used += strlen(text + used);
    }
    if (n > FEW)
        snprintf(text + used, CAROM_RIGID_TELL_ROOM - used, "; and others");
    return text;
}

static const char *tell_chosen(const struct carom_model *model, carom_rigid_tell_choice *told, const void *own,
                               char text[CAROM_RIGID_TELL_ROOM])
{
    size_t some[FEW + 1] = {0}, n = 0;
    for (size_t j = 0; j < model->nc && n <= FEW; j++)
        if (told(own, j))
            some[n++] = j;
    return carom_rigid_tell(model, some, n, text);
}

enum carom_status carom_rigid_tell_still(const struct carom_stepper *stepper, double t, int times,
                                         carom_rigid_tell_choice *touches, const void *own, struct carom_error *error)
{
    char text[CAROM_RIGID_TELL_ROOM];
    const char *who = tell_chosen(stepper->model, touches, own, text); /* none: they have just parted */
    return carom_error_set(
        error, CAROM_E_NUMERIC,
        "%s makes no progress at t = %g: contacts changed %d times without time between or next to none%s%s%s; "
        "another tol may help",
        stepper->scheme->kind.name, t, times, who[0] ? ", of those that touch (" : "", who, who[0] ? ")" : "");
}

enum carom_status carom_rigid_tell_endless(const struct carom_stepper *stepper, double t, long impacts,
                                           carom_rigid_tell_choice *approaches, const void *own,
                                           struct carom_error *error)
{
    char text[CAROM_RIGID_TELL_ROOM];
    const bool most = carom_param_find(stepper->scheme->kind.params, "most") != NULL;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "impacts at t = %g do not end: %ld in one instant, and contacts still approach (%s%s); "
                           "bodies without room between walls and e = 1 never come to rest",
                           t, impacts, tell_chosen(stepper->model, approaches, own, text), most ? "; option most" : "");
}
