/* carom gallery: runs every scene, measures every paper, and writes a static site of their pages. Each run is a process
 * of its own, so that one that fails costs its card only. */
#include "gallery.h"
#include "carom/bodies.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/memory.h"
#include "model/bodies/linkage.h"
#include "report.h"
#include "study.h"
#include "study/page/page.h"

enum { NAME = 256, DEEP = 2 * NAME + 8, PATH = 4096, TEXT = 600 }; /* DEEP: a name and its folder's */

enum { BODIES = 4, GROUPS };
#define PAGE_ROOM 1.5e6 /* bytes of numbers: a hundred pages are to be small, and say where they are reduced */

struct gallery {
    struct {
        FILE *file; /* in memory, until all of its cards are there */
        char *text;
        size_t size;
    } group[GROUPS];
    const char *folder; /* where to */
    const char *only;   /* part of names, or NULL */
    bool quiet, keep;
    struct cli_small small;
    FILE *index;
    size_t pages, failures;
    struct cli_progress progress; /* it hears Ctrl-C */
};

static bool goes_on(struct gallery *g)
{
    return cli_progress_say(&g->progress, "");
}

/* --- processes --------------------------------------------------------------------------------------------------- */

/* Runs this program with arguments (NULL-ended); what it prints goes to `output` (NULL: nowhere), what it complains of
 * to `complaints`. Returns the exit code, or -1. */
