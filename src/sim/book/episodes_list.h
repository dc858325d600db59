/* The book of impacts of contacts that come and go, see episodes.h: those under way are remembered by their keys.
 * Forces are those along the normal. */
#ifndef CAROM_SIM_BOOK_EPISODES_LIST_H
#define CAROM_SIM_BOOK_EPISODES_LIST_H

#include "carom/bodies.h"
#include "carom/sim.h"
#include "model/bodies/list.h"
#include "sim/book/episodes.h"

#define CAROM_EPISODES_LIST_HISTORY 2 /* numbers that a normal law may remember */

/* A contact under way, with the last looks at it, the oldest first. */
struct carom_episodes_way {
    struct carom_contact_key key;
    uint64_t looks;
    double since, speed, impulse, overlap, lost, peak, when; /* as in struct carom_episode */
    double time[3], deform[3], rate[3], force[3], history[3][CAROM_EPISODES_LIST_HISTORY];
};

struct carom_episodes_list {
    uint64_t most, left, stride; /* as in struct carom_episodes */
    const struct carom_bodies *bodies;
    struct carom_columns columns;
    size_t n, room;
    struct carom_episodes_way *way; /* n: by their keys */
    size_t nbest, best_room;
    struct carom_episode *best; /* nbest, by their pairs: the largest of those left out */
    bool begun, rigid;          /* rigid: the scheme tells of impacts */
    bool inside;                /* may forces peak in the middle of steps (between/inside.h)? */
    double recent;              /* when a contact closed last; before the first -HUGE_VAL */
    size_t pack_room;
    double *pack;
};

/* If the sim's recorder wants a book of contacts that come and go. */
void carom_episodes_list_open(struct carom_episodes_list *book, const struct carom_sim *sim);
void carom_episodes_list_close(struct carom_episodes_list *book);

/* What is closed when a run begins, unless the book is that of a checkpoint. */
enum carom_status carom_episodes_list_begin(struct carom_episodes_list *book, const struct carom_sim *sim,
                                            struct carom_error *error);

/* A contact closed or opened in the last step, at whose start and end overlap and rate were these. */
enum carom_status carom_episodes_list_turned(struct carom_episodes_list *book, struct carom_sim *sim,
                                             const struct carom_contact_key *key, const struct carom_event *event,
                                             const double deform[2], const double rate[2], struct carom_error *error);

/* Rigid bodies struck each other. */
enum carom_status carom_episodes_list_struck(struct carom_episodes_list *book, const struct carom_event *event,
                                             struct carom_recorder *recorder, struct carom_error *error);

/* Looks at all contacts under way; `breaks`: where signals of driven bodies break. */
void carom_episodes_list_look(struct carom_episodes_list *book, struct carom_sim *sim, bool breaks);

/* The run is over. */
enum carom_status carom_episodes_list_end(struct carom_episodes_list *book, struct carom_sim *sim,
                                          struct carom_error *error);

/* All numbers for a checkpoint (NULL: out of memory); and out of one, false: they do not fit. */
const double *carom_episodes_list_pack(struct carom_episodes_list *book, size_t *n);
bool carom_episodes_list_unpack(struct carom_episodes_list *book, const double *pack, size_t n);

#endif
