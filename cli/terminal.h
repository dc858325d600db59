/* Colours and line widths where the output is a terminal. */
#ifndef CAROM_CLI_TERMINAL_H
#define CAROM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

void cli_terminal_begin(void);
bool cli_terminal_end(void); /* false: what was printed has not all arrived */

/* How many characters fit a line, by COLUMNS of the environment or the terminal; 0: neither says it. */
size_t cli_terminal_width(void);

/* One of the columns of a table, a blank before it. */
struct cli_column {
    const char *name, *unit;
    int width, digits;
};

/* Which of them, as bits, do not fit beside so many characters: `spare` lists those to go without, the first first.
 * Lines that break in two are no table. */
unsigned cli_terminal_spare(const struct cli_column *column, size_t count, size_t beside, const unsigned *spare,
                            size_t nspare);

/* A line that names those left out; `instead` ends it. */
void cli_terminal_left_out(const struct cli_column *column, size_t count, unsigned out, const char *indent,
                           const char *instead);

/* May colours be written there? */
bool cli_terminal_colours(int fd);

#endif
