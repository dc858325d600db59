/* Any bytes as a mesh file: whatever they are, the reader ends in a mesh or in one sentence. The first byte says which
 * format they are for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.msh", "a.inp", "a.vtk", "a.vtu"};
    struct carom_error error = {CAROM_OK, ""};
    if (size == 0)
        return 0;
    struct carom_mesh *mesh = carom_read(names[data[0] % 4], (const char *)data + 1, size - 1, 1.0, &error);
    if (mesh == NULL && (error.status == CAROM_OK || error.text[0] == '\0' || strchr(error.text, '\n') != NULL))
        abort();
    carom_mesh_free(mesh);
    return 0;
}
