/* carom export --csv --events: what happened to contacts, a line for each. */
#ifndef CAROM_CLI_EXPORT_EVENTS_H
#define CAROM_CLI_EXPORT_EVENTS_H

#include <stdio.h>

#include "record/run_file.h"

/* How a table of events begins. */
#define CLI_EVENTS_HEADING "time,event"

/* Contacts that stay have their numbers, of those that come and go the two bodies are told. */
enum carom_status cli_export_events(FILE *out, const struct carom_run_file *run, struct carom_error *error);
size_t cli_export_events_columns(const struct carom_run_file *run);

#endif
