/* Recording: probes read named quantities from a view, the recorder decides when, sinks keep them.
 * Nothing here can change a trajectory: views are copies. */
#ifndef CAROM_RECORD_H
#define CAROM_RECORD_H

#include "carom/scheme.h"

CAROM_BEGIN

enum carom_extent {
    CAROM_PER_RUN,        /* one number */
    CAROM_PER_COORDINATE, /* one per coordinate q of each part */
    CAROM_PER_VELOCITY,   /* one per velocity v of each part */
    CAROM_PER_CONTACT,    /* one per contact */
    CAROM_PER_SENSOR,     /* one number of a force sensor, or of a bead or contact that was chosen */
    CAROM_PER_REGION,     /* one number or a tensor over a region of space */
    CAROM_PER_LIST,       /* contacts that come and go: as many rows of struct carom_touch as there are */
};

/* A box of plane or space that probes may read: what has its place at low <= x < high. */
struct carom_region {
    double low[3], high[3];
};

struct carom_grains;
struct carom_grains_moment;

/* A view with everything a probe may want, worked out once per sample. */
struct carom_reading {
    const struct carom_model *model;
    const struct carom_state *view;
    const struct carom_ledger *ledger;
    const double *deform, *force, *stored; /* nc each; gaps that are wide may be told too small; force as it acts */
    const double *slip;                    /* nc: how fast contacts slip */
    const double *sensor;                  /* for each sensor, through its filter and without it */
    const double (*stress)[6];             /* of all cells of a solid, or all discs and spheres, where it is wanted */
    const double (*reaction)[6];       /* of all clamps and drives of a solid, force and moment, where it is wanted */
    const struct carom_region *region; /* of probes that read one; NULL: everywhere */
    const struct carom_grains *grains; /* and what they read, src/record/grains.h */
    const struct carom_grains_moment *moment;
};

struct carom_probe {
    struct carom_kind kind;
    enum carom_extent extent;
    const char *path; /* in run files; %s is the part's name for coordinates and velocities */
    const char *unit;
    /* `member` is the part to read (coordinates and velocities), else 0; NULL for lists */
    void (*read)(const struct carom_reading *reading, size_t member, double *out);
};

/* All probes, NULL-ended; the ledger's are recorded always. */
extern const struct carom_probe *const carom_probe_list[];
const struct carom_probe *carom_probe_find(const char *name);

/* One probe on one part: a column range of every row. */
struct carom_channel {
    const struct carom_probe *probe;
    size_t member;
    char path[96];
    size_t offset, size; /* doubles in the row */
    size_t depth;        /* of these, side by side for each body: axes; 0: one */
};

/* When to sample; several may hold at once. */
struct carom_schedule {
    double every;         /* interval, 0: none; sample i is at i * every */
    double from, to;      /* samples of `every` only between these times; to = 0: until the end */
    uint64_t every_steps; /* 0: none */
    size_t ntimes;
    const double *times; /* ntimes, rising; copied */
    bool events;         /* note contact openings and closings */
    bool zeros;          /* and when forces of closed contacts pass 0; where there is a book of episodes */
    uint64_t episodes;   /* how many episodes of contacts are kept at most; 0: none */
    double action; /* interval while contacts act, as long as there are fewer than `most` rows; 0: as at other times */
    uint64_t most;
    double impact_every; /* interval of the forces inside impacts, in an impact's own time; 0: as `every` */
    double end;          /* of the run: of `most` rows some are left until then; 0: they are taken as they come */
};

/* An impact as a whole, and a sample of a force inside one: impacts count from 0. */
struct carom_blow {
    double time, duration, estimate; /* when in the run; how long in its own time; error of the velocities, a speed */
};
struct carom_blow_force {
    uint64_t impact, contact;
    double time, force; /* time since the impact began */
};

/* A contact from its closing to its opening: what the impact was, found at the steps of the scheme and not at samples.
 * Rigid contacts that are struck close and open at one moment, and nobody knows the force there. */
