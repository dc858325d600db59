/* Colours and line widths where the output is a terminal. */
#ifndef CAROM_CLI_TERMINAL_H
#define CAROM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

void cli_terminal_begin(void);
bool cli_terminal_end(void); /* false: what was printed has not all arrived */

/* How many characters fit a line; 0: the output is no terminal. */
size_t cli_terminal_width(void);

/* May colours be written there? */
bool cli_terminal_colours(int fd);

#endif
