/* The book of impacts: every contact of a model from its closing to its opening, followed at the steps of the scheme,
 * so that peak, impulse and loss do not depend on when samples are taken. Closings come from the events; then a contact
 * is looked at after every step, or a few times less often where fixed steps are much shorter than any contact, until a
 * look finds it open. Peaks are those of model/peak_force.h. Everything here only looks. */
#ifndef CAROM_SIM_BOOK_EPISODES_H
#define CAROM_SIM_BOOK_EPISODES_H

#include "carom/sim.h"
#include "model/peak_force.h"
#include "sim/between/breaks.h"
#include "sim/between/impulses.h"
#include "sim/book/episodes_faces.h"
#include "sim/swings/swings.h"

struct carom_episodes {
    uint64_t most;   /* how many are kept; 0: there is no book */
    uint64_t left;   /* out so far */
    uint64_t stride; /* steps from look to look */
    uint64_t leap;   /* the same of plain rows that nothing has closed or opened in of late */
    double quiet;    /* leaps without any after a contact has closed or opened */
    double apart;    /* the time between such looks, where steps are not fixed; 0: they are, or all are looked at */
    uint64_t looked, next;             /* the steps of the last look at a plain row and of the next one */
    const struct carom_breaks *breaks; /* where forces may jump */
    bool inside;                       /* is the middle of every step looked at, too? */
    bool zeros;                        /* are events noted where forces pass 0? */
    size_t n;
    struct carom_peak_force peak;
    unsigned char *closed;             /* n: is it under way? */
    size_t first, last, under_way;     /* those that are lie in [first, last), and are so many */
    double *since, *speed, *lost;      /* n: of those under way, as in struct carom_episode */
    struct carom_impulses sums;        /* the same: impulses (of plain rows: what passed before) and overlaps */
    struct carom_swings swings;        /* of plain rows */
    double *kept;                      /* n: the largest peak in the book */
    struct carom_episode *best;        /* n, once any is left out: the largest of these */
    double ended;                      /* when the last of them did */
    double latest;                     /* when the last of those under way closed; HUGE_VAL: to be found out */
    struct carom_episodes_faces faces; /* rows of surfaces of solids */
    double *times;                     /* 3 n: of looks, which closings and openings take apart from others */
    size_t npack, pack_room;
    double *pack; /* for a checkpoint, see episodes_pack.h */
};

/* Room for all contacts, if the sim's recorder wants a book. */
enum carom_status carom_episodes_open(struct carom_episodes *book, struct carom_sim *sim, struct carom_error *error);
void carom_episodes_close(struct carom_episodes *book);

/* What is closed when a run begins, unless the book is that of a checkpoint. */
enum carom_status carom_episodes_begin(struct carom_episodes *book, struct carom_sim *sim, struct carom_error *error);

/* The largest overlap of a contact so far, which may be that of the last look. */
static inline double carom_episodes_deepest(const struct carom_episodes *book, size_t j)
{
    return fmax(book->sums.overlap[j], book->peak.look[2].deform[j]);
}

/* Contact j is under way from then on. */
static inline void carom_episodes_mark(struct carom_episodes *book, size_t j, double since)
{
    book->closed[j] = 1;
    carom_swings_begin(&book->swings, j);
    book->since[j] = since;
    book->latest = fmax(book->latest, since);
    book->under_way++;
    book->first = j < book->first ? j : book->first;
    book->last = j + 1 > book->last ? j + 1 : book->last;
}

/* When the first of those under way closed that did so after t; HUGE_VAL: none did. */
static inline double carom_episodes_since(const struct carom_episodes *book, double t)
{
    double first = HUGE_VAL;
    for (size_t j = book->first; j < book->last; j++)
        first = book->closed[j] && book->since[j] > t && book->since[j] < first ? book->since[j] : first;
    return first;
}

/* When the last of those under way closed; -HUGE_VAL: none is. */
double carom_episodes_latest(struct carom_episodes *book);

/* Was any of those under way, when they were last looked at, deeper than this? */
static inline bool carom_episodes_deep(const struct carom_episodes *book, double overlap)
{
    for (size_t j = book->first; j < book->last; j++)
        if (book->closed[j] && book->peak.look[2].deform[j] > overlap)
            return true;
    return false;
}

/* How many steps may pass before the next look; is it now? */
static inline size_t carom_episodes_steps(const struct carom_episodes *book, uint64_t step)
{
    const uint64_t steps = !book->swings.on    ? book->stride - step % book->stride
                           : book->next > step ? book->next - step
                                               : 1;
    return book->first < book->last ? (size_t)steps : SIZE_MAX;
}

/* Where a contact closes or opens, forces on its neighbours begin and end like roots, which no polynomial follows: all
 * are looked at then, and without leaps for a while. While nothing is under way there is nothing to see, wherever calls
 * of the scheme end. */
static inline bool carom_episodes_due(const struct carom_episodes *book, uint64_t step)
{
    if (!book->swings.on)
        return book->first < book->last && step % book->stride == 0;
    return step >= book->next || (book->swings.leaps && book->swings.copy[2]->smooth && step == book->swings.turned_at);
}

/* A contact closed or opened in the last step, at whose start and end overlap and rate were these. */
enum carom_status carom_episodes_turned(struct carom_episodes *book, struct carom_sim *sim,
                                        const struct carom_event *event, const double deform[2], const double rate[2],
                                        struct carom_error *error);

/* A rigid contact was struck: what that comes to, its loss by the work of its impulse; and into the book with it. */
static inline struct carom_episode carom_episodes_impact(const struct carom_event *event)
{
    return (struct carom_episode){.contact = event->contact,
                                  .closed = event->time,
                                  .opened = event->time,
                                  .speed = -event->before,
                                  .peak_time = event->time,
                                  .impulse = event->impulse,
                                  .dissipated = event->lost};
}
enum carom_status carom_episodes_struck(struct carom_episodes *book, const struct carom_event *event,
                                        struct carom_recorder *recorder, struct carom_error *error);

/* Looks at all contacts under way now, unless the last look was then. What has opened is written. */
enum carom_status carom_episodes_look(struct carom_episodes *book, struct carom_sim *sim, struct carom_error *error);

/* The run is over: those that are still closed are written, and the largest of those left out. */
enum carom_status carom_episodes_end(struct carom_episodes *book, struct carom_sim *sim, struct carom_error *error);

#endif
