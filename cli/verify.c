/* carom verify: the published numbers of papers, measured and judged, a line a row. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/threads.h"
#include "papers/acary2009/acary2009.h"
#include "papers/chung2011/chung2011.h"
#include "papers/james2020/james2020.h"
#include "papers/monasse2012/monasse2012.h"
#include "papers/nguyen2011/nguyen2011.h"
#include "rank/farm.h"
#include "ranks.h"
#include "study.h"
#include "study/verify/verify.h"

/* what papers measure that no other does */
static const struct carom_measure *const own_measures[] = {
    carom_acary2009_list,           carom_chung2011_list,
    carom_james2020_list,           carom_monasse2012_list,
    carom_monasse2012_bodies_list,  carom_monasse2012_lamb_list,
    carom_monasse2012_strike_list,  carom_monasse2012_fracture_list,
    carom_monasse2012_voronoi_list, carom_nguyen2011_list,
    carom_nguyen2011_waves_list,    NULL};

struct wish {
    const char *papers, *row, *threads;
    bool long_rows, reasons, quiet;
};

struct count {
    size_t verdict[3], left_out;
};

/* --- where papers are ------------------------------------------------------------------------------------------- */

static bool is_paper(const char *papers, const char *name)
{
    char rows[PATH_MAX];
    const int length = snprintf(rows, sizeof rows, "%s/%s/rows.yaml", papers, name);
    return name[0] != '.' && length > 0 && (size_t)length < sizeof rows && access(rows, R_OK) == 0;
}

/* Does a folder hold papers? Somebody else's may have that name. */
static bool has_papers(const char *path)
{
    DIR *folder = opendir(path);
    bool found = false;
    for (const struct dirent *entry; folder && !found && (entry = readdir(folder));)
        found = is_paper(path, entry->d_name);
    if (folder)
        closedir(folder);
    return found;
}

/* --papers, CAROM_PAPERS, ./papers, or beside the program: its folder's neighbour, or where it is installed. */
bool cli_study_papers(const char *wanted, char *path, size_t size, struct carom_error *error)
{
    const char *given = wanted ? wanted : getenv("CAROM_PAPERS");
    snprintf(path, size, "%s", given ? given : "papers");
    if (has_papers(path))
        return true;
    if (given) {
        carom_error_set(error, CAROM_E_FILE, "%s: there are no papers there, folders with a file rows.yaml", given);
        return false;
    }
    static const char *const beside[] = {"/../papers", "/../share/carom/papers"};
    char program[PATH_MAX] = "";
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = length > 0 ? strrchr(program, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof beside / sizeof *beside; i++) {
        *slash = '\0';
        snprintf(path, size, "%.*s%s", (int)size - 32, program, beside[i]);
        if (has_papers(path))
            return true;
    }
    carom_error_set(error, CAROM_E_FILE,
                    "there are no papers in ./papers or beside the program (%s/../share/carom/papers, where 'cmake "
                    "--install' puts them); --papers FOLDER says where they are: they come with the source",
                    program);
    return false;
}

