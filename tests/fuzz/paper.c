/* Any bytes as the published numbers of a paper. */
#include "study/verify/paper.h"
#include "fuzz_bend.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool linked;
    const char *file = fuzz_file(data, size);
    if (!linked) { /* papers are folders; this one holds a link to the file in memory */
        fuzz_need(symlink(file, fuzz_bend_path("rows.yaml")) == 0, "no link");
        linked = true;
    }
    struct carom_paper paper;
    struct carom_error error = {CAROM_OK, ""};
    double value;
    const enum carom_status status = carom_paper_read(&paper, fuzz_bend_folder(), &error);
    fuzz_error(status, &error);
    for (size_t i = 0; status == CAROM_OK && i < paper.nrows; i++)
        fuzz_error(carom_paper_number(&paper, &paper.row[i], "value", &value, &error), &error);
    carom_paper_free(&paper);
    return 0;
}
