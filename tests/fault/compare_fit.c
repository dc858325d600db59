/* Allocations of a comparison and of a fit fail, one in each attempt: the answer is always a sentence, nothing
 * leaks, and a fit whose log stays goes on to the same numbers. */
#include <unistd.h>

#include "base/memory.h"
#include "check.h"
#include "files.h"
#include "study/compare/compare.h"
#include "study/fit/fit.h"

static const char scene_text[] = "units: none\nbodies: [chain: {count: 3}]\n"
                                 "contacts: {law: kuwabara-kono, k: 1.2, gamma: 0.1}\n"
                                 "start: [{body: 1, velocity: 1}]\nrun: {until: 3, tol: 1e-4}\nrecord: {every: 1}\n";

static enum carom_status compare(struct carom_error *error)
{
    static struct carom_compare work;
    static struct carom_theory theory[CAROM_THEORIES_MOST];
    const char *path[] = {"scene.yaml"};
    size_t count;
    enum carom_status status = carom_theories_read("compliant,lzb,nonsmooth:newton", NULL, theory, &count, error);
    if (status == CAROM_OK)
        status = carom_compare_plan(&work, path, 1, theory, count, NULL, 0, error);
    if (status == CAROM_OK)
        status = carom_compare_run(&work, 1, true, NULL, error);
    unlink("compare.h5");
    if (status == CAROM_OK)
        status = carom_compare_file_write(&work, "compare.h5", error);
    for (size_t i = 0; status == CAROM_OK && i < count; i++)
        CHECK(work.entry[i].error.status == CAROM_OK);
    carom_compare_free(&work);
    return status;
}

static double found[2];

static enum carom_status fit_with(const char *log, struct carom_error *error)
{
    static struct carom_fit fit;
    static struct carom_fit_result result;
    const char *keys[] = {"k,gamma"};
    enum carom_status status = carom_fit_plan(&fit, "scene.yaml", NULL, 0, "data.csv", keys, 1, error);
    fit.method = CAROM_FIT_POLISH;
    if (status == CAROM_OK)
        status = carom_fit_run(&fit, log, 1, NULL, &result, error);
    unlink("fit.h5");
    if (status == CAROM_OK)
        status = carom_fit_file_write(&fit, &result, "fit.h5", error);
    if (status == CAROM_OK) {
        CHECK(found[0] == 0.0 || (found[0] == result.value[0] && found[1] == result.value[1]));
        found[0] = result.value[0];
        found[1] = result.value[1];
    }
    carom_fit_forget(&result);
    carom_fit_free(&fit);
    return status;
}

static enum carom_status fit_anew(struct carom_error *error)
{
    return fit_with(NULL, error);
}

/* the log stays between the attempts */
static enum carom_status fit_on(struct carom_error *error)
{
    return fit_with("fit.log", error);
}

/* All of the first hundred, then some of them. Some may fail without harm: the end is where many in a row do. */
static void fail_some(const char *name, enum carom_status (*whole)(struct carom_error *error))
{
    unsigned long failed = 0;
    struct carom_error error = {CAROM_OK, ""};
    CHECK(whole(&error) == CAROM_OK);
    if (error.status != CAROM_OK)
        printf("%s: %s\n", name, error.text);
    int harmless = 0;
    for (unsigned long nth = 1; harmless < 12 && nth < 200000; nth += nth < 100 ? 1 : nth / 25) {
        error = (struct carom_error){CAROM_OK, ""};
        carom_memory_fail(nth);
        const enum carom_status status = whole(&error);
        carom_memory_fail(0);
        harmless = status == CAROM_OK ? harmless + 1 : 0;
        failed += status != CAROM_OK;
        if (status == CAROM_OK)
            continue;
        CHECK(error.status == status && error.text[0] != '\0');
        const bool told = status == CAROM_E_MEMORY || status == CAROM_E_FILE;
        CHECK(told);
        if (!told)
            printf("%s, allocation %lu: %s\n", name, nth, error.text);
    }
    printf("%s: %lu failed allocations were told\n", name, failed);
    CHECK(failed > 60);
    CHECK(whole(&error) == CAROM_OK);
}

int main(void)
{
    file_put("scene.yaml", scene_text);
    file_put("data.csv", "time,v[3],v[2]\n0.5,0.05,0.3\n1,0.2,0.45\n1.5,0.35,0.5\n2,0.5,0.4\n2.5,0.7,0.25\n");
    unlink("fit.log");
    fail_some("compare", compare);
    fail_some("fit", fit_anew);
    fail_some("fit with a log", fit_on);
    return check_end();
}