static int has_rows(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

static void print_row(const struct carom_paper_row *row, int width, double measured, enum carom_verdict verdict,
                      const struct carom_error *why, bool reasons)
{
    printf("%-*s %10.6g ", width, row->name, row->published);
    if (measured == measured)
        printf("%12.6g", measured);
    else
        printf("%12s", "-");
    printf(" %9.2g %s\n", row->allowed, carom_verify_word(verdict));
    if (why->status != CAROM_OK)
        printf("%*s %s\n", width, "", why->text);
    if (verdict == CAROM_VERDICT_NOT_REPRODUCED)
        printf("%*s %s\n", width, "", row->unreproduced);
    if (reasons)
        printf("%*s %s; allowed: %s\n", width, "", row->place, row->reason);
    fflush(stdout);
}

static bool is_wanted(const struct wish *wish, const struct carom_paper_row *row)
{
    return !wish->row || strstr(row->name, wish->row);
}

/* Progress over all rows of a paper: each counts the same. */
struct over_rows {
    struct cli_study *study;
    double before, share;
};

static bool watch_row(void *own, double done)
{
    const struct over_rows *rows = own;
    return cli_study_watch(rows->study, rows->before + rows->share * done);
}

/* What came of a row. */
struct measured {
    double value;
    enum carom_verdict verdict;
    enum carom_status status; /* not CAROM_OK: what ended it */
    struct carom_error why;
};

/* The rows of one paper, at work. */
struct rows {
    struct carom_measuring measuring; /* of the one under way */
    size_t *which, wanted;            /* numbers of those that are measured */
    struct measured *measured;        /* of ranks: all of them */
};

static void give_row(void *own, size_t job, void *told)
{
    const struct rows *r = own;
    memcpy(told, &r->which[job], sizeof r->which[job]);
}

static void measure_row(void *own, const void *told, void *made)
{
    const struct rows *r = own;
    struct carom_measuring m = r->measuring;
    struct measured *to = made;
    size_t row;
    memcpy(&row, told, sizeof row);
    m.row = &m.paper->row[row];
    *to = (struct measured){.why = {CAROM_OK, ""}};
    to->status = carom_verify_row(&m, &to->value, &to->verdict, &to->why);
}

static void take_row(void *own, size_t job, const void *made)
{
    const struct rows *r = own;
    memcpy(&r->measured[job], made, sizeof *r->measured);
}

/* Ranks measure all rows before the first is printed; each has one row at a time, which listens to Ctrl-C. */
static enum carom_status share_rows(struct rows *r, struct carom_error *error)
{
    const struct carom_farm farm = {
        cli_ranks(), 1, sizeof(size_t), sizeof(struct measured), measure_row, give_row, take_row, NULL, r};
    if (carom_rank_own(farm.ranks) > 0)
        return carom_farm_serve(&farm, error);
    for (size_t i = 0; i < r->wanted; i++)
        r->measured[i] = (struct measured){.status = CAROM_E_STOPPED, .why = {CAROM_E_STOPPED, "stopped"}};
    const enum carom_status status = carom_farm_run(&farm, r->wanted, error);
    carom_farm_close(&farm);
    return status;
}

static int name_width(const struct carom_paper *paper)
{
    int width = 4;
    for (size_t i = 0; i < paper->nrows; i++)
        width = (int)strlen(paper->row[i].name) > width ? (int)strlen(paper->row[i].name) : width;
    return width;
}

static enum carom_status show_rows(struct rows *r, const struct wish *wish, struct over_rows *over, struct count *count,
                                   struct carom_error *error)
{
    const int width = name_width(r->measuring.paper);
    for (size_t i = 0; i < r->wanted; i++) {
        struct measured *m = &r->measured[i];
        over->before = (double)r->which[i] * over->share;
        if (!cli_ranks())
            measure_row(r, &r->which[i], m);
        if (m->status != CAROM_OK) {
            *error = m->why;
            return m->status;
        }
        count->verdict[m->verdict]++;
        if (!wish->quiet || m->verdict == CAROM_VERDICT_FAIL)
            print_row(&r->measuring.paper->row[r->which[i]], width, m->value, m->verdict, &m->why, wish->reasons);
    }
    return CAROM_OK;
}

static void choose_rows(struct rows *r, const struct wish *wish, struct count *count)
{
    const struct carom_paper *paper = r->measuring.paper;
    for (size_t i = 0; i < paper->nrows; i++) {
        if (!is_wanted(wish, &paper->row[i]))
            continue;
        if (paper->row[i].takes_long && !wish->long_rows)
            count->left_out++;
        else
            r->which[r->wanted++] = i;
    }
}

static enum carom_status run_rows(const struct carom_paper *paper, const struct wish *wish,
                                  struct carom_threads *threads, struct count *count, struct carom_error *error)
{
    struct carom_measures_memory memory = {0};
    struct cli_study study;
    struct over_rows over = {&study, 0.0, 1.0 / (double)(paper->nrows > 0 ? paper->nrows : 1)};
    const struct carom_progress progress = {watch_row, &over};
    struct rows rows = {.measuring = {paper, NULL, threads, &progress, &memory, own_measures}};
    rows.which = carom_memory_zeroed(paper->nrows, sizeof *rows.which);
    rows.measured = carom_memory_zeroed(paper->nrows, sizeof *rows.measured);
    enum carom_status status = CAROM_OK;
    cli_study_begin(&study, wish->quiet, "verify");
    if (rows.which && rows.measured)
        choose_rows(&rows, wish, count);
    else
        status = carom_memory_error(error);
    if (status == CAROM_OK && !wish->quiet)
        printf("%-*s %10s %12s %9s\n", name_width(paper), "row", "published", "measured", "allowed");
    if (status == CAROM_OK && cli_ranks())
        status = share_rows(&rows, error);
    if (status == CAROM_OK && carom_rank_own(cli_ranks()) == 0)
        status = show_rows(&rows, wish, &over, count, error);
    cli_study_end(&study);
    carom_memory_free_all(rows.which, rows.measured, memory.answer);
    return status;
}

static enum carom_status run_paper(const char *papers, const char *key, const struct wish *wish,
                                   struct carom_threads *threads, struct count *count, struct carom_error *error)
{
    char folder[PATH_MAX];
    struct carom_paper paper;
    snprintf(folder, sizeof folder, "%.2000s/%.200s", papers, key);
    enum carom_status status = carom_paper_read(&paper, folder, error);
    if (status == CAROM_OK) {
        if (!wish->quiet)
            printf("%s: %s\n%s\n\n", key, paper.title, paper.source);
        status = run_rows(&paper, wish, threads, count, error);
    }
    carom_paper_free(&paper);
    return status;
}

/* --- papers ----------------------------------------------------------------------------------------------------- */

static enum carom_status run_papers(const char *papers, const char *key, const struct wish *wish,
                                    struct carom_threads *threads, struct count *count, struct carom_error *error)
{
    if (key) {
        if (strchr(key, '/') || !is_paper(papers, key))
            return carom_error_set(error, CAROM_E_USAGE, "there is no paper '%s' in %s", key, papers);
        return run_paper(papers, key, wish, threads, count, error);
    }
    struct dirent **entry;
    const int found = scandir(papers, &entry, has_rows, alphasort);
    if (found < 0)
        return carom_error_set(error, CAROM_E_FILE, "%s: cannot be read", papers);
    enum carom_status status = CAROM_OK;
    for (int i = 0; i < found; i++) {
        if (status == CAROM_OK && is_paper(papers, entry[i]->d_name))
            status = run_paper(papers, entry[i]->d_name, wish, threads, count, error);
        free(entry[i]);
    }
    free(entry);
    return status;
}

static int verify(const char *key, const struct wish *wish, size_t nthreads)
{
    struct carom_error error = {CAROM_OK, ""};
    struct count count = {0};
    char papers[PATH_MAX];
    if (!cli_study_papers(wish->papers, papers, sizeof papers, &error))
        return cli_fail(&error);
    struct carom_threads *threads = nthreads > 1 ? carom_threads_create(nthreads) : NULL;
    struct cli_progress clock;
    cli_progress_begin(&clock, true);
    enum carom_status status = carom_rank_ready(cli_ranks(), &error);
    if (status == CAROM_OK)
        status = run_papers(papers, key, wish, threads, &count, &error);
    carom_threads_free(threads);
    if (status != CAROM_OK)
        return cli_fail(&error);
    if (carom_rank_own(cli_ranks()) > 0)
        return CAROM_OK;
    const size_t rows = count.verdict[0] + count.verdict[1] + count.verdict[2];
    if (rows == 0 && count.left_out == 0)
        return cli_usage("no row was measured: none fits '%s'", wish->row ? wish->row : "");
    if (!wish->quiet) {
        printf("\n%zu row%s: %zu PASS, %zu FAIL, %zu NOT-REPRODUCED", rows, cli_s(rows), count.verdict[0],
               count.verdict[1], count.verdict[2]);
        if (count.left_out > 0)
            printf("; %zu need --long", count.left_out);
        printf("; %.1f s\n", cli_progress_seconds(&clock));
    }
    return count.verdict[CAROM_VERDICT_FAIL] == 0 ? CAROM_OK : CAROM_E_FAILED;
}

int carom_cli_verify(int argc, char **argv)
{
    struct wish wish = {0};
    const char *key[1] = {NULL};
    size_t npositional, threads = carom_rank_threads(cli_ranks());
    const struct cli_option options[] = {
        {"--long", NULL, NULL, "also the rows that take long", .flag = &wish.long_rows},
        {"--row", NULL, "TEXT", "only rows whose name contains this", .single = &wish.row},
        {"--reasons", NULL, NULL, "with where each number was published and why the distance is allowed",
         .flag = &wish.reasons},
        {"--papers", NULL, "FOLDER", "where the papers are (default: papers here or beside the program)",
         .single = &wish.papers},
        {"--threads", NULL, "N", "threads to use, or auto (the result is the same to the bit)",
         .single = &wish.threads},
        {"--quiet", "-q", NULL, "only rows that fail", .flag = &wish.quiet},
        {0},
    };
    const struct cli_command command = {
        "carom verify [PAPER] [--long] [--row TEXT]",
        "Measures the published numbers of a paper, or of all, and prints one line for each: name, published, "
        "measured,\n"
        "allowed distance, PASS, FAIL or NOT-REPRODUCED. The exit code is 0 if no row fails.",
        options, 0, 1};
    int code;
    if (!cli_read(&command, argc, argv, key, &npositional, &code) ||
        (wish.threads && !cli_study_threads(wish.threads, &threads, &code)))
        return code;
    return verify(npositional > 0 ? key[0] : NULL, &wish, threads);
}
