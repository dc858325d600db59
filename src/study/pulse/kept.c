/* Tables kept in run files, see kept.h. */
#include "study/pulse/kept.h"

#include <stdio.h>

#include "record/hdf5/hdf5_file.h"
#include "record/hdf5/hdf5_tree.h"

static enum carom_status write_column(struct carom_hdf5_file *file, const struct carom_kept_table *table,
                                      const struct carom_kept_column *column, struct carom_error *error)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", table->group, column->name);
    const struct carom_hdf5_spec spec = {
        .path = path, .unit = column->unit, .type = column->type, .rank = 1, .rows = table->rows};
    const int set = carom_hdf5_set_define(file, &spec); /* what fails here is told when the copy is adopted */
    return set >= 0 ? carom_hdf5_set_write(file, set, 0, table->rows, column->data, error) : CAROM_OK;
}

static enum carom_status write_table(struct carom_hdf5_file *file, const struct carom_kept_table *table,
                                     struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    carom_hdf5_tree_group(file, table->group);
    if (table->note != NULL)
        carom_hdf5_tree_note_text(file, table->group, table->note_name, table->note, false);
    for (size_t k = 0; k < table->ncolumns && status == CAROM_OK; k++)
        status = write_column(file, table, &table->column[k], error);
    return status;
}

enum carom_status carom_kept_write(const char *path, const char *command, const struct carom_kept_table *table,
                                   size_t ntables, struct carom_error *error)
{
    struct carom_error reason = {CAROM_OK, ""};
    struct carom_hdf5_file *file = carom_hdf5_file_amend(path, &reason);
    if (file == NULL)
        return carom_error_set(error, reason.status, "%s", reason.text);
    enum carom_status status = CAROM_OK;
    carom_hdf5_tree_remove(file, table[0].group);
    for (size_t i = 0; i < ntables && status == CAROM_OK; i++)
        status = write_table(file, &table[i], error);
    carom_hdf5_tree_note_text(file, table[0].group, "command", command, false);
    if (status == CAROM_OK)
        return carom_hdf5_file_adopt(file, error);
    carom_hdf5_file_close(file, NULL);
    return status;
}
