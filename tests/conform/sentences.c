/* What is said of scenes: sentences.txt has a scene with overrides (between |) on a line, and below it, indented, the
 * refusal with its status or the notes, by the reader or by the sim that is made of the scene. They stand for the many
 * ways in which one entry can be wrong or odd. Where a sentence is meant to change,
 *
 *     SOURCE=$PWD build/tests/conform/sentences --write
 *
 * writes the table again; the change is to be read before it is committed. Each file of tests/scenes-wrong opens with
 * what is said of it, "# expect STATUS LINE:COLUMN: sentence", which may end in ...; that is read here too. */
#include <dirent.h>
#include <unistd.h>

#include "carom/carom.h"
#include "check.h"

enum { SETS = 12, SAID = 8000 };

/* Long names of files are shortened in sentences: the tree has one name here, wherever it stands. */
static const char link_name[] = "the-tree-of-carom";

static void name_tree(void)
{
    unlink(link_name);
    CHECK_OR_STOP(symlink(getenv("SOURCE"), link_name) == 0 && setenv("SOURCE", link_name, 1) == 0);
}

/* without the folder that the scene is in */
static void say_refusal(const struct carom_error *error, char *said)
{
    const char *source = getenv("SOURCE"), *text = error->text;
    const size_t length = strlen(source);
    size_t at = (size_t)snprintf(said, SAID, "    %d ", (int)error->status);
    for (; *text != '\0' && at < SAID - 4; text++) {
        if (strncmp(text, source, length) == 0)
            text += length;
        said[at++] = *text;
    }
    said[at++] = '\n';
    said[at] = '\0';
}

static void say_notes(const char *notes, char *said)
{
    size_t at = 0;
    for (bool fresh = true; notes != NULL && *notes != '\0' && at < SAID - 8; notes++) {
        for (int k = 0; k < 4 && fresh; k++)
            said[at++] = ' ';
        fresh = *notes == '\n';
        said[at++] = *notes;
    }
    if (at > 0 && said[at - 1] != '\n')
        said[at++] = '\n';
    said[at] = '\0';
    if (at == 0)
        snprintf(said, SAID, "    nothing\n");
}

/* What is said of "scene | override | override", whose text is cut up. */
static void listen(char *line, char *said)
{
    char path[8400];
    const char *name = line;
    const char *set[SETS];
    size_t nset = 0;
    struct carom_error error = {CAROM_OK, ""};
    for (char *bar; (bar = strstr(line, " | ")) != NULL && nset < SETS; line = bar + 3) {
        *bar = '\0';
        set[nset++] = bar + 3;
    }
    snprintf(path, sizeof path, "%s/%s", getenv("SOURCE"), name);
    struct carom_scene *scene = carom_scene_read(path, set, nset, &error);
    struct carom_sim *sim = scene != NULL ? carom_scene_sim(scene, &error) : NULL;
    CHECK((sim == NULL) == (error.status != CAROM_OK));
    if (sim == NULL)
        say_refusal(&error, said);
    else
        say_notes(scene->notes, said);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

static int is_scene(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');
    return end != NULL && strcmp(end, ".yaml") == 0;
}

/* What is said of a file of tests/scenes-wrong, against its first line. */
static void hear_file(const char *name)
{
    static char path[4096], file[4200], line[4096], said[SAID], expected[SAID];
    int status = 0, at = 0;
    snprintf(path, sizeof path, "tests/scenes-wrong/%s", name);
    snprintf(file, sizeof file, "%s/%s", getenv("SOURCE"), path);
    FILE *in = fopen(file, "r");
    CHECK_OR_STOP(in != NULL && fgets(line, sizeof line, in) != NULL);
    fclose(in);
    CHECK(sscanf(line, "# expect %d %n", &status, &at) == 1 && at > 0);
    snprintf(expected, sizeof expected, "    %d /%s:%s", status, path, line + at);
    listen(path, said);
    char *dots = strstr(expected, "...\n");
    if (dots != NULL && strlen(said) > (size_t)(dots - expected))
        *dots = said[dots - expected] = '\0';
    CHECK_TEXT(said, expected);
}

static void hear_files(void)
{
    static char folder[4096];
    struct dirent **entry = NULL;
    snprintf(folder, sizeof folder, "%s/tests/scenes-wrong", getenv("SOURCE"));
    const int count = scandir(folder, &entry, is_scene, alphasort);
    CHECK_OR_STOP(count > 400);
    for (int i = 0; i < count; i++) {
        hear_file(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

int main(int argc, char **argv)
{
    static char path[4096], fresh[4200], line[4096], kept[4096], said[SAID], expected[SAID];
    name_tree();
    snprintf(path, sizeof path, "%s/tests/conform/sentences.txt", getenv("SOURCE"));
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *in = fopen(path, "r"), *out = argc > 1 && strcmp(argv[1], "--write") == 0 ? fopen(fresh, "w") : NULL;
    CHECK_OR_STOP(in != NULL);
    bool more = fgets(line, sizeof line, in) != NULL;
    while (more) {
        memcpy(kept, line, sizeof kept);
        expected[0] = '\0';
        while ((more = fgets(line, sizeof line, in) != NULL) && line[0] == ' ')
            strncat(expected, line, SAID - strlen(expected) - 1);
        if (out != NULL)
            fputs(kept, out);
        kept[strcspn(kept, "\n")] = '\0';
        listen(kept, said);
        if (out != NULL)
            fputs(said, out);
        else
            CHECK_TEXT(said, expected);
    }
    fclose(in);
    if (out != NULL) {
        fclose(out);
        CHECK(rename(fresh, path) == 0);
    }
    hear_files();
    unlink(link_name);
    return check_end();
}
