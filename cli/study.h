/* What the commands that run studies share: the commands themselves, their progress, small readings of the line. */
#ifndef CAROM_CLI_STUDY_H
#define CAROM_CLI_STUDY_H

#include "carom/progress.h"
#include "cli.h"
#include "scene/text/units.h"

int carom_cli_converge(int argc, char **argv);
int carom_cli_sweep(int argc, char **argv);
int carom_cli_gather(int argc, char **argv);
int carom_cli_compare(int argc, char **argv);
int carom_cli_pulse(int argc, char **argv);
int carom_cli_fit(int argc, char **argv);
int carom_cli_verify(int argc, char **argv);
int carom_cli_restitution(int argc, char **argv);
int carom_cli_dispersion(int argc, char **argv);
int carom_cli_lamb(int argc, char **argv);

/* Progress of a study: silent below two seconds, then the part done and the time left. */
struct cli_study {
    struct cli_progress progress;
    double first;     /* part that was done before: a study that goes on */
    const char *what; /* shown before the numbers, may change */
};
void cli_study_begin(struct cli_study *study, bool quiet, const char *what);
bool cli_study_watch(void *study, double done); /* for struct carom_progress; false after Ctrl-C */
void cli_study_end(struct cli_study *study);

/* Has run files that a scene names looked at before a study reads it; whatever else is wrong, the study says. */
enum carom_status cli_study_guard(const char *path, const char *const *set, size_t nset, struct carom_error *error);

/* Reads a scene, with progress while its body settles or its step is looked for; Ctrl-C stops that. */
struct carom_scene *cli_study_scene(const char *path, const char *const *set, size_t nset, bool quiet, size_t threads,
                                    struct carom_error *error);

/* The folder of papers: the one wanted (or NULL), or where it is usually found. */
bool cli_study_papers(const char *wanted, char *path, size_t size, struct carom_error *error);

/* Positive finite number of an option; false with the message said and *code set. */
bool cli_study_number(const char *option, const char *text, double *value, int *code);

/* Whole number from 1 to `most`. */
bool cli_study_count(const char *option, const char *text, size_t most, size_t *value, int *code);

/* A number that may carry a unit of this kind, of an option: above 0 where `above` says so. The sentence names it. */
enum carom_status cli_study_quantity(const char *option, const char *text, const char *unit, bool above,
                                     struct carom_quantity *quantity, struct carom_error *error);

/* The same for --threads; auto leaves the command its own number. */
bool cli_study_threads(const char *text, size_t *threads, int *code);

#endif
