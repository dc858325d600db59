/* A test is a program: CHECK things, end main with `return check_end();`. Failures are printed as file:line with the
 * values, and the program goes on to the next check; with CHECK_FIRST in the environment it ends there (tools/mutate).
 * A program that checked nothing fails. Not for use from several threads at once. */
#ifndef CAROM_TESTS_CHECK_H
#define CAROM_TESTS_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/error.h"

#define CHECK_SHOWN 40 /* failures printed in full; a loop that always fails should not flood the log */

static unsigned long check_count, check_failures;

static inline bool check_report(bool good)
{
    check_count++;
    if (good)
        return false;
    check_failures++;
    if (getenv("CHECK_FIRST") != NULL)
        exit(1);
    if (check_failures == CHECK_SHOWN + 1)
        fprintf(stderr, "... further failures are only counted\n");
    return check_failures <= CHECK_SHOWN;
}

/* A test that tests/CMakeLists.txt names in_part takes a part of its cases or trials, as its _long all of them. */
static inline bool check_takes_all(void)
{
    return getenv("ALL_LINES") != NULL;
}

/* how many it takes, or the step from one to the next */
static inline int check_take(int part, int all)
{
    return check_takes_all() ? all : part;
}

/* `0 ? 0 : a = b` is no C: a check that assigns instead of comparing does not compile. */
#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (check_report((0 ? 0 : condition) ? true : false))                              \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
    } while (0)

/* |a - b| <= tolerance; NaN on any side fails, equal infinities hold. */
#define CHECK_NEAR(a, b, tolerance) check_near(__FILE__, __LINE__, #a, #b, (a), (b), (tolerance))

/* A call returns this status. */
#define CHECK_STATUS(call, expected) check_status(__FILE__, __LINE__, #call, (call), (expected))

/* Two strings are the same. */
#define CHECK_TEXT(a, b) check_text(__FILE__, __LINE__, #a, (a), (b))

/* The first string contains the second. */
#define CHECK_CONTAINS(a, b) check_contains(__FILE__, __LINE__, #a, (a), (b))

/* Stops the program where going on makes no sense (a NULL that was to be an object). */
#define CHECK_OR_STOP(condition)                                                          \
    do {                                                                                  \
        const bool check_good = (0 ? 0 : condition) ? true : false;                       \
        if (check_report(check_good))                                                     \
            fprintf(stderr, "%s:%d: cannot go on: %s\n", __FILE__, __LINE__, #condition); \
        if (!check_good)                                                                  \
            exit(1);                                                                      \
    } while (0)

#define CHECK_MAIN_END return check_end()

static inline void check_near(const char *file, int line, const char *name_a, const char *name_b, double a, double b,
                              double tolerance)
{
    const bool good = tolerance >= 0.0 && (a == b || fabs(a - b) <= tolerance);
    if (check_report(good))
        fprintf(stderr, "%s:%d: %s = %.17g, %s = %.17g: apart by %.3g, allowed %.3g\n", file, line, name_a, a, name_b,
                b, fabs(a - b), tolerance);
}

static inline const char *check_status_name(enum carom_status status)
{
    switch (status) {
#define CHECK_CASE(name, code, meaning) \
    case name:                          \
        return #name;
        CAROM_STATUS_LIST(CHECK_CASE)
#undef CHECK_CASE
    }
    return "no status";
}

static inline void check_status(const char *file, int line, const char *call, enum carom_status got,
                                enum carom_status expected)
{
    if (check_report(got == expected))
        fprintf(stderr, "%s:%d: %s returned %s, expected %s\n", file, line, call, check_status_name(got),
                check_status_name(expected));
}

static inline void check_text(const char *file, int line, const char *name, const char *got, const char *expected)
{
    if (check_report(got != NULL && expected != NULL && strcmp(got, expected) == 0))
        fprintf(stderr, "%s:%d: %s is \"%s\", expected \"%s\"\n", file, line, name, got ? got : "(null)",
                expected ? expected : "(null)");
}

static inline void check_contains(const char *file, int line, const char *name, const char *got, const char *part)
{
    if (check_report(got != NULL && part != NULL && strstr(got, part) != NULL))
        fprintf(stderr, "%s:%d: %s is \"%s\", without \"%s\"\n", file, line, name, got ? got : "(null)",
                part ? part : "(null)");
}

/* The seed of a random test: the first argument, or always the same one. Printed, so that a failure can be repeated. */
static inline uint64_t check_seed(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20200615u;
    printf("seed %" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}

/* What main returns. */
static inline int check_end(void)
{
    if (check_count == 0)
        fprintf(stderr, "nothing was checked\n");
    printf("%lu checks, %lu failed\n", check_count, check_failures);
    return check_count > 0 && check_failures == 0 ? 0 : 1;
}

#endif
