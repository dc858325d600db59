/* carom bench, group page: how long the page of a million samples takes to open in chromium, and how many pictures a
 * second ten thousand bodies make. bench/pages.py measures; without chromium, Node.js or the script the rows are not
 * there, and that is said. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/study.h"

struct page {
    const char *file, *text;
    double limit; /* seconds to open; or milliseconds a picture */
    bool rate;
};

static const struct page pages[] = {
    {"million.html", "1e6 samples, seconds to open", 2.0, false},
    {"beads.html", "1e4 beads, milliseconds a picture", 1000.0 / 30.0, true},
    {"cells.html", "1e4 cells, milliseconds a picture", 1000.0 / 30.0, true},
};

/* the folder this program stands in, and the script beside the folder of papers; both fit between quotes */
static bool find(char *script, size_t size, char *folder, size_t room)
{
    struct carom_error ignored;
    const ssize_t length = readlink("/proc/self/exe", folder, room - 1);
    if (length <= 0 || !cli_study_papers(NULL, script, size - 20, &ignored))
        return false;
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    strcat(script, "/../bench/pages.py");
    return !strpbrk(script, "'\\") && !strpbrk(folder, "'\\") && access(script, R_OK) == 0;
}

static void print_row(const char *line)
{
    char name[64];
    double value;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        const int found = pages[i].rate ? sscanf(line, "%63s pictures a second %lf", name, &value)
                                        : sscanf(line, "%63s seconds to open %lf", name, &value);
        if (found != 2 || strcmp(name, pages[i].file) != 0 || !(value > 0.0))
            continue;
        char note[60] = "";
        if (pages[i].rate)
            snprintf(note, sizeof note, "%.0f pictures a second, asked: 30", value);
        cli_bench_row(pages[i].text, pages[i].rate ? 1000.0 / value : value, pages[i].limit, note);
    }
}

enum carom_status cli_bench_page(struct cli_bench *bench, struct carom_error *error)
{
    char script[1024], folder[1024], command[2200], line[256];
    size_t rows = 0;
    (void)error;
    cli_bench_limits(bench);
    cli_bench_head("pages in chromium", "measured");
    if (find(script, sizeof script, folder, sizeof folder)) {
        const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
        snprintf(command, sizeof command, "%s '%s' '%s' 2>/dev/null", python, script, folder);
        FILE *answers = popen(command, "r");
        while (answers && fgets(line, sizeof line, answers)) {
            rows += strstr(line, " to open ") || strstr(line, " a second ") ? 1 : 0;
            print_row(line);
        }
        if (answers)
            pclose(answers);
    }
    if (rows == 0)
        printf("  Measured where chromium, Node.js with npm and bench/pages.py are found; here they are not.\n");
    return CAROM_OK;
}
