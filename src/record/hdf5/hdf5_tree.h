/* What hangs in an HDF5 file beside numbers: groups, links, texts, attributes. Groups on the way to something are
 * made as needed. The calls that build report through carom_hdf5_file_publish. */
#ifndef CAROM_RECORD_HDF5_HDF5_TREE_H
#define CAROM_RECORD_HDF5_HDF5_TREE_H

#include "record/hdf5/hdf5_file.h"

void carom_hdf5_tree_group(struct carom_hdf5_file *file, const char *path);
void carom_hdf5_tree_link(struct carom_hdf5_file *file, const char *existing, const char *path);
void carom_hdf5_tree_text(struct carom_hdf5_file *file, const char *path, const char *text);

/* Takes a link out, and what hung on it; no matter if it is not there. */
void carom_hdf5_tree_remove(struct carom_hdf5_file *file, const char *path);

/* Attributes; a text may be an array with one entry. */
void carom_hdf5_tree_note_text(struct carom_hdf5_file *file, const char *object, const char *name, const char *text,
                               bool array);
/* the same of fixed length and in ASCII, as some readers want it */
void carom_hdf5_tree_note_word(struct carom_hdf5_file *file, const char *object, const char *name, const char *word);
/* an array of texts */
void carom_hdf5_tree_note_texts(struct carom_hdf5_file *file, const char *object, const char *name,
                                const char *const *texts, size_t count);
void carom_hdf5_tree_note_numbers(struct carom_hdf5_file *file, const char *object, const char *name,
                                  const int32_t *numbers, size_t count);

/* A text dataset, to be freed by carom_memory_free; NULL if it cannot be read. */
char *carom_hdf5_tree_read_text(struct carom_hdf5_file *file, const char *path, struct carom_error *error);

/* May the file of a study be written here? Where something stands, it must be one of the same study, of `what`. */
enum carom_status carom_hdf5_tree_may_replace(const char *path, const char *study, const char *what,
                                              struct carom_error *error);

/* Calls `see` with the path of everything below a group, in the order of names; paths beyond 255 bytes are passed
 * over. */
enum carom_status carom_hdf5_tree_visit(struct carom_hdf5_file *file, const char *group,
                                        void (*see)(void *own, const char *path), void *own, struct carom_error *error);

#endif