static int run_self(struct gallery *g, char *const *arguments, const char *output, const char *complaints)
{
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* what it makes is of no use to anybody else */
#endif
        if (getppid() != parent)
            _exit(127);
        const int to = open(output ? output : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        const int errors = open(complaints, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (to >= 0 && errors >= 0 && dup2(to, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0)
            execv("/proc/self/exe", arguments);
        _exit(127);
    }
    int status;
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
        else if (!goes_on(g))
            kill(child, SIGKILL);
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* the first line of a file, without "carom: " */
static void first_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (file && !fgets(line, (int)size, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "carom: ", 7) == 0)
        memmove(line, line + 7, strlen(line) - 6);
}

/* --- scenes ------------------------------------------------------------------------------------------------------ */

/* "# Look at: ..." and the comment lines that follow it. */
static void look_at(const char *path, char *text, size_t size)
{
    char line[NAME];
    bool inside = false;
    size_t length = 0;
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const char *from = strncmp(line, "# Look at: ", 11) == 0   ? line + 11
                           : inside && strncmp(line, "# ", 2) == 0 ? line + 2
                                                                   : NULL;
        inside = from != NULL;
        if (from && length + strlen(from) + 2 < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "", from);
    }
    if (file)
        fclose(file);
}

/* rigid/ball.yaml -> rigid-ball */
static void page_name(const char *name, char *to, size_t size)
{
    snprintf(to, size, "%s", name);
    for (char *c = to; *c; c++)
        *c = *c == '/' ? '-' : *c;
    char *dot = strrchr(to, '.');
    if (dot)
        *dot = '\0';
}

/* which heading a scene stands under */
static size_t group_of(const struct carom_scene *scene)
{
    if (!scene)
        return 0;
    if (carom_linkage_bodies(scene->model))
        return BODIES;
    const char *const theory[] = {"compliant", "nonsmooth", "lzb", "solid"};
    size_t i = 0;
    while (i < 3 && strcmp(theory[i], scene->theory) != 0)
        i++;
    return i;
}

static void show_scene(struct gallery *g, const char *root, const char *name)
{
    char stem[DEEP], scene[PATH], run[PATH], page[PATH], link[DEEP + 8], complaints[PATH], text[TEXT], why[TEXT] = "";
    page_name(name, stem, sizeof stem);
    snprintf(scene, sizeof scene, "%s/%s", root, name);
    snprintf(run, sizeof run, "%s/%s.h5", g->folder, stem);
    snprintf(page, sizeof page, "%s/%s.html", g->folder, stem);
    snprintf(link, sizeof link, "%s.html", stem);
    snprintf(complaints, sizeof complaints, "%s/complaints.txt", g->folder);
    char word[][12] = {"carom", "run", "-o", "--quiet"};
    char *const arguments[] = {word[0], word[1], scene, word[2], run, word[3], NULL};
    struct carom_error error = {CAROM_OK, ""};
    bool written = false;
    if (!g->quiet)
        printf("%s\n", name);
    fflush(stdout);
    if (run_self(g, arguments, NULL, complaints) != CAROM_OK)
        first_line(complaints, why, sizeof why);
    else {
        const char *files[] = {run};
        if (cli_report_write(files, 1, NULL, &g->small, page, &written, &error) != CAROM_OK)
            snprintf(why, sizeof why, "%s", error.text);
    }
    look_at(scene, text, sizeof text);
    struct carom_run_file *file = written ? carom_run_file_open(run, NULL) : NULL;
    const struct carom_scene_wish wish = {.unsettled = true, .guard = cli_guard};
    struct carom_scene *read = written ? carom_scene_read_as(run, NULL, 0, &wish, NULL) : NULL;
    cli_gallery_card(g->group[group_of(read)].file, &(struct cli_card){.page = written ? link : NULL,
                                                                       .scene = read,
                                                                       .name = name,
                                                                       .title = file ? file->title : "",
                                                                       .text = text,
                                                                       .run = written ? run : NULL,
                                                                       .failed = *why      ? why
                                                                                 : written ? NULL
                                                                                           : "the run failed"});
    carom_scene_free(read);
    carom_run_file_close(file);
    g->pages += written;
    g->failures += !written;
    if (!g->keep)
        unlink(run);
    unlink(complaints);
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* scenes here and one folder deeper, by name */
static void show_scenes(struct gallery *g, const char *root, const char *under)
{
    char folder[PATH + NAME], name[DEEP]; /* a name of the system has at most 255 bytes */
    struct dirent **entry;
    snprintf(folder, sizeof folder, "%s/%s", root, under);
    const int count = scandir(folder, &entry, visible, alphasort);
    for (int i = 0; i < count; i++) {
        const bool wanted = goes_on(g);
        const char *dot = strrchr(entry[i]->d_name, '.');
        struct stat about;
        snprintf(name, sizeof name, "%s%s%s", under, *under ? "/" : "", entry[i]->d_name);
        snprintf(folder, sizeof folder, "%s/%s", root, name);
        if (wanted && dot && strcmp(dot, ".yaml") == 0 && (!g->only || strstr(name, g->only)))
            show_scene(g, root, name);
        else if (wanted && !*under && stat(folder, &about) == 0 && S_ISDIR(about.st_mode))
            show_scenes(g, root, name);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}

/* --- papers ------------------------------------------------------------------------------------------------------ */

static void show_paper(struct gallery *g, const char *papers, const char *key)
{
    char verdicts[PATH], page[PATH], link[NAME + 16], complaints[PATH], folder[PATH], title[TEXT], line[TEXT];
    char word[][12] = {"carom", "verify", "--papers"};
    char name[NAME], last[TEXT] = "";
    snprintf(name, sizeof name, "%s", key);
    snprintf(folder, sizeof folder, "%s", papers);
    snprintf(verdicts, sizeof verdicts, "%s/verify-%s.txt", g->folder, key);
    snprintf(page, sizeof page, "%s/verify-%s.html", g->folder, key);
    snprintf(link, sizeof link, "verify-%s.html", key);
    snprintf(complaints, sizeof complaints, "%s/complaints.txt", g->folder);
    char *const arguments[] = {word[0], word[1], name, word[2], folder, NULL};
    if (!g->quiet)
        printf("verify %s\n", key);
    fflush(stdout);
    const int code = run_self(g, arguments, verdicts, complaints);
    first_line(verdicts, title, sizeof title);
    FILE *file = fopen(verdicts, "r");
    while (file && fgets(line, sizeof line, file))
        if (strstr(line, " rows: "))
            snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
    if (file)
        fclose(file);
    struct carom_error error = {CAROM_OK, ""};
    bool written = false;
    const char *files[] = {verdicts};
    cli_report_write(files, 1, title, &g->small, page, &written, &error);
    const bool good = written && code == CAROM_OK;
    cli_gallery_card(g->index, &(struct cli_card){.page = written ? link : NULL,
                                                  .name = key,
                                                  .title = title,
                                                  .text = last,
                                                  .failed = good ? NULL : "not all rows pass"});
    g->pages += written;
    g->failures += !good;
    if (!g->keep)
        unlink(verdicts);
    unlink(complaints);
}

static void show_papers(struct gallery *g, const char *papers)
{
    struct dirent **entry;
    const int count = scandir(papers, &entry, visible, alphasort);
    for (int i = 0; i < count; i++) {
        char rows[PATH + NAME + 16];
        snprintf(rows, sizeof rows, "%s/%s/rows.yaml", papers, entry[i]->d_name);
        if (goes_on(g) && access(rows, R_OK) == 0 && (!g->only || strstr(entry[i]->d_name, g->only)))
            show_paper(g, papers, entry[i]->d_name);
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}

/* --- the command ------------------------------------------------------------------------------------------------- */

/* A folder that holds something else is not ours to fill. */
static enum carom_status make_folder(const char *folder, char *index, size_t size, struct carom_error *error)
{
    char head[64] = "";
    snprintf(index, size, "%s/index.html", folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created: %s", folder, strerror(errno));
    FILE *file = fopen(index, "r");
    const size_t length = file ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file)
        fclose(file);
    if (length > 0 && !strstr(head, "data-carom=\"gallery\""))
        return carom_error_set(error, CAROM_E_FILE, "%s: exists and is no gallery; another folder, please", index);
    return CAROM_OK;
}

/* Pages of a gallery share their program, which stands beside them: the viewer without it, and a policy that lets it be
 * loaded from there. */
static bool share_program(struct gallery *g)
{
    static const char policy[] = "script-src '",
                      shared[] = "script-src 'self' file:", ask[] = "<script src=\"page.js\">";
    const size_t length = (size_t)(cli_viewer_end - cli_viewer_begin);
    const char *from = memmem(cli_viewer_begin, length, policy, strlen(policy)), *end = cli_viewer_begin + length;
    const char *mark = memmem(cli_viewer_begin, length, CAROM_PAGE_MARK, strlen(CAROM_PAGE_MARK));
    const char *code = mark ? memmem(mark, (size_t)(end - mark), "<script>", 8) : NULL;
    const char *last = code ? memmem(code, (size_t)(end - code), "</script>", 9) : NULL;
    const char *after = from ? memchr(from + strlen(policy), '\'', (size_t)(end - from) - strlen(policy)) : NULL;
    char path[PATH], *text = NULL;
    size_t size = 0;
    FILE *viewer = after && last ? open_memstream(&text, &size) : NULL;
    if (!viewer)
        return false;
    fwrite(cli_viewer_begin, 1, (size_t)(from - cli_viewer_begin), viewer);
    fputs(shared, viewer);
    fwrite(after + 1, 1, (size_t)(code - after) - 1, viewer);
    fputs(ask, viewer);
    fwrite(last, 1, (size_t)(end - last), viewer);
    const bool whole = fclose(viewer) == 0;
    g->small = (struct cli_small){PAGE_ROOM, text, size};
    snprintf(path, sizeof path, "%s/page.js", g->folder);
    FILE *program = whole ? fopen(path, "wb") : NULL;
    bool good = program && fwrite(code + 8, 1, (size_t)(last - code) - 8, program) == (size_t)(last - code) - 8;
    good = (!program || fclose(program) == 0) && good;
    return good;
}

static void write_groups(struct gallery *g)
{
    static const char *const titles[GROUPS] = {"Chains with compliant contacts",
                                               "Chains and mechanisms with rigid contacts", "Multiple impacts (LZB)",
                                               "Elastic solids", "Bodies in the plane and in space"};
    for (size_t i = 0; i < GROUPS; i++) {
        fclose(g->group[i].file);
        if (g->group[i].size > 0) {
            cli_gallery_heading(g->index, titles[i]);
            fwrite(g->group[i].text, 1, g->group[i].size, g->index);
            fputs("</div></section>\n", g->index);
        }
        free(g->group[i].text);
    }
}

static enum carom_status make(struct gallery *g, const char *scenes, const char *papers, bool verdicts,
                              struct carom_error *error)
{
    char index[PATH];
    if (make_folder(g->folder, index, sizeof index, error) != CAROM_OK)
        return error->status;
    g->index = fopen(index, "w");
    if (!g->index)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be created", index);
    if (!share_program(g))
        return carom_error_set(error, CAROM_E_FILE, "%s: page.js could not be written there", g->folder);
    cli_progress_begin(&g->progress, true);
    cli_gallery_begin(g->index);
    for (size_t i = 0; i < GROUPS; i++)
        if (!(g->group[i].file = open_memstream(&g->group[i].text, &g->group[i].size)))
            return carom_memory_error(error);
    show_scenes(g, scenes, "");
    write_groups(g);
    if (verdicts) {
        cli_gallery_heading(g->index, "Papers: published numbers measured again");
        show_papers(g, papers);
        fputs("</div></section>\n", g->index);
    }
    cli_gallery_end(g->index);
    const bool bad = ferror(g->index) != 0;
    if (fclose(g->index) != 0 || bad)
        return carom_error_set(error, CAROM_E_FILE, "%s: could not be written", index);
    if (!goes_on(g))
        return carom_error_set(error, CAROM_E_STOPPED, "stopped after %zu page%s", g->pages, cli_s(g->pages));
    if (g->pages == 0)
        return carom_error_set(error, CAROM_E_INPUT, "%s: no scene was found or could be run", scenes);
    if (!g->quiet)
        printf("%s: %zu page%s\n", index, g->pages, cli_s(g->pages));
    if (g->failures > 0)
        return carom_error_set(error, CAROM_E_FAILED, "%zu scene%s or paper%s failed; the gallery says why",
                               g->failures, cli_s(g->failures), cli_s(g->failures));
    return CAROM_OK;
}

int carom_cli_gallery(int argc, char **argv)
{
    const char *output = NULL, *scenes = NULL, *papers = NULL, *only = NULL, *none[1];
    size_t npositional;
    bool quiet = false, keep = false, no_verify = false;
    const struct cli_option options[] = {
        {"--output", "-o", "FOLDER", "the folder to write (default: gallery)", .single = &output},
        {"--scenes", NULL, "FOLDER", "the scenes (default: beside the papers)", .single = &scenes},
        {"--papers", NULL, "FOLDER", "the papers (default: papers here or beside the program)", .single = &papers},
        {"--only", NULL, "TEXT", "only scenes and papers whose name contains this", .single = &only},
        {"--no-verify", NULL, NULL, "leave the papers out", .flag = &no_verify},
        {"--keep", NULL, NULL, "keep the run files beside the pages", .flag = &keep},
        {"--quiet", "-q", NULL, "say nothing", .flag = &quiet},
        {0},
    };
    const struct cli_command command = {
        "carom gallery [-o FOLDER]",
        "Runs every scene, measures the numbers of every paper, and writes a static site: index.html and a page for\n"
        "each. The exit code is 1 if a scene or a paper's row fails; its card says why.",
        options, 0, 0};
    int code;
    if (!cli_read(&command, argc, argv, none, &npositional, &code))
        return code;
    struct carom_error error = {CAROM_OK, ""};
    char found[PATH] = "", beside[PATH + 16];
    if (!(scenes && no_verify) && !cli_study_papers(papers, found, sizeof found, &error))
        return cli_fail(&error);
    snprintf(beside, sizeof beside, "%s/../scenes", found);
    struct gallery g = {.folder = output ? output : "gallery", .only = only, .quiet = quiet, .keep = keep};
    const enum carom_status status = make(&g, scenes ? scenes : beside, found, !no_verify, &error);
    free((void *)(uintptr_t)g.small.viewer);
    return status == CAROM_OK ? CAROM_OK : cli_fail(&error);
}
