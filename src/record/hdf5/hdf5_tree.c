/* What hangs in an HDF5 file beside numbers: groups, links, texts, attributes. Calls that build keep the first error
 * in the file, where carom_hdf5_file_publish finds it. */
#include "record/hdf5/hdf5_tree.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_inner.h"
#include "record/hdf5/hdf5_look.h"

hid_t carom_hdf5_tree_link_list(void)
{
    const hid_t list = H5Pcreate(H5P_LINK_CREATE);
    if (list >= 0)
        H5Pset_create_intermediate_group(list, 1);
    return list;
}

/* Links stay in the group's own header: HDF5 moves more than eight elsewhere, where it may crash when that place is
 * damaged. */
bool carom_hdf5_tree_keep_compact(hid_t list)
{
    return H5Pset_link_phase_change(list, 256, 128) >= 0;
}

void carom_hdf5_tree_group(struct carom_hdf5_file *file, const char *path)
{
    if (file->first.status != CAROM_OK)
        return;
    H5E_BEGIN_TRY
    {
        const hid_t list = carom_hdf5_tree_link_list(), creation = H5Pcreate(H5P_GROUP_CREATE);
        carom_hdf5_tree_keep_compact(creation);
        const hid_t group = H5Gcreate2(file->id, path, list, creation, H5P_DEFAULT);
        if (group < 0)
            carom_hdf5_file_fail_building(file, path);
        H5Gclose(group);
        H5Pclose(creation);
        H5Pclose(list);
    }
    H5E_END_TRY
}

void carom_hdf5_tree_link(struct carom_hdf5_file *file, const char *existing_path, const char *path)
{
    if (file->first.status != CAROM_OK)
        return;
    H5E_BEGIN_TRY
    {
        const hid_t list = carom_hdf5_tree_link_list();
        if (H5Lcreate_hard(file->id, existing_path, file->id, path, list, H5P_DEFAULT) < 0)
            carom_hdf5_file_fail_building(file, path);
        H5Pclose(list);
    }
    H5E_END_TRY
}

void carom_hdf5_tree_remove(struct carom_hdf5_file *file, const char *path)
{
    if (file->first.status != CAROM_OK)
        return;
    H5E_BEGIN_TRY
    {
        H5Ldelete(file->id, path, H5P_DEFAULT);
    }
    H5E_END_TRY
}

/* Texts have a fixed length: those of variable length lie apart, where a writer in SWMR mode may not write and where
 * HDF5 may crash when that place is damaged. */
static hid_t text_type(size_t length)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0) {
        H5Tset_size(type, length > 0 ? length : 1);
        H5Tset_strpad(type, H5T_STR_NULLPAD);
        H5Tset_cset(type, H5T_CSET_UTF8);
    }
    return type;
}

/* an attribute of so many entries, 0: a single one */
static bool attach(hid_t object, const char *name, hid_t type, hid_t native, size_t count, const void *data)
{
    const hsize_t size = count;
    const hid_t space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, native, data) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

bool carom_hdf5_tree_attach_text(hid_t object, const char *name, const char *text, bool array)
{
    const hid_t type = text_type(strlen(text));
    const bool good = attach(object, name, type, type, array, text);
    H5Tclose(type);
    return good;
}

/* older files have texts of variable length */
void carom_hdf5_tree_attached_text(hid_t object, const char *name, char *text, size_t size)
{
    char *apart = NULL;
    text[0] = '\0';
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute), cut = H5Tcopy(type);
    const bool one = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
    if (one && H5Tis_variable_str(type) > 0) {
        if (H5Aread(attribute, type, &apart) >= 0 && apart != NULL)
            snprintf(text, size, "%s", apart);
        H5free_memory(apart);
    } else if (one && (H5Tset_size(cut, size) < 0 || H5Tset_strpad(cut, H5T_STR_NULLTERM) < 0 ||
                       H5Aread(attribute, cut, text) < 0))
        text[0] = '\0';
    text[size - 1] = '\0';
    H5Tclose(cut);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void note(struct carom_hdf5_file *file, const char *object, const char *name, hid_t type, hid_t native,
                 size_t count, const void *data)
{
    if (file->first.status != CAROM_OK)
        return;
    H5E_BEGIN_TRY
    {
        const hid_t id = H5Oopen(file->id, object, H5P_DEFAULT);
        if (!attach(id, name, type, native, count, data))
            carom_hdf5_file_fail_building(file, name);
        H5Oclose(id);
    }
    H5E_END_TRY
}

void carom_hdf5_tree_note_text(struct carom_hdf5_file *file, const char *object, const char *name, const char *text,
                               bool array)
{
    const hid_t type = text_type(strlen(text));
    note(file, object, name, type, type, array, text);
    H5Tclose(type);
}