struct carom_episode {
    uint64_t contact;  /* its number or, where contacts come and go, carom_event_pair of its bodies */
    double closed;     /* when; where it was closed already, the start of the run */
    double opened;     /* infinite: still closed at the end of the run */
    double speed;      /* with which it closed */
    double peak_force; /* the largest force with which it pushed, and when; 0: nobody knows */
    double peak_time;
    double impulse;    /* of its force */
    double dissipated; /* energy that it lost */
    double overlap;    /* the largest */
    /* where solids meet something: the impulse as a vector, on the second body of the contact's pair; else zeros */
    double impulse_vector[3];
};
#define CAROM_EPISODE_REALS 8 /* all of it but the contact and the vector */

/* What a run file says of itself. Strings are copied by sinks. */
struct carom_origin {
    const char *title, *scene, *set; /* scene: the text; set: overrides, one per line */
    const char *units;               /* "si" or "none" */
    const char *command;             /* how it was made, or "" */
    uint64_t seed;
};

/* A contact that comes and goes, closed at a sample. Vectors have 0 along axes that the model does not have. */
struct carom_touch {
    uint64_t pair[2];  /* bodies, counted from 1 */
    double point[3];   /* where they touch; inside the domain along its joined sides */
    double normal[3];  /* from the first body to the second */
    double force[3];   /* on the second body */
    double gap;        /* negative: the overlap */
    double dissipated; /* since it closed */
};

struct carom_row {
    uint64_t index; /* of the sample, from 0 */
    double time;
    uint64_t step;
    const double *value; /* of all channels, in order */
    size_t ntouches;
    const struct carom_touch *touch; /* where the layout has them */
};

/* All that a restart needs beside the scene. */
/* What impacts of a run did that their law does not say: energy that they created, blows whose path was cut and what
 * these might still have given back, and steps in which contacts had e = 0 or Newton's e for another one. */
struct carom_blunders {
    double created, cut, cut_energy, deadened, newtonian;
};

/* Why a run promises nothing: which of two contacts closes first, whether one that mu_static just holds breaks away,
 * how impulses are shared, or forces that act in the middle of impacts which die out together, decides what follows; or
 * whether a damped force latches that comes down to zero; or the state was changed from outside, by carom_sim_set,
 * which is told before all else. */
enum carom_doubt_why {
    CAROM_DOUBT_NONE,
    CAROM_DOUBT_ORDER,
    CAROM_DOUBT_EDGE,
    CAROM_DOUBT_MANY,
    CAROM_DOUBT_TOGETHER,
    CAROM_DOUBT_LATCH,
    CAROM_DOUBT_CHANGED,
    CAROM_DOUBT_UNSETTLED
};

/* From when on, numbers of contacts as they are told (of changes from outside how many there were), how far the second
 * was open, and in how long impacts die out; and both contacts in words, which files do not hold. */
struct carom_doubt {
    double why, time, contact, other, gap, lasts;
    char name[2][120];
};

/* Errors over the whole run as pilot runs and the ledger tell them, see struct carom_sim; 0: not known. */
struct carom_stated {
    double estimate, growth, horizon, sight, unbalanced;
    struct carom_blunders blunders;
    struct carom_doubt doubt;
    double flown;
};

struct carom_checkpoint {
    const struct carom_state *state;
    struct carom_counts counts;
    uint64_t rows, events;    /* written so far */
    uint64_t impacts, forces; /* and of what happened inside impacts */
    uint64_t episodes;        /* rows of them */
    size_t nbook;             /* numbers that those need which are under way */
    const double *book;
    struct carom_blunders blunders; /* of its impacts so far, however small */
};

struct carom_layout {
    const struct carom_model *model; /* NULL: told by a run file, see src/record/replay.h */
    size_t nc, dimension;            /* contacts that stay; axes of discs and spheres, 0: there are none */
    const int32_t (*pair)[2];        /* nc: as in carom_model */
    bool row;                        /* of beads: contacts are numbered by the body to their left, elsewhere from 1 */
    bool listed;                     /* contacts come and go: events and episodes tell pairs of bodies */
    const struct carom_origin *origin;
    const char *scheme; /* name */
    size_t nchannels;
    const struct carom_channel *channel;
    size_t width;               /* doubles in a row */
    size_t nstate;              /* doubles in a state's data */
    bool touching;              /* are contacts that come and go recorded? */
    bool episodes;              /* are episodes? */
    struct carom_scales scales; /* what errors are measured by */
    double tol;                 /* the error that is promised, in units of the scales; 0: none is */
};

