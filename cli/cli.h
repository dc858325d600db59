/* What the commands share: reading the command line, saying what went wrong, progress and summary. Only files in this
 * folder print. Every command is a function of its arguments (argv[0] is its name) that returns the exit code. */
#ifndef CAROM_CLI_H
#define CAROM_CLI_H

#include "base/plural.h"
#include "carom/bodies.h"
#include "carom/mechanism.h"
#include "carom/run.h"
#include "carom/scene.h"
#include "carom/solid.h"

/* One option of a command; fields that do not apply stay zero. */
struct cli_option {
    const char *name;    /* "--set" */
    const char *letter;  /* "-o", or NULL */
    const char *value;   /* what stands for its value in the help, NULL: a flag */
    const char *text;    /* one line */
    bool *flag;          /* a flag sets this */
    const char **single; /* a value goes here; given twice is an error */
    const char **many;   /* or is appended here (room for CLI_MANY) */
    size_t *count;
    bool standard; /* a FILE may be -, the standard output */
    bool alone;    /* the same, and then nothing else is said there: --quiet */
};

enum { CLI_MANY = 256 };

/* The head of a command: usage, what it does, its options (ended by a NULL name). */
struct cli_command {
    const char *usage; /* "carom run SCENE [options]" */
    const char *text;  /* a few lines */
    const struct cli_option *options;
    size_t least, most; /* positional arguments */
};

/* Fills options and positionals (room for `most`). True: go on. False: *code is the exit code (after --help, or after a
 * message about a wrong line or a file that HDF5 crashes at). Every command has --help and --quiet. */
bool cli_read(const struct cli_command *command, int argc, char **argv, const char **positional, size_t *npositional,
              int *code);

/* Lets a child process read the file if it is an HDF5 file: an error if that crashed or hung. cli_read does it for all
 * words of the command line; others call it before they open a file whose name they make themselves. Before threads. */
#define CLI_DAMAGED "is damaged: HDF5" /* what it says of them */
enum carom_status cli_guard(const char *path, struct carom_error *error);

/* Prints "carom: sentence" and returns the exit code. */
int cli_fail(const struct carom_error *error);

/* The same for a line that is wrong, with its sentence. */
int cli_usage(const char *format, ...) CAROM_PRINTF(1, 2);

/* The same for an option whose text is wrong: "--tol x: must be" what is right. */
int cli_must_be(const char *option, const char *text, const char *right);

/* the command has said its sentence: if memory runs out while it ends, nothing is added (starved.c) */
void cli_starved_told(int status);

/* Progress on stderr: a line that is rewritten on a terminal, plain lines elsewhere; silent below two seconds. */
struct cli_progress {
    double start, last;
    const char *phase; /* of the sim, when it began and how far it was then */
    double phase_start, phase_progress, progress;
    double left, told; /* seconds left, and when that was said */
    bool quiet, terminal, shown;
};
void cli_progress_begin(struct cli_progress *progress, bool quiet);
bool cli_progress_watch(void *progress, const struct carom_sim *sim);   /* for struct carom_watch; false after Ctrl-C */
bool cli_progress_told(void);                                           /* Ctrl-C, or another wish that it end */
bool cli_progress_say(struct cli_progress *progress, const char *text); /* any other line; false after Ctrl-C */
void cli_progress_end(struct cli_progress *progress);
double cli_progress_seconds(const struct cli_progress *progress);
void cli_progress_time(double seconds, char *text, size_t size); /* as people say it */

/* Where the steps of a scene are taken, from the command line; false: no such word. */
bool cli_device(struct carom_scene *scene, const char *name, struct carom_error *error);

/* What errors of single steps become, and until when any tolerance could be kept; nothing where they hardly grow. */
void cli_growth(double growth, double sight, double until, bool si);

/* A ledger that does not close because steps are too long, see carom_unbalanced; nothing where it does. */
void cli_unbalanced(double unbalanced, double tol, double step, double contact_time, bool si);

/* The closing summary of a run, on stdout. */
void cli_summary(const struct carom_sim *sim, const struct carom_scene *scene, double seconds, const char *output);

/* Its line on the momenta of bodies that nothing else pushes, under implicit schemes. */
void cli_summary_momenta(const struct carom_sim *sim, const struct carom_scene *scene);

/* How many steps a run takes; what rounding leaves at its end is none. */
double cli_steps(double until, double step);

