#!/usr/bin/env bash
# The FCLIB library itself beside carom, in a process of its own because it ends the program on errors: it writes problems
# that carom solves, reads the solutions back and judges them by its own merit function; and it reads what carom writes.
# Passed over where libfclib is not installed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >judge.c <<'CODE'
#include <fclib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 6, WIDTH = 3 * CONTACTS, FREEDOMS = 24 };

static double number(void)
{
    static unsigned long long state = 12345;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / 9007199254740992.0 - 0.5;
}

static struct fclib_matrix dense(int rows, int columns, int *p, int *i, double *x)
{
    for (int c = 0; c <= columns; c++)
        p[c] = c * rows;
    for (int k = 0; k < rows * columns; k++)
        i[k] = k % rows;
    return (struct fclib_matrix){rows * columns, rows, columns, p, i, x, -1, NULL};
}

static int make(void)
{
    static double h[FREEDOMS * WIDTH], w[WIDTH * WIDTH], m[FREEDOMS * FREEDOMS], q[WIDTH], f[FREEDOMS], mu[CONTACTS];
    static int p[WIDTH + 1], i[WIDTH * WIDTH], hp[WIDTH + 1], hi[FREEDOMS * WIDTH], mp[FREEDOMS + 1],
        mi[FREEDOMS * FREEDOMS];
    double zero[WIDTH] = {0.0};
    for (int k = 0; k < FREEDOMS * WIDTH; k++)
        h[k] = number();
    for (int k = 0; k < FREEDOMS; k++) {
        f[k] = number();
        m[k * FREEDOMS + k] = 1.0;
    }
    for (int k = 0; k < CONTACTS; k++)
        mu[k] = 0.3 + 0.1 * k;
    for (int a = 0; a < WIDTH; a++) {
        for (int b = 0; b < WIDTH; b++)
            for (int k = 0; k < FREEDOMS; k++)
                w[a * WIDTH + b] += h[a * FREEDOMS + k] * h[b * FREEDOMS + k];
        for (int k = 0; k < FREEDOMS; k++)
            q[a] += h[a * FREEDOMS + k] * f[k];
    }
    struct fclib_info info = {(char *)"made by FCLIB", (char *)"random", (char *)"none"};
    struct fclib_matrix big = dense(WIDTH, WIDTH, p, i, w), lever = dense(FREEDOMS, WIDTH, hp, hi, h);
    struct fclib_matrix mass = dense(FREEDOMS, FREEDOMS, mp, mi, m);
    struct fclib_local local = {&big, NULL, NULL, mu, q, NULL, 3, &info};
    struct fclib_global global = {&mass, &lever, NULL, mu, f, NULL, zero, 3, &info};
    return fclib_write_local(&local, "local.hdf5") == 1 && fclib_write_global(&global, "global.hdf5") == 1 ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "make") == 0)
        return make();
    struct fclib_local *local = fclib_read_local(argv[1]);
    struct fclib_solution *solution = fclib_read_solution(argc > 2 ? argv[2] : argv[1]);
    const double merit = fclib_merit_local(local, MERIT_1, solution);
    printf("%s: %s, merit %g\n", argv[1], local->info->title, merit);
    return merit < 1e-7 ? 0 : 1;
}
CODE
if ! ${CC:-cc} judge.c -o judge -lfclib -lm $(pkg-config --cflags --libs hdf5-serial) 2>compiler.txt; then
    if grep -q 'fclib.h: No such file\|cannot find -lfclib\|fclib.h.* file not found' compiler.txt; then
        echo "passed over: libfclib is not installed"
        exit 0
    fi
    cat compiler.txt
    exit 1
fi

./judge make
"$CAROM" solve local.hdf5
./judge local.hdf5
"$CAROM" solve global.hdf5 # the same problem before it is reduced: the same merit
./judge local.hdf5 global.hdf5
"$CAROM" solve --generate tower:5 -o tower.hdf5 --quiet
./judge tower.hdf5
"$CAROM" solve --generate random:200:3:4 -o random.hdf5 --quiet
./judge random.hdf5
