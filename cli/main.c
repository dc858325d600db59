/* carom: picks the command and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "carom/carom.h"
#include "cli.h"
#include "gallery.h"
#include "ranks.h"
#include "record/run_file.h"
#include "report.h"
#include "study.h"
#include "terminal.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"run", carom_cli_run, "run a scene and write a run file"},
    {"check", carom_cli_check, "say what a scene would run, and run nothing"},
    {"resume", carom_cli_resume, "go on from the last checkpoint of a run file"},
    {"repair", carom_cli_repair, "clear the mark that a killed run left in its file"},
    {"show", carom_cli_show, "what is in a run file"},
    {"export", carom_cli_export, "a run file's numbers as CSV, or for ParaView"},
    {"report", carom_cli_report, "run files and results as one HTML page"},
    {"gallery", carom_cli_gallery, "a site of the pages of all scenes and papers"},
    {"converge", carom_cli_converge, "observed orders and errors over a series of steps or tolerances"},
    {"sweep", carom_cli_sweep, "a grid over any keys of a scene, on all cores"},
    {"gather", carom_cli_gather, "the parts of a sweep ('carom sweep --part') in one file"},
    {"compare", carom_cli_compare, "one scene under several theories, or several runs, side by side"},
    {"pulse", carom_cli_pulse, "the waves in a run's forces: arrival, height, width, speed, impulses"},
    {"fit", carom_cli_fit, "keys of a scene from measured data, with uncertainties"},
    {"verify", carom_cli_verify, "measure the numbers of a paper again"},
    {"restitution", carom_cli_restitution, "e(v) and gamma of the pairs that meet in a scene"},
    {"dispersion", carom_cli_dispersion, "normal modes and dispersion curves of a chain"},
    {"lamb", carom_cli_lamb, "the semi-analytic solution of Lamb's problem"},
    {"solve", carom_cli_solve, "contact problems with friction alone, in FCLIB's files"},
    {"list", carom_cli_list, "laws, friction, schemes, impacts, parts, probes, materials, papers, keys, devices"},
    {"bench", carom_cli_bench, "time the schemes beside the limits of this machine"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void help(FILE *to)
{
    fprintf(to, "carom %s: impacts, from Newton's cradle to granular crystals, rigid bodies and elastic solids\n\n",
            CAROM_VERSION);
    fprintf(to, "usage: carom COMMAND [arguments]      carom COMMAND --help says more\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-11s %s\n", commands[i].name, commands[i].text);
    fprintf(to, "\nexit codes:\n");
#define LINE(name, code, meaning) fprintf(to, "  %d  %s\n", code, meaning);
    CAROM_STATUS_LIST(LINE)
#undef LINE
}

/* has who read the standard output seen enough, as `head` has? */
static bool reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/* what was printed must have arrived: a table on a full disk is no table. Somebody who reads no further needs no
 * message, scripts have the code. */
static int finish(int code)
{
    struct carom_error error;
    if (cli_terminal_end() || code != CAROM_OK)
        return code;
    if (reader_left())
        return CAROM_E_FILE;
    carom_error_set(&error, CAROM_E_FILE, "could not write to the standard output");
    return cli_fail(&error);
}

/* A run file must not take the place of an output that is closed, or what is printed goes into it: such an output
 * becomes one that cannot be written to. What has no room, or no reader, is an error of writing, not the end. */
static void prepare_outputs(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
            open("/dev/null", O_RDONLY); /* the lowest that is free, so this one */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static int run_command(size_t i, int argc, char **argv)
{
    struct carom_error error;
    const bool good = cli_ranks_begin(commands[i].name, &error) == CAROM_OK;
    return cli_ranks_end(good ? commands[i].run(argc, argv) : cli_fail(&error));
}

int main(int argc, char **argv)
{
    prepare_outputs();
    cli_terminal_begin();
    carom_run_file_alone();
    mallopt(M_MMAP_THRESHOLD, 1 << 20); /* large blocks go back to the system as soon as they are freed */
    if (argc < 2) {
        help(stderr);
        return CAROM_E_USAGE;
    }
    if (argc == 3 && strcmp(argv[1], "help") == 0) /* carom help run: as carom run --help */
        for (size_t i = 0; i < COMMANDS; i++)
            if (strcmp(argv[2], commands[i].name) == 0)
                return finish(run_command(i, 2, (char *[]){argv[2], (char[]){"--help"}, NULL}));
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        help(stdout);
        return finish(CAROM_OK);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("carom %s\n", CAROM_VERSION);
        return finish(CAROM_OK);
    }
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (strcmp(argv[1], commands[i].name) == 0)
            return finish(run_command(i, argc - 1, argv + 1));
    }
    const char *near = carom_param_nearest(argv[1], names, COMMANDS);
    if (carom_text_has_word("plot draw view page html movie animate", argv[1]))
        return cli_usage("unknown command '%s': runs are drawn by carom report RUN.h5", argv[1]);
    if (carom_text_has_word("simulate start go", argv[1]))
        return cli_usage("unknown command '%s': a scene is run by carom run SCENE", argv[1]);
    return near ? cli_usage("unknown command '%s', did you mean '%s'?", argv[1], near)
                : cli_usage("unknown command '%s'; 'carom --help' lists them", argv[1]);
}
