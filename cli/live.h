/* carom run --live: the growing page of a run, served to a browser on this machine. live.c is the only file that knows
 * libmicrohttpd; live_run.c makes the pages and heeds what the browser asks for. */
#ifndef CAROM_CLI_LIVE_H
#define CAROM_CLI_LIVE_H

#include <stdatomic.h>

#include "cli.h"

#define CLI_LIVE_TOKEN 32 /* hexadecimal digits: 128 bits */
#define CLI_LIVE_LINES 64 /* connections at once */

/* A connection. */
struct cli_live_line {
    int socket;
    unsigned long number; /* they are counted from 1; 0: there is none */
    bool known;           /* it has told the token */
};

/* What the run and the server's thread share; all of it by atomic numbers, so neither waits for the other. The
 * lines are the server's. */
struct cli_live {
    char token[CLI_LIVE_TOKEN + 1]; /* constant once served */
    char folder[1024], page[1060];
    unsigned port;
    _Atomic double time, until, progress;
    atomic_ulong serial;                       /* of the page; 0: there is none yet */
    atomic_bool pause, stop;                   /* asked for */
    atomic_bool held, ended;                   /* the run stands still; it is over */
    atomic_long asked;                         /* when the browser last asked, in ms of the monotonic clock */
    struct cli_live_line line[CLI_LIVE_LINES]; /* the server's alone */
    unsigned long lines;
};

/* Milliseconds of the monotonic clock. */
long cli_live_now(void);

/* Serves on 127.0.0.1 from a thread of its own; `port` 0: any that is free, and live->port says which. NULL and the
 * sentence on failure, also where carom was built without libmicrohttpd. */
void *cli_live_serve(struct cli_live *live, struct carom_error *error);
void cli_live_close(void *server);

/* Like cli_run_sim, with a page that grows; `port` as above. */
int cli_live_run(struct carom_sim *sim, const struct carom_scene *scene, bool quiet, const struct cli_output *output,
                 unsigned port);

#endif
