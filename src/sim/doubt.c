/* Why a run promises nothing, see doubt.h. */
#include "sim/doubt.h"

#include <math.h>
#include <stdio.h>

#include "model/frame.h"
#include "sim/loop.h"

static enum carom_doubt_why why_of(const struct carom_split *split)
{
    return split->lasts > 0.0             ? CAROM_DOUBT_TOGETHER
           : split->lasts < 0.0           ? CAROM_DOUBT_MANY
           : split->open == split->struck ? CAROM_DOUBT_EDGE
                                          : CAROM_DOUBT_ORDER;
}

/* the contact of that number; the first, if none has it */
static size_t contact_of(const struct carom_model *model, double number)
{
    for (size_t j = 0; j < model->nc; j++)
        if ((double)carom_frame_number(model, j) == number)
            return j;
    return 0;
}

void carom_doubt_name(struct carom_doubt *doubt, const struct carom_model *model)
{
    if (doubt->why == CAROM_DOUBT_CHANGED || doubt->why == CAROM_DOUBT_UNSETTLED)
        return;
    carom_frame_tell(model, contact_of(model, doubt->contact), doubt->name[0]);
    carom_frame_tell(model, contact_of(model, doubt->other), doubt->name[1]);
}

struct carom_doubt carom_doubt(const struct carom_sim *sim)
{
    const struct carom_split *split = &sim->stepper->split;
    const struct carom_loop *loop = sim->own;
    if (loop->changes > 0.0)
        return (struct carom_doubt){.why = CAROM_DOUBT_CHANGED, .time = loop->changed, .contact = loop->changes};
    struct carom_doubt doubt = {.why =
                                    sim->model->latches && sim->estimate > 0.0 ? CAROM_DOUBT_LATCH : CAROM_DOUBT_NONE};
    if (loop->unsettled && !split->seen)
        return (struct carom_doubt){.why = CAROM_DOUBT_UNSETTLED, .time = loop->settled};
    if (!split->seen)
        return doubt;
    doubt = (struct carom_doubt){.why = why_of(split),
                                 .time = loop->unsettled ? fmin(split->time, loop->settled) : split->time,
                                 .contact = (double)carom_frame_number(sim->model, split->struck),
                                 .other = (double)carom_frame_number(sim->model, split->open),
                                 .gap = split->gap,
                                 .lasts = split->lasts};
    carom_doubt_name(&doubt, sim->model);
    return doubt;
}

void carom_doubt_recall(struct carom_sim *sim, const struct carom_doubt *before)
{
    struct carom_loop *loop = sim->own;
    if (before->why == CAROM_DOUBT_CHANGED) {
        loop->changes = before->contact;
        loop->changed = before->time;
        return;
    }
    if (before->why == CAROM_DOUBT_UNSETTLED) {
        loop->unsettled = true;
        loop->settled = before->time;
        return;
    }
    if (before->why == CAROM_DOUBT_NONE || before->why == CAROM_DOUBT_LATCH || before->time > sim->state->time)
        return;
    sim->stepper->split = (struct carom_split){true,
                                               before->time,
                                               before->gap,
                                               contact_of(sim->model, before->contact),
                                               contact_of(sim->model, before->other),
                                               before->lasts};
}

/* in words, or by its number, where nobody has the scene */
static const char *tell(const struct carom_doubt *doubt, int which, double number, char text[CAROM_FRAME_TOLD])
{
    if (*doubt->name[which])
        return doubt->name[which];
    snprintf(text, CAROM_FRAME_TOLD, "contact %.0f", number);
    return text;
}

void carom_doubt_say(const struct carom_doubt *doubt, bool si, char text[CAROM_DOUBT_TEXT])
{
    const char *second = si ? " s" : "", *metre = si ? " m" : "";
    const double t = doubt->time;
    char after[80], one[CAROM_FRAME_TOLD], two[CAROM_FRAME_TOLD];
    const char *contact = tell(doubt, 0, doubt->contact, one), *other = tell(doubt, 1, doubt->other, two);
    snprintf(after, sizeof after, "NO PROMISE after t = %g%s:", t, second);
    switch ((int)doubt->why) {
    case CAROM_DOUBT_TOGETHER:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s %s and others come to rest together within %.1e%s, and forces that pull %s "
                 "apart begin to do so too early",
                 after, contact, doubt->lasts, second, other);
        break;
    case CAROM_DOUBT_MANY:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s Coulomb's law does not say how %s slips on from an impact there: contacts may share its "
                 "impulses in other ways",
                 after, contact);
        break;
    case CAROM_DOUBT_EDGE:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s friction at %s is all that mu_static allows, to rounding, and whether it breaks away "
                 "decides what follows",
                 after, contact);
        break;
    case CAROM_DOUBT_ORDER:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s %s was struck while %s was open by %.1e%s, and which of them closes first "
                 "decides what follows",
                 after, contact, other, doubt->gap, metre);
        break;
    case CAROM_DOUBT_CHANGED:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s there the state was changed from outside (%.0f time%s in all); the scene alone gives another run",
                 after, doubt->contact, doubt->contact > 1.0 ? "s" : "");
        break;
    case CAROM_DOUBT_UNSETTLED:
        snprintf(text, CAROM_DOUBT_TEXT,
                 "%s pilot runs of smaller tolerances do not agree better there, so that the error may be larger than "
                 "any two of them show; compare with another scheme",
                 after);
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