struct carom_sink {
    struct carom_kind kind;
    enum carom_status (*open)(void *own, const struct carom_layout *layout, struct carom_error *error);
    enum carom_status (*row)(void *own, const struct carom_row *row, struct carom_error *error);
    /* the rest may be NULL */
    enum carom_status (*event)(void *own, const struct carom_event *event, struct carom_error *error);
    enum carom_status (*episode)(void *own, const struct carom_episode *episode, struct carom_error *error);
    enum carom_status (*left_out)(void *own, uint64_t episodes, struct carom_error *error); /* so many so far */
    enum carom_status (*stated)(void *own, const struct carom_stated *stated, struct carom_error *error);
    enum carom_status (*force)(void *own, const struct carom_blow_force *force, struct carom_error *error);
    enum carom_status (*blow)(void *own, const struct carom_blow *blow, struct carom_error *error);
    enum carom_status (*checkpoint)(void *own, const struct carom_checkpoint *checkpoint, struct carom_error *error);
    enum carom_status (*flush)(void *own, struct carom_error *error);
    enum carom_status (*close)(void *own, const struct carom_counts *counts, struct carom_error *error);
    void (*release)(void *own);
};

extern const struct carom_sink carom_sink_hdf5;
extern const struct carom_sink carom_sink_csv;
extern const struct carom_sink carom_sink_memory;

/* `own` for the sinks that write files; the file appears when the run begins. NULL: out of memory. */
void *carom_sink_hdf5_new(const char *path);
/* Where the run file that stood at the path is kept from the beginning of the run until it is whole, when that file is
 * removed; NULL: there was none. Lasts as long as the sink. */
const char *carom_sink_hdf5_keeps(const void *own);
/* Goes on in an existing run file after `rows` rows and `events` events, and what its checkpoint has of impacts. */
void *carom_sink_hdf5_resume(const char *path, uint64_t rows, uint64_t events);
/* "-" is the standard output, which is gone on with. */
void *carom_sink_csv_new(const char *path);

/* Looks at everything in a run file and opens it as its readers do: all is well, or the first sentence. HDF5 itself may
 * crash at a file that was damaged on purpose; who fears that calls this in a child process first, as the commands do.
 * Large datasets are not read through. */
enum carom_status carom_run_check(const char *path, struct carom_error *error);

/* `own` for the memory sink, readable while and after the run. */
struct carom_memory {
    size_t nrows, room, width, nevents, event_room, nblows, blow_room, nforces, force_room;
    double *time;   /* nrows */
    uint64_t *step; /* nrows */
    double *value;  /* nrows x width */
    struct carom_event *event;
    size_t nepisodes, episode_room;
    struct carom_episode *episode;
    struct carom_blow *blow;        /* nblows: impacts that tell what happens inside them */
    struct carom_blow_force *force; /* nforces */
    bool listed;                    /* contacts that come and go are here */
    size_t ntouches, touch_room;
    size_t *first;                       /* nrows + 1: contacts [first[i], first[i + 1]) belong to row i */
    struct carom_touch *touch;           /* ntouches */
    const struct carom_channel *channel; /* nchannels */
    size_t nchannels;
};
struct carom_memory *carom_sink_memory_new(void);
/* The column of a probe's entry i (body, contact) in a memory sink's rows, or SIZE_MAX. */
size_t carom_sink_memory_column(const struct carom_memory *memory, const char *probe, size_t i);

/* A force sensor: inside a body it reads the mean of the body's two contact forces, else the force of a contact. With
 * a bandwidth f it reads through the filter y' = 2 pi f (x - y), for x in straight lines between the samples. */
