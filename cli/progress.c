/* Progress with the time left, for anything over two seconds, and a clean stop on Ctrl-C. */
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli.h"

#define SETTLE 3.0 /* seconds in which an estimate comes round */

static atomic_bool interrupted; /* any thread may ask */

static void on_signal(int number)
{
    (void)number;
    interrupted = true;
}

bool cli_progress_told(void)
{
    return interrupted;
}

/* A terminal that is closed ends a run as SIGTERM does, unless it was started to outlive it (nohup). */
static void hear_end_of_terminal(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler}, before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

void cli_progress_begin(struct cli_progress *p, bool quiet)
{
    const double t = carom_clock_now();
    *p = (struct cli_progress){
        .start = t, .last = t, .phase_start = t, .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    hear_end_of_terminal(on_signal);
}

void cli_progress_time(double seconds, char *text, size_t size)
{
    if (seconds < 90.0)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 5400.0)
        snprintf(text, size, "%.0f min", seconds / 60.0);
    else
        snprintf(text, size, "%.1f h", seconds / 3600.0);
}

/* Seconds left: what was said last, less the time since, moves towards what the whole phase so far foretells within
 * some seconds, and later within a tenth of the time spent, so that one long step does not make the number jump. */
static double seconds_left(struct cli_progress *p, double t, double done)
{
    const double gained = done - p->phase_progress, spent = t - p->phase_start;
    if (!(gained > 0.0))
        return -1.0;
    const double foretold = spent * (1.0 - done) / gained, since = t - p->told;
    const double share = p->told > p->phase_start ? since / (since + fmax(SETTLE, 0.1 * spent)) : 1.0;
    const double carried = fmax(p->left - since, 0.0);
    p->left = carried + share * (foretold - carried);
    p->told = t;
    return p->left;
}

bool cli_progress_watch(void *own, const struct carom_sim *sim)
{
    struct cli_progress *p = own;
    if (interrupted)
        return false;
    if (p->quiet)
        return true;
    const double t = carom_clock_now(), spent = t - p->start;
    const double pause = p->terminal ? 0.2 : 10.0;
    const bool again = sim->progress < p->progress; /* pilots that are flown once more */
    p->progress = sim->progress;
    if (p->phase != sim->phase || again) { /* each phase has its own time left, from its first moment on */
        p->phase = sim->phase;
        p->phase_start = t;
        p->phase_progress = sim->progress;
    }
    if (spent < 2.0 || (p->shown && t - p->last < pause))
        return true;
    const double done = sim->progress, seconds = seconds_left(p, t, done);
    char left[32] = "?";
    if (seconds >= 0.0)
        cli_progress_time(seconds, left, sizeof left);
    const bool pilots = strncmp(sim->phase, "pilot", 5) == 0; /* the run itself waits at its start for them */
    char step[40] = "";
    if (!pilots)
        snprintf(step, sizeof step, "  step %llu", (unsigned long long)sim->state->step);
    fprintf(stderr, "%s%s %5.1f %%  t = %.4g of %.4g%s  %s left%s%s", p->terminal ? "\r" : "", sim->phase, 100.0 * done,
            pilots ? done * sim->until : sim->state->time, sim->until, step, left,
            pilots ? " of these, before the run" : "", p->terminal ? "\033[K" : "\n");
    fflush(stderr);
    p->last = t;
    p->shown = true;
    return true;
}

bool cli_progress_say(struct cli_progress *p, const char *text)
{
    if (interrupted)
        return false;
    const double t = carom_clock_now();
    if (p->quiet || t - p->start < 2.0 || (p->shown && t - p->last < (p->terminal ? 0.2 : 10.0)))
        return true;
    fprintf(stderr, "%s%s%s", p->terminal ? "\r" : "", text, p->terminal ? "\033[K" : "\n");
    fflush(stderr);
    p->last = t;
    p->shown = true;
    return true;
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->shown && p->terminal)
        fprintf(stderr, "\r\033[K");
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    hear_end_of_terminal(SIG_DFL);
}

double cli_progress_seconds(const struct cli_progress *p)
{
    return carom_clock_now() - p->start;
}
