/* What became of random scenes, one line each, and the table that such lines come to; of all campaigns. */
#ifndef CAROM_TESTS_CAMPAIGN_COUNTS_H
#define CAROM_TESTS_CAMPAIGN_COUNTS_H

#include "check.h"

/* what became of a scene */
enum outcome {
    KEPT,      /* promised, and within three times what was stated */
    BROKEN,    /* promised, and further off */
    REFUSED,   /* not promised: the run says that its error is more than tol */
    FAILED,    /* no run: an error in words */
    UNSETTLED, /* the other way did not come to an end */
    STILL      /* nothing moves: no scales */
};
static const char *const outcomes[] = {"kept", "broken", "refused", "failed", "unsettled", "still"};

struct verdict {
    uint64_t seed;
    enum outcome outcome;
    char law[24];
    double tol, worst, stated; /* in units of the scales */
    bool exact;                /* it stated nothing but tol, which is what flights in closed form do */
};

static void print_verdict(const struct verdict *v)
{
    printf("%" PRIu64 " %s %s %.2e %.2e %.2e%s\n", v->seed, outcomes[v->outcome], v->law, v->tol, v->worst, v->stated,
           v->exact ? " exact" : "");
}

/* --- counts -------------------------------------------------------------------------------------------------- */

enum { LAWS = 8, MANY = 200000 };

struct counts {
    const char *law;
    unsigned long of[6], beyond; /* `beyond`: promised, and more than tol off */
    double ratio, worst;         /* true over stated, true over tol: the largest */
};

static struct counts counts[LAWS], total = {.law = "all"};
static double excess[MANY]; /* stated over true, of runs that promised */
static size_t nover;

static void count(struct counts *c, const struct verdict *v)
{
    c->of[v->outcome]++;
    if (v->outcome > BROKEN)
        return;
    c->ratio = fmax(c->ratio, v->worst / v->stated);
    c->worst = fmax(c->worst, v->worst / v->tol);
    c->beyond += v->worst > v->tol;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void print_counts(const struct counts *c)
{
    unsigned long runs = 0;
    for (int i = 0; i < 6; i++)
        runs += c->of[i];
    printf("| %s | %lu | %.2f | %.2f | %lu | %lu | %lu | %lu |\n", c->law, runs, c->ratio, c->worst, c->of[BROKEN],
           c->beyond, c->of[REFUSED], c->of[FAILED] + c->of[UNSETTLED] + c->of[STILL]);
}

static void print_table(void)
{
    printf("| law | runs | worst true/stated | worst true/tol | above 3 | above tol | no promise | not compared |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < LAWS && counts[i].law; i++)
        print_counts(&counts[i]);
    print_counts(&total);
    qsort(excess, nover, sizeof *excess, by_size);
    if (nover > 0)
        printf("\nHalf of those that stated an error stated more than %.1f times the true one.\n", excess[nover / 2]);
}

static void take(const struct verdict *v)
{
    size_t i = 0;
    while (i + 1 < LAWS && counts[i].law && strcmp(counts[i].law, v->law) != 0)
        i++;
    if (!counts[i].law) {
        char *name = malloc(sizeof v->law);
        CHECK_OR_STOP(name != NULL);
        memcpy(name, v->law, sizeof v->law);
        counts[i].law = name;
    }
    count(&counts[i], v);
    count(&total, v);
    if (v->outcome <= BROKEN && v->worst > 0.0 && !v->exact && nover < MANY)
        excess[nover++] = v->stated / v->worst;
}

static void read_lines(FILE *file)
{
    char line[200], outcome[24];
    while (fgets(line, sizeof line, file)) {
        struct verdict v = {.exact = strstr(line, " exact") != NULL};
        if (sscanf(line, "%" SCNu64 " %23s %23s %lg %lg %lg", &v.seed, outcome, v.law, &v.tol, &v.worst, &v.stated) !=
            6)
            continue;
        for (int i = 0; i < 6; i++)
            if (strcmp(outcome, outcomes[i]) == 0) {
                v.outcome = (enum outcome)i;
                take(&v);
            }
    }
}

/* `table FILE ...`: the table of lines in files. */
static void counts_of_files(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        CHECK_OR_STOP(file != NULL);
        read_lines(file);
        fclose(file);
    }
    print_table();
}

/* --- a campaign ------------------------------------------------------------------------------------------------ */

/* Of a run that stated an error, and how far off it truly was; below 0: nobody knows. */
static inline enum outcome outcome_of(const struct verdict *v)
{
    return v->stated > v->tol ? REFUSED : v->worst < 0.0 ? UNSETTLED : v->worst <= 3.0 * v->stated ? KEPT : BROKEN;
}

static inline void judge_seed(struct verdict (*judge)(uint64_t seed), uint64_t seed)
{
    const struct verdict v = judge(seed);
    print_verdict(&v);
    fflush(stdout);
    take(&v);
}

static inline void judge_seeds(struct verdict (*judge)(uint64_t seed), uint64_t first, uint64_t n)
{
    for (uint64_t seed = first; seed < first + n; seed++)
        judge_seed(judge, seed);
}

/* What is asked of a campaign in words, of which its file's head tells; false: nothing is. */
static bool campaign_asked(int argc, char **argv, struct verdict (*judge)(uint64_t seed), void (*print)(uint64_t seed))
{
    if (argc > 2 && strcmp(argv[1], "table") == 0)
        counts_of_files(argc, argv);
    else if (argc > 2 && strcmp(argv[1], "scene") == 0)
        print(strtoull(argv[2], NULL, 0));
    else if (argc > 2)
        judge_seeds(judge, strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0));
    return argc > 1;
}

#endif
