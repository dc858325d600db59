/* Each allocation of a convergence study, of a sweep and of a row of a paper fails once: the answer is always a
 * sentence, that of memory or of a file that could not be opened for lack of it, and the sweep's file can be gone
 * on with. In part every third allocation. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "check.h"
#include "files.h"
#include "papers/james2020/james2020.h"
#include "study/converge/converge.h"
#include "study/sweep/sweep.h"
#include "study/verify/verify.h"

static const char scene_path[] = "study/pair.yaml";
static const char scene_text[] = "units: none\nbodies: [chain: {count: 3}]\n"
                                 "contacts: {law: kuwabara-kono, gamma: 0.1}\n"
                                 "start: [{body: 1, velocity: 1}]\nrun: {until: 3, tol: 1e-4}\nrecord: {every: 1}\n";
static const char rows_text[] =
    "title: a\nsource: b\nrows:\n"
    "  - {name: a, place: b, published: 0, allowed: 1, reason: c, measure: error_u, scene: pair.yaml, scheme: theta,"
    " step: 0.1}\n"
    "  - {name: b, place: b, published: 0, allowed: 1, reason: c, measure: best_from, scene: pair.yaml,"
    " schemes: 'theta,verlet', scheme: verlet, step: 0.1, key: contacts.gamma, range: '0.1:0.2:2'}\n";

static enum carom_status converge(struct carom_error *error)
{
    const double step[] = {0.1, 0.05};
    struct carom_converge_row row[2];
    struct carom_scene *scene = carom_scene_read(scene_path, NULL, 0, error);
    if (!scene)
        return error->status;
    const struct carom_converge_plan plan = {.scene = scene,
                                             .name = "test",
                                             .scheme = &carom_scheme_theta,
                                             .knob = "step",
                                             .count = 2,
                                             .value = step,
                                             .reference_tol = 1e-6};
    const enum carom_status status = carom_converge_run(&plan, row, error);
    carom_scene_free(scene);
    return status;
}

static enum carom_status sweep(struct carom_error *error)
{
    static struct carom_sweep_result result;
    const char *over[] = {"contacts.gamma=0:0.2:2", "run.scheme=dp5"};
    struct carom_sweep plan;
    unlink("study/sweep.h5");
    enum carom_status status =
        carom_sweep_plan(&plan, scene_path, NULL, 0, over, 2, false, "v_last,peak_force,error", 1e-6, error);
    if (status == CAROM_OK)
        status = carom_sweep_run(&plan, "study/sweep.h5", 1, NULL, &result, error);
    if (status == CAROM_OK)
        CHECK(result.done == 2 && result.failed == 0);
    carom_sweep_free(&plan);
    return status;
}

/* The file stays between the attempts: each goes on where the last one stopped. */
static enum carom_status resume(struct carom_error *error)
{
    static struct carom_sweep_result result;
    struct carom_sweep plan;
    enum carom_status status = carom_sweep_plan_file(&plan, "study/sweep.h5", error);
    if (status == CAROM_OK)
        status = carom_sweep_run(&plan, "study/sweep.h5", 1, NULL, &result, error);
    carom_sweep_free(&plan);
    return status;
}

static enum carom_status verify(struct carom_error *error)
{
    struct carom_paper paper;
    static const struct carom_measure *const lists[] = {carom_james2020_list, NULL};
    struct carom_measures_memory memory = {0};
    enum carom_status status = carom_paper_read(&paper, "study", error);
    for (size_t i = 0; i < paper.nrows && status == CAROM_OK; i++) {
        const struct carom_measuring m = {.paper = &paper, .row = &paper.row[i], .memory = &memory, .lists = lists};
        double measured;
        enum carom_verdict verdict;
        status = carom_verify_row(&m, &measured, &verdict, error);
        if (status == CAROM_OK)
            CHECK(verdict == CAROM_VERDICT_PASS);
    }
    carom_memory_free(memory.answer);
    carom_paper_free(&paper);
    return status;
}

/* Some allocations may fail without harm (a file is opened another way): the end is where many in a row do. */
static void fail_each(const char *name, enum carom_status (*whole)(struct carom_error *error))
{
    unsigned long nth = 1, failed = 0;
    for (int harmless = 0; harmless < 20 && nth < 100000; nth += (unsigned long)check_take(3, 1)) {
        struct carom_error error = {CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = whole(&error);
        carom_memory_fail(0);
        harmless = status == CAROM_OK ? harmless + 1 : 0;
        failed += status != CAROM_OK;
        if (status == CAROM_OK)
            continue;
        CHECK(error.status == status && error.text[0] != '\0');
        CHECK(status == CAROM_E_MEMORY || strncmp(error.text, "study/sweep.h5: ", 16) == 0);
        if (status != CAROM_E_MEMORY && strncmp(error.text, "study/sweep.h5: ", 16) != 0)
            printf("%s, allocation %lu: %s\n", name, nth, error.text);
    }
    printf("%s: %lu failed allocations were told\n", name, failed);
    CHECK(failed > 20);
}

int main(void)
{
    mkdir("study", 0777);
    file_put(scene_path, scene_text);
    file_put("study/rows.yaml", rows_text);
    fail_each("converge", converge);
    fail_each("sweep", sweep);
    fail_each("resume", resume);
    fail_each("verify", verify);
    return check_end();
}
