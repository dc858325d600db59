/* Reads the stored reference tables (as doubles); SOURCE in the environment says where the repository is. */
#ifndef CAROM_TESTS_REFERENCE_TABLE_H
#define CAROM_TESTS_REFERENCE_TABLE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/cases.h"

#define REFERENCE_SAMPLES 20

struct reference_table {
    const struct reference_case *from;
    double time[REFERENCE_SAMPLES];
    double value[REFERENCE_SAMPLES][2 * REFERENCE_BEADS]; /* displacements, then velocities */
};

static inline bool reference_table_read(struct reference_table *table, const struct reference_case *from, FILE *file)
{
    table->from = from;
    for (int c = getc(file); c == '#'; c = getc(file)) {
        while (c != '\n' && c != EOF)
            c = getc(file);
    }
    if (fseek(file, -1, SEEK_CUR))
        return false;
    for (int i = 0; i < from->samples; i++) {
        if (fscanf(file, "%lf", &table->time[i]) != 1)
            return false;
        for (int j = 0; j < 2 * from->n; j++)
            if (fscanf(file, "%lf", &table->value[i][j]) != 1)
                return false;
    }
    return true;
}

static inline bool reference_table_open(struct reference_table *table, const struct reference_case *from)
{
    char path[1024];
    const char *source = getenv("SOURCE");
    snprintf(path, sizeof path, "%s/tests/reference/%s.txt", source ? source : ".", from->name);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const bool good = reference_table_read(table, from, file);
    fclose(file);
    return good;
}

static inline const struct reference_case *reference_case_find(const char *name)
{
    for (size_t i = 0; i < REFERENCE_CASES; i++)
        if (strcmp(reference_cases[i].name, name) == 0)
            return &reference_cases[i];
    return NULL;
}

#endif
