/* Jobs that threads share: each allocation fails once, and is told. With memory each job is done once, in any order.
 * Ranks that cannot begin say what they lack. */
#include <stdatomic.h>
#include <stdlib.h>

#include "failing.h"
#include "rank/farm.h"

enum { JOBS = 20 };

struct field {
    atomic_int done[JOBS];
};

static void give(void *own, size_t job, void *told)
{
    (void)own;
    memcpy(told, &job, sizeof job);
}

static void work(void *own, const void *told, void *made)
{
    (void)own;
    memcpy(made, told, sizeof(size_t));
}

static void take(void *own, size_t job, const void *made)
{
    struct field *f = own;
    size_t same;
    memcpy(&same, made, sizeof same);
    CHECK(same == job);
    atomic_fetch_add(&f->done[job], 1);
}

static enum carom_status harvest(const void *own, struct carom_error *error)
{
    struct field f = {0};
    const struct carom_farm farm = {.threads = *(const size_t *)own,
                                    .told = sizeof(size_t),
                                    .made = sizeof(size_t),
                                    .work = work,
                                    .give = give,
                                    .take = take,
                                    .own = &f};
    const enum carom_status status = carom_farm_run(&farm, JOBS, error);
    for (size_t i = 0; i < JOBS; i++)
        CHECK(status == CAROM_OK ? f.done[i] == 1 : f.done[i] <= 1);
    return status;
}

static enum carom_status serve_nobody(const void *own, struct carom_error *error)
{
    const struct carom_farm farm = {.threads = *(const size_t *)own, .told = 8, .made = 8, .work = work};
    carom_memory_fail(1);
    return carom_farm_serve(&farm, error);
}

/* whoever was started by others, and has no module beside it */
static void begin_alone(void)
{
    struct carom_error error = {CAROM_OK, ""};
    unsetenv("OMPI_COMM_WORLD_SIZE");
    setenv("PMI_SIZE", "1", 1);
    CHECK(carom_rank_begin(&error) == NULL && error.status == CAROM_OK);
    unsetenv("PMI_SIZE");
    setenv("PMIX_RANK", "0", 1);
    CHECK(carom_rank_begin(&error) == NULL && error.status == CAROM_E_REFUSED && strstr(error.text, "carom_mpi.so"));
}

int main(void)
{
    for (size_t threads = 1; threads <= 3; threads++)
        CHECK(fail_each(harvest, &threads, true) >= 4); /* what is told and made, here and of others */
    for (size_t threads = 1; threads <= 2; threads++) {
        struct carom_error error = {CAROM_OK, ""};
        CHECK_STATUS(serve_nobody(&threads, &error), CAROM_E_MEMORY);
        carom_memory_fail(0);
    }
    begin_alone();
    return check_end();
}
