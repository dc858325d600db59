/* Rank 0 works with its own threads, and one more answers the others: it sleeps between two looks. Every thread of
 * another rank asks for a job together with what came of its last one. */
#include "rank/farm.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

/* What a thread says and hears; the bytes of a job stand behind it. */
struct ask {
    uint64_t thread, threads; /* which, of how many in its rank */
    uint64_t job;             /* the one it has done, or is to do */
};
#define NONE UINT64_MAX       /* ask again */
#define CLOSED (NONE - 1)     /* do not */
enum { ASK = (1 << 20) + 1 }; /* the tag of questions; answers have the thread's */

struct field {
    const struct carom_farm *farm;
    size_t jobs;
    atomic_size_t next;
    atomic_bool stop, lost; /* lost: no memory */
    size_t out;             /* jobs that others are at */
    char *answer, *question;
};

static bool over(const struct field *f)
{
    return atomic_load(&f->stop) || atomic_load(&f->next) >= f->jobs;
}

/* A job for this process: no two threads get the same. */
static size_t next_job(struct field *f)
{
    return over(f) ? SIZE_MAX : atomic_fetch_add(&f->next, 1);
}

static void work_here(struct field *f)
{
    const struct carom_farm *farm = f->farm;
    char *told = carom_memory_zeroed(1, farm->told), *made = carom_memory_zeroed(1, farm->made);
    if (!told || !made) {
        atomic_store(&f->lost, true);
        atomic_store(&f->stop, true);
    }
    for (size_t job = next_job(f); job < f->jobs; job = next_job(f)) {
        farm->give(farm->own, job, told);
        farm->work(farm->own, told, made);
        farm->take(farm->own, job, made);
    }
    carom_memory_free_all(told, made);
}

/* --- rank 0 and the others ---------------------------------------------------------------------------------------- */

static void answer(struct field *f, size_t to, uint64_t thread, uint64_t job)
{
    const struct ask head = {.thread = thread, .job = job};
    memcpy(f->answer, &head, sizeof head);
    if (job < f->jobs)
        f->farm->give(f->farm->own, (size_t)job, f->answer + sizeof head);
    carom_rank_send(f->farm->ranks, to, (int)thread, f->answer, sizeof head + f->farm->told);
}

/* One question, if there is one: what was done is taken, and there is something to do next. A thread for which there is
 * nothing asks again later. */
static bool hear(struct field *f)
{
    struct ask ask;
    size_t from = CAROM_RANK_ANY;
    if (!carom_rank_receive(f->farm->ranks, &from, ASK, f->question, sizeof ask + f->farm->made))
        return false;
    memcpy(&ask, f->question, sizeof ask);
    if (ask.job != NONE) {
        f->out--;
        f->farm->take(f->farm->own, (size_t)ask.job, f->question + sizeof ask);
    }
    const size_t job = next_job(f);
    f->out += job < f->jobs;
    answer(f, from, ask.thread, job < f->jobs ? job : NONE);
    return true;
}

static void answer_others(struct field *f)
{
    unsigned turns = 0;
    while (!atomic_load(&f->stop) && (f->out > 0 || !over(f))) {
        if (hear(f)) {
            turns = 0;
            continue;
        }
        carom_rank_wait(&turns);
        if (turns % 16 == 0 && f->farm->watch && !f->farm->watch(f->farm->own, NULL))
            atomic_store(&f->stop, true);
    }
}

static void member(void *own, size_t block)
{
    struct field *f = own;
    if (block == 0 && f->farm->ranks)
        answer_others(f);
    else
        work_here(f);
}

