/* Between the page and the library: what the page does for the library (imports of the module), and what it may ask
 * (exports, which stand in play.c). */
#ifndef CAROM_PLAYGROUND_PAGE_H
#define CAROM_PLAYGROUND_PAGE_H

#include <stddef.h>
#include <stdint.h>

#define PAGE_DOES(name) __attribute__((import_module("page"), import_name(#name)))
#define PAGE_ASKS(name) __attribute__((export_name(#name)))

/* The events of a YAML text, see yaml.c; to be freed, NULL: out of memory. */
int32_t *page_events(const char *text, size_t length, size_t *words) PAGE_DOES(events);

/* How far a run is; `phase` says what is going on. */
void page_progress(const char *phase, double progress) PAGE_DOES(progress);

#endif
