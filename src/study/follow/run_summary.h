/* A summary follows one run and keeps what comparisons speak of: motions as histories, velocities after, the largest
 * force and the impulse of every contact, where energy was lost, and what the run cost. */
#ifndef CAROM_STUDY_FOLLOW_RUN_SUMMARY_H
#define CAROM_STUDY_FOLLOW_RUN_SUMMARY_H

#include "carom/progress.h"
#include "study/follow/history.h"
#include "study/follow/points.h"
#include "study/follow/track.h"
#include "study/follow/turns.h"

#define CAROM_RUN_SUMMARY_MISS 1e-4 /* of U and V: what the lines of histories may miss */

/* What a summary has heard of a contact so far. Time stepping of rigid contacts gives the force that makes up the
 * impulse of a whole step, impacts included. */
struct carom_run_summary_contact {
    double force;        /* at the last sample; of time stepping without impacts of its step */
    double begins, ends; /* the first and last event since then; ends < begins: there was none */
    double jolt;         /* impulse told with the last of them */
    uint64_t struck;     /* impacts since then */
    double lasting;      /* impulse of forces at samples, without impacts; NaN: samples miss some of it */
    double blown;        /* of impacts */
    double whole;        /* of all steps; NaN: there are steps without a sample */
};

/* What is not known is NaN. Contacts are in the order of files. */
struct carom_run_summary {
    size_t nq, nv, nc;
    struct carom_points points; /* of a solid: u and v are theirs, so nq = nv = count x axes */
    double first, last;         /* times */
    struct carom_scales scales;
    double closing;                /* the speed for which e below is told; 0: there is no e */
    bool rigid;                    /* contacts have impulses; forces only while they last */
    bool traced;                   /* rigid, but impacts tell the forces inside them, in a time of their own */
    bool forces, impulses, losses; /* are these known? */
    double step;                   /* of time stepping of rigid contacts; 0: impacts are found, or take time */
    bool logged;                   /* are impacts told? */
    struct carom_run_summary_contact *contact; /* nc */
    double sampled;                            /* time of the last sample of forces; NaN: there was none */
    uint64_t struck_since;                     /* impacts since then */
    struct carom_history *u, *v;               /* nq, nv */
    struct carom_turns turns;                  /* of bodies with corners */
    int32_t (*pair)[2];                        /* nc: as in carom_model */
    bool row;                                  /* of beads: contact j is right of body j; else contacts count from 1 */
    double *u_end, *v_end;                     /* nq, nv */
    double *peak, *peak_time;                  /* nc: largest force */
    double *impulse, *blow;                    /* nc: of the whole run; the largest of a single impact */
    double *lost;                              /* nc: energy dissipated */
    double *met;                    /* nc: when it acted first, or the first impact; NaN: never, or nobody knows */
    struct carom_episode top;       /* where contacts come and go, that with the largest force; contact 0: not known */
    double *e;                      /* nc: restitution of a pair that closes with V */
    struct carom_ledger ledger;     /* at the end */
    double energy;                  /* kinetic and stored at the start */
    double unbalanced;              /* as in sim/unbalanced.h: its ledger does not close; 0: it does */
    double tol;                     /* as there */
    struct carom_blunders blunders; /* of its impacts */
    struct carom_doubt doubt;       /* why it promises nothing */
    struct carom_counts counts;
    double seconds;                               /* of a processor, for a plain run */
    uint64_t impacts;                             /* single impacts */
    double struck, hardest;                       /* the sum of impulses where bodies met, and the largest */
    char scheme[32], contacts[200], options[300]; /* in words: laws with parameters, options of the scheme */
};

/* Runs the scene, whose model is used up; `again` is the same scene once more, for a plain run that is timed, or NULL:
 * cost stays unknown. Free with carom_run_summary_free, also on failure. */
enum carom_status carom_run_summary_run(struct carom_run_summary *summary, struct carom_scene *scene,
                                        struct carom_scene *again, const struct carom_progress *progress,
                                        struct carom_error *error);
void carom_run_summary_free(struct carom_run_summary *summary); /* fine for zeros */

/* What the model says: contacts, whether they are rigid, what closes with V. Scales are known by then. */
void carom_run_summary_model(struct carom_run_summary *summary, const struct carom_model *model, const double *q,
                             const double *v);

/* Makes room for nq, nv and nc; everything unknown. */
enum carom_status carom_run_summary_open(struct carom_run_summary *summary, size_t nq, size_t nv, size_t nc,
                                         struct carom_error *error);

/* The end of all histories. */
enum carom_status carom_run_summary_end(struct carom_run_summary *summary, struct carom_error *error);

/* --- summary_heard.c: what is told of contacts, by a run while it goes or by a file when it is replayed ----------- */

/* An event; forces of all contacts, not before the last ones and after the events up to then. Contacts that rest while
 * others are struck take their part in the blow: some schemes tell that as an impact and others as force, so that it is
 * not summed up over contacts. */
void carom_summary_heard_event(struct carom_run_summary *summary, const struct carom_event *event);
void carom_summary_heard_forces(struct carom_run_summary *summary, double time, const double *force);

/* Works the impulses of contacts out of that. */
void carom_summary_heard_impulses(struct carom_run_summary *summary);

/* --- summary_from_file.c: a run file as a summary would have kept the run; between samples lines are straight ---- */

/* Reads what is there; what was not recorded stays unknown. A file without displacements and velocities is refused.
 * `theory` and `title` are those of its scene. */
enum carom_status carom_summary_from_file(const char *path, char *theory, size_t theory_size, char *title,
                                          size_t title_size, bool *si, struct carom_run_summary *found,
                                          struct carom_error *error);

/* --- summary_words.c: what contacts and scheme are, for those who compare runs ----------------------------------- */

/* Fills in scheme, options and contacts. */
void carom_summary_words(struct carom_run_summary *w, bool si, const struct carom_model *model,
                         const struct carom_stepper *stepper);

#endif