enum carom_sensor_kind { CAROM_SENSOR_BODY, CAROM_SENSOR_CONTACT };

#define CAROM_SENSOR_NAME 24

struct carom_sensor {
    char name[CAROM_SENSOR_NAME];
    enum carom_sensor_kind kind;
    size_t place;     /* port or contact, from 0 */
    double bandwidth; /* 0: no filter */
};

/* One bead or contact of which something is kept for itself. */
enum carom_choice_what { CAROM_CHOICE_U, CAROM_CHOICE_V, CAROM_CHOICE_FORCE };

struct carom_choice {
    enum carom_choice_what what;
    size_t place;  /* coordinate or contact, from 0 */
    size_t number; /* in its name: u_5, v_5, contact_force_5 */
};

struct carom_recorder;

/* Probes by name (the ledger comes by itself); names and schedule are copied. */
struct carom_recorder *carom_recorder_create(const struct carom_model *model, const char *const *probes, size_t nprobes,
                                             const struct carom_schedule *schedule, struct carom_error *error);
void carom_recorder_free(struct carom_recorder *recorder);

/* Adds a sensor, before the recorder begins. It is recorded as observables/sensors/<name> and, if it has a filter, also
 * without it as <name>_raw. */
enum carom_status carom_recorder_sense(struct carom_recorder *recorder, const struct carom_sensor *sensor,
                                       struct carom_error *error);

/* Adds a choice, before the recorder begins. It is recorded as observables/chosen/<name>. */
enum carom_status carom_recorder_choose(struct carom_recorder *recorder, const struct carom_choice *choice,
                                        struct carom_error *error);

/* The region that probes read, before the recorder begins; else they read the domain, or everything. Refused where
 * there are no discs and spheres, or where it leaves the domain through a joined side. */
enum carom_status carom_recorder_region(struct carom_recorder *recorder, const struct carom_region *region,
                                        struct carom_error *error);

/* The sensors so far, and how filters go on from the last sample of an earlier session. */
size_t carom_recorder_sensors(const struct carom_recorder *recorder);
const struct carom_sensor *carom_recorder_sensor(const struct carom_recorder *recorder, size_t i);
void carom_recorder_recall(struct carom_recorder *recorder, size_t i, double time, double input, double output);

/* Hands a sink over: the recorder releases `own`, also if this fails. */
enum carom_status carom_recorder_attach(struct carom_recorder *recorder, const struct carom_sink *sink, void *own,
                                        struct carom_error *error);

/* What errors are measured by and which is promised, for files; before the recorder begins. */
void carom_recorder_promise(struct carom_recorder *recorder, const struct carom_scales *scales, double tol);

/* Opens all sinks. `rows` and `events` are 0 for a new run, else what a checkpoint says. */
enum carom_status carom_recorder_begin(struct carom_recorder *recorder, const struct carom_origin *origin,
                                       const char *scheme, size_t nstate, uint64_t rows, uint64_t events,
                                       struct carom_error *error);

/* The next time to sample (HUGE_VAL: none), given the time of the last sample or, before any, -HUGE_VAL. */
double carom_recorder_next(const struct carom_recorder *recorder, double after);

/* The next time to sample while contacts act (HUGE_VAL: none); every `nth` of those. */
double carom_recorder_action(const struct carom_recorder *recorder, double nth, double after);

/* How many times further apart they are, a power of 2, so that some are left until the end of the run. */
double carom_recorder_thinned(const struct carom_recorder *recorder, double after);

/* The row with which half of those that may be taken are there, and when a run that is gone on with took it. */
uint64_t carom_recorder_half(const struct carom_recorder *recorder);
void carom_recorder_recall_half(struct carom_recorder *recorder, double time);

/* Is an eighth of those used up? The rest is for contacts that have just closed or are pressed hard. */
bool carom_recorder_scarce(const struct carom_recorder *recorder);

/* Is step number `step` to be sampled? Does the schedule note events? */
bool carom_recorder_wants_step(const struct carom_recorder *recorder, uint64_t step);
bool carom_recorder_wants_events(const struct carom_recorder *recorder);
bool carom_recorder_wants_zeros(const struct carom_recorder *recorder);

