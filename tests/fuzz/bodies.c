/* Any bytes as a file of discs and spheres: CSV, VTK, XML of VTK, data of LAMMPS. What is read is kept as a text, which
 * gives the same bodies. */
#include "base/memory.h"
#include "fuzz.h"
#include "scene/space/import.h"

static void check_same(const struct carom_import *a, const struct carom_import *b)
{
    fuzz_need(a->n == b->n, "another number of bodies");
    for (size_t c = 0; c < CAROM_IMPORT_COLUMNS; c++) {
        fuzz_need((a->column[c] == NULL) == (b->column[c] == NULL), "other columns");
        if (a->column[c] != NULL && c != CAROM_IMPORT_KIND)
            fuzz_need(memcmp(a->column[c], b->column[c], a->n * sizeof(double)) == 0, "other numbers");
    }
}

/* in the text that is kept, \n stands for the end of a line */
static void unfold(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++)
        if (from[0] == '\\' && from[1] == 'n') {
            *to++ = '\n';
            from++;
        } else {
            *to++ = *from;
        }
    *to = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct carom_import import, again = {0};
    struct carom_error error = {CAROM_OK, ""};
    const bool si = size % 2 == 0;
    const enum carom_status status = carom_import_file(&import, fuzz_file(data, size), "fuzz", si, &error);
    fuzz_error(status, &error);
    if (status == CAROM_OK) {
        char *text = carom_import_text(&import);
        fuzz_need(text != NULL, "no text");
        unfold(text);
        const enum carom_status read = carom_import_csv(&again, "again", text, si, &error);
        if (read != CAROM_OK)
            fprintf(stderr, "%s\n", error.text);
        fuzz_need(read == CAROM_OK, "what is kept cannot be read");
        check_same(&import, &again);
        carom_memory_free(text);
        carom_import_free(&again);
    }
    carom_import_free(&import);
    return 0;
}
