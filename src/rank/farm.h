/* Jobs that any rank may do: rank 0 hands them out one by one to whoever is free, itself included, so that long ones
 * keep nobody waiting. What is to be done, and what came of it, are a few bytes each. */
#ifndef CAROM_RANK_FARM_H
#define CAROM_RANK_FARM_H

#include "rank/rank.h"

struct carom_sim;

struct carom_farm {
    struct carom_ranks *ranks;                             /* NULL: threads of this process alone */
    size_t threads;                                        /* that work, here */
    size_t told, made;                                     /* bytes that say what to do, and what came of it */
    void (*work)(void *own, const void *told, void *made); /* on any rank and thread */
    void (*give)(void *own, size_t job, void *told);       /* on rank 0; any thread */
    void (*take)(void *own, size_t job, const void *made); /* likewise */
    /* on rank 0, now and then, where others work: false ends all; as in struct carom_watch, sim is NULL; may be NULL */
    bool (*watch)(void *own, const struct carom_sim *sim);
    void *own;
};

/* Does `jobs` jobs; returns when all are taken, or when watch has said no: then others are not waited for. On rank 0.
 * CAROM_E_MEMORY, or CAROM_OK. */
enum carom_status carom_farm_run(const struct carom_farm *farm, size_t jobs, struct carom_error *error);

/* The other ranks work for rank 0 until it closes the farm, which it does once; not if it has given them up. */
enum carom_status carom_farm_serve(const struct carom_farm *farm, struct carom_error *error);
void carom_farm_close(const struct carom_farm *farm);

#endif
