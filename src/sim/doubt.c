/* Why a run promises nothing, see doubt.h. */
#include "sim/doubt.h"

#include <stdio.h>

#include "model/frame.h"

static enum carom_doubt_why why_of(const struct carom_split *split)
{
    return split->lasts > 0.0             ? CAROM_DOUBT_TOGETHER
           : split->lasts < 0.0           ? CAROM_DOUBT_MANY
           : split->open == split->struck ? CAROM_DOUBT_EDGE
                                          : CAROM_DOUBT_ORDER;
}

struct carom_doubt carom_doubt(const struct carom_sim *sim)
{
    const struct carom_split *split = &sim->stepper->split;
    if (split->seen)
        return (struct carom_doubt){why_of(split),
                                    split->time,
                                    (double)carom_frame_number(sim->model, split->struck),
                                    (double)carom_frame_number(sim->model, split->open),
                                    split->gap,
                                    split->lasts};
    return (struct carom_doubt){.why =
                                    sim->model->latches && sim->estimate > 0.0 ? CAROM_DOUBT_LATCH : CAROM_DOUBT_NONE};
}

/* the contact of that number; the first, if none has it */
static size_t contact_of(const struct carom_model *model, double number)
{
    for (size_t j = 0; j < model->nc; j++)
        if ((double)carom_frame_number(model, j) == number)
            return j;
    return 0;
}

void carom_doubt_recall(struct carom_sim *sim, const struct carom_doubt *before)
{
    if (before->why == CAROM_DOUBT_NONE || before->why == CAROM_DOUBT_LATCH || before->time > sim->state->time)
        return;
    sim->stepper->split = (struct carom_split){true,
                                               before->time,
                                               before->gap,
                                               contact_of(sim->model, before->contact),
                                               contact_of(sim->model, before->other),
                                               before->lasts};
}

void carom_doubt_say(const struct carom_doubt *doubt, bool si, char text[CAROM_DOUBT_TEXT])
{
    const char *second = si ? " s" : "", *metre = si ? " m" : "";
    const double t = doubt->time;
    char after[80];
    snprintf(after, sizeof after, "NO PROMISE after t = %g%s:", t, second);
    switch ((int)doubt->why) {
    case CAROM_DOUBT_TOGETHER:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s contact %.0f and others come to rest together within %.1e%s, and forces that pull contact %.0f "
                 "apart begin to do so too early",
                 after, doubt->contact, doubt->lasts, second, doubt->other);
        break;
    case CAROM_DOUBT_MANY:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s Coulomb's law does not say how contact %.0f slips on from an impact there: contacts may share its "
                 "impulses in other ways",
                 after, doubt->contact);
        break;
    case CAROM_DOUBT_EDGE:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s friction at contact %.0f is all that mu_static allows, to rounding, and whether it breaks away "
                 "decides what follows",
                 after, doubt->contact);
        break;
    case CAROM_DOUBT_ORDER:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s contact %.0f was struck while contact %.0f was open by %.1e%s, and which of them closes first "
                 "decides what follows",
                 after, doubt->contact, doubt->other, doubt->gap, metre);
        break;
    case CAROM_DOUBT_LATCH:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "NO PROMISE where a damped force only just comes down to zero: whether it latches decides what "
                 "follows; compare with a smaller tol");
        break;
    default:
        *text = '\0';
    }
}