/* Does a probe want contact forces, so that those inside impacts are wanted too, and how far apart (0: only when
 * impacts were and how long they took)? And how many in all: CAROM_RECORD_FORCES_ASKED where the schedule says how
 * far apart, else CAROM_RECORD_FORCES, since an impact may be millions of times as long as the run's interval. */
#define CAROM_RECORD_FORCES 4000000
#define CAROM_RECORD_FORCES_ASKED 100000000 /* a few gigabytes: more are a slip of the pen */
bool carom_recorder_wants_impacts(const struct carom_recorder *recorder, double *every, uint64_t *most);

/* How many episodes are wanted at most, 0: none; how many there were in earlier sessions; and who is asked for the
 * numbers of those under way, which go into checkpoints (NULL: out of memory). */
uint64_t carom_recorder_wants_episodes(const struct carom_recorder *recorder);
void carom_recorder_recall_episodes(struct carom_recorder *recorder, uint64_t episodes, uint64_t left_out);
void carom_recorder_ask_book(struct carom_recorder *recorder, const double *(*pack)(void *own, size_t *n), void *own);

/* How many impacts and forces were recorded in earlier sessions. */
void carom_recorder_recall_impacts(struct carom_recorder *recorder, uint64_t impacts, uint64_t forces);

/* Do samples from now on lie between the ends of steps? At first they do not. */
void carom_recorder_between(struct carom_recorder *recorder, bool between);
enum carom_status carom_recorder_sample(struct carom_recorder *recorder, const struct carom_state *view,
                                        struct carom_error *error);
enum carom_status carom_recorder_event(struct carom_recorder *recorder, const struct carom_event *event,
                                       struct carom_error *error);
enum carom_status carom_recorder_episode(struct carom_recorder *recorder, const struct carom_episode *episode,
                                         struct carom_error *error);
/* So many episodes were left out by now. */
enum carom_status carom_recorder_left_out(struct carom_recorder *recorder, uint64_t episodes,
                                          struct carom_error *error);
/* What is known of the errors over the whole run. */
enum carom_status carom_recorder_stated(struct carom_recorder *recorder, const struct carom_stated *stated,
                                        struct carom_error *error);
/* A force inside the impact that is going on, whose number is filled in; then the impact as a whole, which ends it. */
enum carom_status carom_recorder_force(struct carom_recorder *recorder, const struct carom_blow_force *force,
                                       struct carom_error *error);
enum carom_status carom_recorder_blow(struct carom_recorder *recorder, const struct carom_blow *blow,
                                      struct carom_error *error);
/* What impacts did by now that their law does not say, for the next checkpoint. */
void carom_recorder_blundered(struct carom_recorder *recorder, const struct carom_blunders *blunders);
enum carom_status carom_recorder_checkpoint(struct carom_recorder *recorder, const struct carom_state *state,
                                            const struct carom_counts *counts, struct carom_error *error);
enum carom_status carom_recorder_flush(struct carom_recorder *recorder, struct carom_error *error);
enum carom_status carom_recorder_end(struct carom_recorder *recorder, const struct carom_counts *counts,
                                     struct carom_error *error);

/* How many rows and events so far; the ledger of the last sample; the largest |residual| of samples at ends of steps,
 * and of those between them, which are filled in. */
struct carom_tally {
    uint64_t rows, events, impacts, forces;
    uint64_t episodes, left_out;
    struct carom_ledger last;
    double worst_residual, worst_between;
    double given;      /* the largest of all samples, see carom_balance_given */
    double largest;    /* energy of one kind in a sample of this session: kinetic, stored or dissipated */
    double half;       /* when half of the rows that may be taken while contacts act were there; 0: they are not yet */
    double last_event; /* when a contact last closed, opened or was struck in this session; 0: none has */
};
const struct carom_tally *carom_recorder_tally(const struct carom_recorder *recorder);

CAROM_END

#endif