enum carom_status carom_farm_run(const struct carom_farm *farm, size_t jobs, struct carom_error *error)
{
    struct field f = {.farm = farm, .jobs = jobs};
    const size_t hands = farm->threads + (farm->ranks ? 1 : 0);
    struct carom_threads *team = hands > 1 ? carom_threads_create(hands) : NULL;
    f.answer = carom_memory_zeroed(1, sizeof(struct ask) + farm->told);
    f.question = carom_memory_zeroed(1, sizeof(struct ask) + farm->made);
    const bool good = (team || hands == 1) && f.answer && f.question;
    if (good)
        carom_threads_run(team, member, &f, hands);
    if (f.out > 0)
        carom_rank_give_up(farm->ranks);
    carom_threads_free(team);
    carom_memory_free_all(f.answer, f.question);
    return good && !atomic_load(&f.lost) ? CAROM_OK
                                         : carom_error_set(error, CAROM_E_MEMORY, "out of memory for threads");
}

void carom_farm_close(const struct carom_farm *farm)
{
    const size_t bytes = sizeof(struct ask) + (farm->told > farm->made ? farm->told : farm->made);
    char *room = carom_memory_zeroed(1, bytes);
    const size_t ranks = carom_rank_count(farm->ranks);
    uint64_t *left = carom_memory_zeroed(ranks, sizeof *left); /* threads of each that are still there, + 1 */
    size_t open = carom_rank_given_up(farm->ranks) ? 0 : ranks - 1;
    unsigned turns = 0;
    if (!room || !left)
        carom_rank_give_up(farm->ranks);
    while (room && left && open > 0) {
        struct ask ask;
        size_t from = CAROM_RANK_ANY;
        if (!carom_rank_receive(farm->ranks, &from, ASK, room, sizeof ask + farm->made)) {
            carom_rank_wait(&turns);
            continue;
        }
        memcpy(&ask, room, sizeof ask);
        left[from] = left[from] > 0 ? left[from] - 1 : ask.threads;
        open -= left[from] == 1;
        ask.job = CLOSED;
        memcpy(room, &ask, sizeof ask);
        carom_rank_send(farm->ranks, from, (int)ask.thread, room, sizeof ask + farm->told);
    }
    carom_memory_free_all(room, left);
}

/* --- the others ---------------------------------------------------------------------------------------------------
 */

struct servant {
    const struct carom_farm *farm;
    size_t threads;
    atomic_bool lost;
};

static void ask_for_work(const struct servant *s, struct ask *ask, char *question, char *told)
{
    unsigned turns = 0;
    size_t from = 0;
    memcpy(question, ask, sizeof *ask);
    carom_rank_send(s->farm->ranks, 0, ASK, question, sizeof *ask + s->farm->made);
    while (!carom_rank_receive(s->farm->ranks, &from, (int)ask->thread, told, sizeof *ask + s->farm->told))
        carom_rank_wait(&turns);
    memcpy(ask, told, sizeof *ask);
    ask->threads = s->threads;
}

static void serve(void *own, size_t thread)
{
    struct servant *s = own;
    const struct carom_farm *farm = s->farm;
    char *question = carom_memory_zeroed(1, sizeof(struct ask) + farm->made);
    char *told = carom_memory_zeroed(1, sizeof(struct ask) + farm->told);
    struct ask ask = {thread, s->threads, NONE};
    unsigned turns = 0;
    if (!question || !told)
        atomic_store(&s->lost, true);
    while (question && told) {
        ask_for_work(s, &ask, question, told);
        if (ask.job == CLOSED)
            break;
        if (ask.job == NONE) {
            carom_rank_wait(&turns);
            continue;
        }
        farm->work(farm->own, told + sizeof ask, question + sizeof ask);
        turns = 0;
    }
    carom_memory_free_all(question, told);
}

enum carom_status carom_farm_serve(const struct carom_farm *farm, struct carom_error *error)
{
    struct servant s = {.farm = farm, .threads = farm->threads};
    struct carom_threads *team = s.threads > 1 ? carom_threads_create(s.threads) : NULL;
    if (team || s.threads == 1)
        carom_threads_run(team, serve, &s, s.threads);
    else
        atomic_store(&s.lost, true);
    carom_threads_free(team);
    if (!atomic_load(&s.lost))
        return CAROM_OK;
    carom_rank_give_up(farm->ranks);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for threads");
}
