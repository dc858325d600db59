/* Runs a sim with a live page. Pages are made by processes of their own (carom report reads run files that are being
 * written), one at a time and only while a browser asks, so that the run goes on meanwhile and no bit of it changes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live.h"

enum { FRESH = 1500, LOOKS = 6000 }; /* ms between pages; ms after which a browser that is silent has gone */

struct watching {
    struct cli_live live;
    struct cli_progress progress;
    const char *run;
    char fresh[1060]; /* the page that is being made */
    pid_t child;      /* that makes it; 0: none */
    long made, took;
    unsigned long serial;
};

static void rest(long milliseconds)
{
    struct timespec t = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* --- pages ------------------------------------------------------------------------------------------------------- */

static void begin_page(struct watching *w)
{
    w->made = cli_live_now();
    w->child = fork();
    if (w->child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(nowhere, STDERR_FILENO) >= 0)
            execl("/proc/self/exe", "carom", "report", w->run, "--growing", "-o", w->fresh, "--quiet", (char *)NULL);
        _exit(127);
    }
    if (w->child < 0)
        w->child = 0;
}

/* takes a page that is ready into use; waits for it if `block` */
static void end_page(struct watching *w, bool block)
{
    int status;
    pid_t done = 0;
    while (w->child > 0 && (done = waitpid(w->child, &status, block ? 0 : WNOHANG)) < 0 && errno == EINTR)
        ;
    if (w->child == 0 || done == 0)
        return;
    w->child = 0;
    w->took = cli_live_now() - w->made;
    if (done > 0 && WIFEXITED(status) && WEXITSTATUS(status) == CAROM_OK && rename(w->fresh, w->live.page) == 0)
        atomic_store(&w->live.serial, ++w->serial);
}

static void care(struct watching *w)
{
    const long t = cli_live_now();
    end_page(w, false);
    const bool looked_at = t - atomic_load(&w->live.asked) < LOOKS;
    if (w->child == 0 && (w->serial == 0 || looked_at) && t - w->made > FRESH + 4 * w->took)
        begin_page(w);
}

/* --- the run ----------------------------------------------------------------------------------------------------- */

static bool watch(void *own, const struct carom_sim *sim)
{
    struct watching *w = own;
    atomic_store(&w->live.time, sim->state->time);
    atomic_store(&w->live.until, sim->until);
    atomic_store(&w->live.progress, strcmp(sim->phase, "run") == 0 ? sim->progress : 0.0);
    care(w);
    while (atomic_load(&w->live.pause) && !atomic_load(&w->live.stop)) {
        atomic_store(&w->live.held, true);
        if (!cli_progress_watch(&w->progress, sim))
            return false;
        care(w);
        rest(20);
    }
    atomic_store(&w->live.held, false);
    return !atomic_load(&w->live.stop) && cli_progress_watch(&w->progress, sim);
}

static bool make_token(char *token)
{
    unsigned char bytes[CLI_LIVE_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", (unsigned)bytes[i]);
    return true;
}

static void *begin(struct watching *w, unsigned port, struct carom_error *error)
{
    const char *wanted = getenv("TMPDIR"), *parent = wanted && *wanted && strlen(wanted) < 1000 ? wanted : "/tmp";
    const int length = snprintf(w->live.folder, sizeof w->live.folder, "%s/carom-live-", parent);
    memset(w->live.folder + length, 'X', 6); /* for mkdtemp to replace; the rest is zero */
    if (!make_token(w->live.token) || !mkdtemp(w->live.folder)) {
        carom_error_set(error, CAROM_E_FILE, "--live: no folder for pages could be made in %.200s", parent);
        return NULL;
    }
    snprintf(w->live.page, sizeof w->live.page, "%s/page.html", w->live.folder);
    snprintf(w->fresh, sizeof w->fresh, "%s/fresh.html", w->live.folder);
    w->live.port = port;
    w->made = -FRESH;
    void *server = cli_live_serve(&w->live, error);
    if (!server)
        rmdir(w->live.folder);
    return server;
}

/* The last page, for as long as somebody looks at it or until Ctrl-C. */
static void linger(struct watching *w, const struct carom_sim *sim)
{
    cli_progress_begin(&w->progress, true); /* first: whoever sees that the run has ended may interrupt at once */
    end_page(w, true);
    begin_page(w);
    end_page(w, true);
    atomic_store(&w->live.time, sim->state->time);
    atomic_store(&w->live.ended, true);
    while (cli_live_now() - atomic_load(&w->live.asked) < LOOKS && cli_progress_watch(&w->progress, sim))
        rest(50);
    cli_progress_end(&w->progress);
}

static void end(struct watching *w, void *server)
{
    cli_live_close(server);
    unlink(w->fresh);
    unlink(w->live.page);
    rmdir(w->live.folder);
}

int cli_live_run(struct carom_sim *sim, const struct carom_scene *scene, bool quiet, const struct cli_output *output,
                 unsigned port)
{
    struct carom_error error = {CAROM_OK, ""};
    struct watching w = {.run = output->path};
    void *server = begin(&w, port, &error);
    if (!server)
        return cli_fail(&error);
    printf("live       http://127.0.0.1:%u/%s/\n", w.live.port, w.live.token);
    fflush(stdout);
    cli_progress_begin(&w.progress, quiet);
    const struct carom_watch watcher = {watch, &w, 0.05};
    const enum carom_status status = carom_sim_run(sim, &watcher, &error);
    const double seconds = cli_progress_seconds(&w.progress);
    cli_progress_end(&w.progress);
    if (status == CAROM_OK && !quiet)
        cli_run_summary(sim, scene, seconds, output);
    fflush(stdout);
    linger(&w, sim);
    end(&w, server);
    return status == CAROM_OK ? CAROM_OK : cli_run_fail(sim, scene, output, &error);
}
