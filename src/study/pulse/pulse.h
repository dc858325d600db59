/* Waves in the record of one force: when they come, how high and how long they are. After Nguyen and Brogliato 2011,
 * section 5: the front of a wave is F(t) = F_m cos^6((t - T) / tau), equation (40), the force of Nesterenko's solitary
 * wave. Works on arrays; pulse_run.h finds them in run files. */
#ifndef CAROM_STUDY_PULSE_PULSE_H
#define CAROM_STUDY_PULSE_PULSE_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"
#include "record/run_file.h"

/* The record: n samples at rising times. */
struct carom_pulse_series {
    size_t n;
    const double *time, *force;
};

struct carom_pulse_rules {
    double least; /* a wave rises and falls by at least this share of the largest force of the record */
    double foot;  /* the foot of a wave is where it reaches this share of its peak; its front begins there */
    double rest;  /* the force that waves stand on; NaN: that of the first sample */
};

/* What is taken where nobody says otherwise. */
#define CAROM_PULSE_LEAST 0.02
#define CAROM_PULSE_FOOT 0.01
struct carom_pulse_rules carom_pulse_rules(void);

/* A wave among the samples: its highest sample, and the lowest ones before and after. */
struct carom_pulse_wave {
    size_t peak, before, after;
    bool cut; /* the record ends before it has fallen by the least share */
};

/* One wave, measured. Forces are counted from the rest. NaN: cannot be told. */
struct carom_pulse {
    double rest;   /* the force it stands on */
    double peak;   /* F_m, between samples */
    double time;   /* T, of the peak */
    double foot;   /* when the foot came; NaN where the wave rises from another one or the record begins too late */
    double width;  /* tau of (40), least squares over the front with F_m and T held */
    double misfit; /* of that fit: root of the mean square, as a share of F_m */
    double half;   /* how long the force is above half its peak */
    double front;  /* impulse up to T + tau, (42); of a later wave from the valley before it on */
    double tail;   /* impulse after it, (43), to the end of the record */
    double closed, opened; /* when its contact did; NaN: nobody knows */
    size_t samples;        /* in the front, which the fit has used */
    bool cut;              /* the record ends before the wave has fallen, or before T + tau */
    bool rising; /* it has no peak: the force has not fallen where the record ends, `peak` is the largest so far */
};

/* Finds the waves, in the order of time; their number may exceed `room`, only so many are written. Refuses records of
 * less than three samples, with times that do not rise or with entries that are not numbers. A record without a wave
 * gives 0: a force that is highest at its first or last sample has no peak that could be seen. */
enum carom_status carom_pulse_find(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                                   struct carom_pulse_wave *wave, size_t room, size_t *count,
                                   struct carom_error *error);

/* Finds one of them: the nth from 1, or the highest for CAROM_PULSE_LARGEST. Without such a wave *wave stays as it is;
 * *count (may be NULL) says how many there are. */
#define CAROM_PULSE_LARGEST 0
enum carom_status carom_pulse_pick(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                                   size_t which, struct carom_pulse_wave *wave, size_t *count,
                                   struct carom_error *error);

/* A peak that is known better than samples tell it. */
struct carom_pulse_top {
    double time, force, closed, opened; /* the last two: of the contact then */
};

/* Measures a wave; top NULL: its peak is that of the samples. */
void carom_pulse_measure(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                         const struct carom_pulse_wave *wave, const struct carom_pulse_top *top,
                         struct carom_pulse *pulse);

/* A record without a wave whose force has risen and stays or still rises, as under a ramp or behind a step: its foot
 * and the largest force are known. False: the force has not risen. */
bool carom_pulse_rise(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                      struct carom_pulse *pulse);

/* When the force first passes a level (counted from the rest), NaN: it does not. */
double carom_pulse_passes(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules, double level);

/* Picks and measures in one go; CAROM_E_REFUSED if there is no such wave. */
enum carom_status carom_pulse_of(const struct carom_pulse_series *series, const struct carom_pulse_rules *rules,
                                 size_t which, struct carom_pulse *pulse, struct carom_error *error);

/* (40): cos^6 inside its one hump, 0 outside. */
double carom_pulse_shape(double x);

/* How a wall's pulse compares with the same place inside a chain: F_m, tau and T of the one over the other. */
struct carom_pulse_ratios {
    double peak, width, time;
};

/* (38): 1.94, 1.09 and, from the text after it, 1.02. */
extern const struct carom_pulse_ratios carom_pulse_wall;

struct carom_pulse_ratios carom_pulse_compare(const struct carom_pulse *wall, const struct carom_pulse *chain);

/* (39), (44), (45): what a wall's pulse says of the chain without wall. The foot keeps its distance from T in units of
 * tau, the shape stays. */
struct carom_pulse carom_pulse_extrapolate(const struct carom_pulse *wall, const struct carom_pulse_ratios *ratios);

/* Figure 13: the force as a share of the peak at (t - T) / tau = s; NaN outside of the record. */
double carom_pulse_collapsed(const struct carom_pulse_series *series, const struct carom_pulse *pulse, double s);

/* --- pulse_book.c: the force at their peak and when, by the book of impacts, which samples may miss -------------- */

/* Episodes whose peak force is known, contact by contact in the order of time. */
struct carom_pulse_book {
    size_t nc;
    size_t *first; /* nc + 1; NULL: the file has no book */
    struct carom_episode *row;
};

/* Those with peaks between the times `from` and `until`. */
enum carom_status carom_pulse_book_open(struct carom_pulse_book *book, const struct carom_run_file *run, double from,
                                        double until, struct carom_error *error);
void carom_pulse_book_close(struct carom_pulse_book *book); /* fine for zeros */

/* Is a contact that counts (its peak is `least` of the largest) closed for so few samples that they tell no wave? */
bool carom_pulse_book_coarse(const struct carom_pulse_book *book, size_t contact,
                             const struct carom_pulse_series *series, double least);

/* The nth episode of a contact that counts, from 0, also as a wave above `rest`, of which only peak, time and foot are
 * known; NULL: there are not so many. */
const struct carom_episode *carom_pulse_book_wave(const struct carom_pulse_book *book, size_t contact, size_t n,
                                                  double least, double rest, struct carom_pulse *pulse);

/* The samples from the one before an episode to the one after it; false: they are too few to tell a wave. */
bool carom_pulse_book_around(const struct carom_episode *episode, const struct carom_pulse_series *series,
                             struct carom_pulse_series *around);

/* The true peak of a wave that samples show; false: the book has none there. */
bool carom_pulse_book_top(const struct carom_pulse_book *book, size_t contact, const struct carom_pulse_series *series,
                          const struct carom_pulse_wave *wave, struct carom_pulse_top *top);

#endif