/* An option of the scene's scheme, 0 where it has none of that name. */
double cli_option_of(const struct carom_scene *scene, const char *name);

/* Bodies, contacts and scheme. Model and options may be the scene's or, once it has been handed over, the sim's. */
void cli_describe(const struct carom_scene *scene, const struct carom_model *model, const void *options);

/* What looks odd about a scene, or was assumed; printed. */
void cli_notes(const struct carom_scene *scene, const struct carom_model *model);
/* What may come of it, before a run. */
void cli_notes_before(const struct carom_scene *scene);
/* Has a run tell which contact is pressed hardest; false with the sentence. */
bool cli_watch_yield(struct carom_sim *sim, const struct carom_scene *scene, struct carom_error *error);
/* And about a run when it is over. */
void cli_notes_over(const struct carom_sim *sim, const struct carom_scene *scene);

/* Units are shown only where the scene has any: this one, or nothing. */
const char *cli_si(const struct carom_scene *scene, const char *text);

/* Prints "0.9", or "0.9 ... 0.95" where these differ in so many digits. */
void cli_range(double low, double high, int digits);

/* The unit of a parameter, where the scene has units and the parameter one */
void cli_unit(const struct carom_scene *scene, const struct carom_param *row);

struct carom_bodies;
/* `springy`: impacts work with the stiffness and the exponent of rigid laws, which nothing else does */
void cli_describe_bodies(const struct carom_scene *scene, const struct carom_bodies *bodies, bool springy);
/* the same of bodies that move as a mechanism: who they are, what acts on all */
void cli_describe_linked(const struct carom_scene *scene, const struct carom_bodies *bodies);
/* "half-sine of 5 N, from 2e-05 s for 5e-05 s" */
void cli_describe_signal(const struct carom_scene *scene, const struct carom_signal *signal, const char *unit);
/* What acts on a solid: what holds and pushes it, how it flows, where waves leave it, where it is cut. */
void cli_describe_solid(const struct carom_scene *scene, const struct carom_solid *solid);
/* What acts on a chain beside its contacts. */
void cli_describe_loads(const struct carom_scene *scene, const struct carom_beads *beads);

/* What `carom check` says of the scheme: its step, the tableau of rk2, the cost. */
void cli_check_step(const struct carom_scene *scene);
void cli_check_crystal(const struct carom_scene *scene);
void cli_check_tableau(const struct carom_scene *scene);
void cli_check_cost(const struct carom_scene *scene);

/* The run file of a sim and its sink. */
struct cli_output {
    const char *path;
    const void *sink;
    const char *old;   /* what stood there, in words; may be NULL */
    bool onwards;      /* the file is handed on to the standard output */
    const char *until; /* the end that 'carom resume' was given, which the file does not keep; may be NULL */
};

/* Runs a sim that has its sinks, with progress and summary; the path is said at the end. */
int cli_run_sim(struct carom_sim *sim, const struct carom_scene *scene, bool quiet, const struct cli_output *output);

/* The summary, and what the run has replaced. */
void cli_run_summary(const struct carom_sim *sim, const struct carom_scene *scene, double seconds,
                     const struct cli_output *output);

/* Says why a run ended early and what there is to go on with; returns the exit code. */
int cli_run_fail(const struct carom_sim *sim, const struct carom_scene *scene, const struct cli_output *output,
                 struct carom_error *error);

/* how contacts end, behind the name of their law; by the gap, which is the rule, needs no words */
static inline const char *cli_ending(enum carom_ending ending)
{
    return ending == CAROM_END_FORCE   ? " (ends at zero force)"
           : ending == CAROM_END_LATCH ? " (latches at zero force)"
                                       : "";
}

/* what a word takes where it speaks of so many: "1 sample", "2 samples" */
static inline const char *cli_s(unsigned long long n)
{
    return carom_plural(n);
}

int carom_cli_run(int argc, char **argv);
int carom_cli_check(int argc, char **argv);
int carom_cli_resume(int argc, char **argv);
int carom_cli_repair(int argc, char **argv);
int carom_cli_list(int argc, char **argv);
int carom_cli_show(int argc, char **argv);
int carom_cli_export(int argc, char **argv);
int carom_cli_bench(int argc, char **argv);
int carom_cli_solve(int argc, char **argv);

#endif
