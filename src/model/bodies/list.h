/* Contacts that come and go, as the state holds them: columns by name, copies, retirement of what is gone, and their
 * numbers in one row for checkpoints. */
#ifndef CAROM_MODEL_BODIES_LIST_H
#define CAROM_MODEL_BODIES_LIST_H

#include "base/sum.h"
#include "carom/bodies.h"
#include "carom/state.h"

/* The first column of each quantity. */
struct carom_columns {
    size_t param;                /* of the normal law */
    size_t rub[CAROM_WAYS];      /* of the laws that resist each way */
    size_t mobility[CAROM_WAYS]; /* slip that an impulse of 1 makes; one column each where `width` is not 0 */
    size_t history;              /* of the normal law; the first that changes */
    size_t spring[CAROM_WAYS];   /* `width` columns each */
    size_t phase; /* CAROM_WAYS columns. Where a scheme locates changes: 0 open, else its own numbers above 0, of laws
                   * of overlap those of enum carom_contact_phase. Below 0: it does not, and the contact slips */
    size_t lost;  /* by mechanism, CAROM_RETIRED_KINDS columns */
    size_t end;
    size_t width[CAROM_WAYS]; /* numbers of a slip: 1 in the plane and of twists, 3 in space; 0: no law resists so */
};

struct carom_columns carom_list_columns(const struct carom_bodies *bodies);

struct carom_contacts *carom_list_create(const struct carom_bodies *bodies); /* NULL: out of memory */
void carom_list_free(struct carom_contacts *contacts);

/* Room for n contacts; what is there stays. Keys and parameters are this list's alone then: before they are written. */
bool carom_list_reserve(struct carom_contacts *contacts, size_t n);

/* Contacts may have something in column i from now on: 0 until somebody writes. False: out of memory. */
bool carom_list_claim(struct carom_contacts *contacts, size_t i);

/* The list becomes one of n contacts with these keys, of which number j stood at from[j] before (UINT32_MAX: it is
 * new). `like`: a list that was made so before and has the same keys now, or NULL; room: for n numbers. */
bool carom_list_renew(struct carom_contacts *contacts, const struct carom_bodies *bodies,
                      const struct carom_contact_key *key, size_t n, const uint32_t *from,
                      const struct carom_contacts *like, double *room);

/* Copies everything; where memory runs out `to` is empty and lacking. */
void carom_list_copy(struct carom_contacts *to, const struct carom_contacts *from);

/* Contact j is over: its losses are added to `lost`, by mechanism, and its history becomes zero. */
void carom_list_end(struct carom_contacts *contacts, const struct carom_columns *columns, size_t j,
                    struct carom_sum lost[CAROM_RETIRED_KINDS]);

/* The same, its losses going to what is retired. */
void carom_list_retire(struct carom_contacts *contacts, const struct carom_columns *columns, size_t j);

/* Energy that no contact of the list has lost goes to what is retired. */
void carom_list_book(struct carom_contacts *contacts, enum carom_retired mechanism, double energy);

/* Is there nothing to remember of contact j? */
bool carom_list_is_empty(const struct carom_contacts *contacts, size_t j);

/* Does contact j, whose law is one of overlap, slip in this way? Whatever scheme has said so. */
bool carom_list_slips(const struct carom_contacts *contacts, const struct carom_columns *columns, size_t j,
                      enum carom_way way);

/* It does, at the start of a run under whatever scheme. False: it cannot, or memory has run out. */
bool carom_list_mark(struct carom_contacts *contacts, const struct carom_columns *columns, size_t j,
                     enum carom_way way);

/* Energy lost by a mechanism: contacts of now in order, and those that are gone. */
double carom_list_lost(const struct carom_contacts *contacts, const struct carom_columns *columns,
                       enum carom_retired mechanism);

/* The numbers of a checkpoint: how many, and into `out`. Back: false if they do not fit the model or make no sense. */
size_t carom_list_count(const struct carom_contacts *contacts);
void carom_list_pack(const struct carom_contacts *contacts, double *out);
bool carom_list_unpack(struct carom_contacts *contacts, const struct carom_bodies *bodies, const double *in, size_t n);

/* -1, 0 or 1 as key a comes before, is, or comes after key b. */
int carom_list_order(const struct carom_contact_key *a, const struct carom_contact_key *b);

/* Where a key stands in a list, or its n. */
size_t carom_list_find(const struct carom_contacts *contacts, const struct carom_contact_key *key);

/* Parameter i of the law by which the bodies of a key meet. */
double carom_list_param(const struct carom_bodies *bodies, const struct carom_contact_key *key, size_t i);

/* Parameters of contact j, from what its bodies are. */
void carom_list_bear(struct carom_contacts *contacts, const struct carom_bodies *bodies, size_t j);

#endif
