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

static void print_table(const struct counts *counts, const struct counts *all)
{
    printf("| law | runs | worst true/stated | worst true/tol | above 3 | above tol | no promise | not compared |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < LAWS && counts[i].law; i++)
        print_counts(&counts[i]);
    print_counts(all);
    qsort(excess, nover, sizeof *excess, by_size);
    if (nover > 0)
        printf("\nHalf of those that stated an error stated more than %.1f times the true one.\n", excess[nover / 2]);
}

static void take(struct counts *counts, struct counts *all, const struct verdict *v)
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
    count(all, v);
    if (v->outcome <= BROKEN && v->worst > 0.0 && !v->exact && nover < MANY)
        excess[nover++] = v->stated / v->worst;
}

static void read_lines(FILE *file, struct counts *counts, struct counts *all)
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
                take(counts, all, &v);
            }
    }
}

/* `table FILE ...`: the table of lines in files. */
static int counts_of_files(int argc, char **argv)
{
    static struct counts counts[LAWS], all = {.law = "all"};
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        CHECK_OR_STOP(file != NULL);
        read_lines(file, counts, &all);
        fclose(file);
    }
    print_table(counts, &all);
    return 0;
}

#endif
