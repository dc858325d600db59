/* Commands under mpirun. */
#include "ranks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/loop.h"

static struct carom_ranks *ranks; /* what mpirun made of this process; no command is handed it by another */

struct carom_ranks *cli_ranks(void)
{
    return ranks;
}

static bool is_shared(const char *name)
{
    static const char *const shared[] = {"run", "resume", "sweep", "fit", "verify"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (strcmp(name, shared[i]) == 0)
            return true;
    return false;
}

/* What all ranks have to say is said once. */
static void be_quiet(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

enum carom_status cli_ranks_begin(const char *name, struct carom_error *error)
{
    *error = (struct carom_error){CAROM_OK, ""};
    ranks = carom_rank_begin(error);
    const char *number = getenv("OMPI_COMM_WORLD_RANK"); /* of ranks without a module, too */
    if (carom_rank_own(ranks) > 0 || (error->status != CAROM_OK && number && strcmp(number, "0") != 0))
        be_quiet();
    if (error->status == CAROM_OK && ranks && !is_shared(name))
        carom_error_set(error, CAROM_E_REFUSED,
                        "carom %s works in one process; mpirun is for carom run, resume, sweep, fit and verify", name);
    return error->status;
}

struct carom_sim *cli_ranks_sim(struct carom_scene *scene, struct carom_error *error)
{
    if (!ranks || scene->device[0] == '\0' || strcmp(scene->device, "none") == 0)
        return carom_scene_sim(scene, error);
    carom_error_set(
        error, CAROM_E_REFUSED,
        "%s: ranks run on the processor: leave device out, or write device: none, or start it without mpirun",
        scene->device_at);
    return NULL;
}

bool cli_ranks_share(struct carom_sim *sim, struct carom_error *error)
{
    struct cli_progress watch;
    if (!ranks)
        return true;
    cli_progress_begin(&watch, true); /* told to stop, ranks go on to the end of a call */
    carom_rank_listen(ranks, cli_progress_told);
    if (carom_rank_ready(ranks, error) != CAROM_OK)
        return false;
    const enum carom_status status = carom_sim_ranks(sim, ranks, error);
    if (status == CAROM_E_MEMORY) /* of this rank alone: all else is refused by all */
        carom_rank_give_up(ranks);
    return status == CAROM_OK && carom_rank_own(ranks) == 0;
}

int cli_ranks_end(int code)
{
    const struct carom_rank_module *left = carom_rank_end(ranks, (enum carom_status)code);
    ranks = NULL;
    if (left) /* others still wait for this one */
        left->abort(code);
    return code;
}
