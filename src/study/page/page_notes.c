/* Notes of a run in its page, see page_notes.h. */
#include "study/page/page_notes.h"

#include <string.h>

#include "base/memory.h"
#include "scene/yield.h"
#include "study/remarks.h"

static void write_note(void *own, const char *text)
{
    carom_page_json_text(own, NULL, text);
}

/* what check and run say of the scene: a line each */
static enum carom_status write_lines(struct carom_page_json *json, const char *lines, struct carom_error *error)
{
    char *text = carom_memory_text(lines);
    if (!text)
        return carom_memory_error(error);
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        const bool last = line[length] == '\0';
        line[length] = '\0';
        write_note(json, line);
        line += length + !last;
    }
    carom_memory_free(text);
    return CAROM_OK;
}

enum carom_status carom_page_notes_write(struct carom_page_out *out, const struct carom_run_file *run,
                                         const struct carom_scene *scene, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    carom_page_json_open(&out->json, "notes", '[');
    if (scene && scene->notes)
        status = write_lines(&out->json, scene->notes, error);
    if (scene && scene->yield && *scene->yield->note && !run->episodes.there) /* a book tells what did happen */
        write_note(&out->json, scene->yield->note);
    if (status == CAROM_OK)
        status = carom_remarks(run, scene, write_note, &out->json, error);
    carom_page_json_close(&out->json, ']');
    return status;
}
