/* Every file of tests/scenes-wrong is refused with the sentence and status in its first line, read here as a C program
 * reads it; cli/wrong_scenes hears the same from the commands. */
#include <dirent.h>

#include "carom/scene.h"
#include "check.h"

/* What a first line "# expect STATUS LINE:COLUMN: sentence" says; a sentence that ends in ... goes on. */
struct expected {
    int status;
    char said[7000];
};

static struct expected read_head(const char *path)
{
    struct expected expected = {0};
    char head[2000], *sentence = NULL;
    FILE *file = fopen(path, "r");
    CHECK_OR_STOP(file != NULL && fgets(head, sizeof head, file) != NULL);
    fclose(file);
    CHECK_OR_STOP(strncmp(head, "# expect ", 9) == 0);
    expected.status = (int)strtol(head + 9, &sentence, 10);
    head[strcspn(head, "\n")] = '\0';
    snprintf(expected.said, sizeof expected.said, "%s:%s", path, sentence + 1);
    return expected;
}

static void check_refused(const char *path)
{
    const struct expected expected = read_head(path);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_read(path, NULL, 0, &error);
    struct carom_sim *sim = scene != NULL ? carom_scene_sim(scene, &error) : NULL;
    const size_t length = strlen(expected.said);
    CHECK(sim == NULL);
    CHECK((int)error.status == expected.status);
    if (length > 3 && strcmp(expected.said + length - 3, "...") == 0)
        CHECK(strncmp(error.text, expected.said, length - 3) == 0);
    else
        CHECK_TEXT(error.text, expected.said);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(void)
{
    char folder[4000], path[5000];
    size_t files = 0;
    snprintf(folder, sizeof folder, "%s/tests/scenes-wrong", getenv("SOURCE"));
    DIR *directory = opendir(folder);
    CHECK_OR_STOP(directory != NULL);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (strstr(entry->d_name, ".yaml") != NULL) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            check_refused(path);
            files++;
        }
    closedir(directory);
    CHECK(files > 400);
    return check_end();
}
