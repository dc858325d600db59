/* The tree of a YAML text in words, to compare what two parsers make of it. */
#ifndef CAROM_PLAYGROUND_TREE_TEXT_H
#define CAROM_PLAYGROUND_TREE_TEXT_H

#include <stddef.h>

/* A line for every node: its depth, kind, place, key with place, and text; or the sentence that refuses the text. To be
 * freed by free; NULL: out of memory. */
char *tree_text(const char *yaml, size_t length);

#endif