void carom_hdf5_tree_note_word(struct carom_hdf5_file *file, const char *object, const char *name, const char *word)
{
    const hid_t type = text_type(strlen(word));
    H5Tset_cset(type, H5T_CSET_ASCII);
    note(file, object, name, type, type, 0, word);
    H5Tclose(type);
}

void carom_hdf5_tree_note_texts(struct carom_hdf5_file *file, const char *object, const char *name,
                                const char *const *texts, size_t count)
{
    enum { LONGEST = 16, MOST = 8 };
    char side[MOST * LONGEST] = "";
    if (count > MOST)
        return;
    for (size_t i = 0; i < count; i++)
        snprintf(side + i * LONGEST, LONGEST, "%s", texts[i]);
    const hid_t type = text_type(LONGEST);
    note(file, object, name, type, type, count, side);
    H5Tclose(type);
}

void carom_hdf5_tree_note_numbers(struct carom_hdf5_file *file, const char *object, const char *name,
                                  const int32_t *numbers, size_t count)
{
    note(file, object, name, H5T_STD_I32LE, H5T_NATIVE_INT32, count == 1 ? 0 : count, numbers);
}

void carom_hdf5_tree_text(struct carom_hdf5_file *file, const char *path, const char *text)
{
    if (file->first.status != CAROM_OK)
        return;
    H5E_BEGIN_TRY
    {
        const hid_t list = carom_hdf5_tree_link_list(), type = text_type(strlen(text));
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t set = H5Dcreate2(file->id, path, type, space, list, H5P_DEFAULT, H5P_DEFAULT);
        if (set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, file->transfer, text) < 0 ||
            !carom_hdf5_tree_attach_text(set, "unit", "1", false))
            carom_hdf5_file_fail_building(file, path);
        H5Dclose(set);
        H5Sclose(space);
        H5Tclose(type);
        H5Pclose(list);
    }
    H5E_END_TRY
}

char *carom_hdf5_tree_read_text(struct carom_hdf5_file *file, const char *path, struct carom_error *error)
{
    char *text = NULL;
    bool starved = false;
    H5E_BEGIN_TRY
    {
        struct carom_hdf5_look look;
        const hid_t access = carom_hdf5_look_access(H5P_DATASET_ACCESS);
        const hid_t set =
            carom_hdf5_look_open(file->id, carom_hdf5_file_stands(file), file->path, path, access, &look, NULL);
        const hid_t type = H5Dget_type(set);
        if (set >= 0 && look.kind == H5T_STRING && !look.variable && look.count == 1) {
            text = carom_memory_zeroed(look.entry + 1, 1);
            starved = text == NULL;
        }
        if (text != NULL && H5Dread(set, type, H5S_ALL, H5S_ALL, file->transfer, text) < 0) {
            carom_memory_free(text);
            text = NULL;
        }
        H5Tclose(type);
        H5Dclose(set);
        H5Pclose(access);
    }
    H5E_END_TRY
    if (starved)
        carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", file->path);
    else if (text == NULL)
        carom_error_set(error, CAROM_E_FILE, "%s: has no text %s", file->path, path);
    return text;
}

enum carom_status carom_hdf5_tree_may_replace(const char *path, const char *study, const char *what,
                                              struct carom_error *error)
{
    struct carom_error ignored;
    if (access(path, F_OK) != 0)
        return CAROM_OK;
    struct carom_hdf5_file *file = carom_hdf5_file_looks(path) ? carom_hdf5_file_open(path, NULL, &ignored) : NULL;
    char *kind = file != NULL ? carom_hdf5_tree_read_text(file, "parameters/study", &ignored) : NULL;
    const bool mine = kind != NULL && strcmp(kind, study) == 0;
    carom_memory_free(kind);
    carom_hdf5_file_close(file, NULL);
    return mine ? CAROM_OK
                : carom_error_set(error, CAROM_E_FILE, "%s: exists and is not the file of %s, so it is not overwritten",
                                  path, what);
}

struct visitor {
    const char *group;
    void (*see)(void *own, const char *path);
    void *own;
};

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *own)
{
    const struct visitor *visitor = own;
    char path[256];
    (void)group, (void)info;
    if (snprintf(path, sizeof path, "%s/%s", visitor->group, name) < (int)sizeof path)
        visitor->see(visitor->own, path);
    return 0;
}

enum carom_status carom_hdf5_tree_visit(struct carom_hdf5_file *file, const char *group,
                                        void (*see)(void *own, const char *path), void *own, struct carom_error *error)
{
    struct visitor visitor = {group, see, own};
    bool good;
    H5E_BEGIN_TRY
    {
        const hid_t access = carom_hdf5_look_access(H5P_LINK_ACCESS);
        good = H5Lvisit_by_name(file->id, group, H5_INDEX_NAME, H5_ITER_INC, visit_link, &visitor, access) >= 0;
        H5Pclose(access);
    }
    H5E_END_TRY
    return good ? CAROM_OK : carom_hdf5_file_fail(file, error, "list what is in it");
}
