/* Texts of strangers that are printed: titles, names, sentences. */
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

/* Makes it one line without control characters, in place and of the same length: they would let a file write over the
 * terminal or send it commands. */
void carom_text_plain(char *text);

#endif
