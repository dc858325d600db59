/* Texts of strangers that are printed: titles, names, sentences; and lists of words. */
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Makes it one line without control characters, in place and of the same length: they would let a file write over the
 * terminal or send it commands. */
void carom_text_plain(char *text);

/* How many of the `left` bytes from p on make one character of UTF-8; 0: none. Long forms and surrogates are none. */
size_t carom_text_character(const unsigned char *p, size_t left);

/* Is a word among these, between blanks? */
bool carom_text_has_word(const char *words, const char *word);

#endif
