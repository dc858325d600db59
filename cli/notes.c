/* What whoever runs a scene should know beforehand, a sentence each; nothing of it is refused. */
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "episodes.h"

void cli_notes(const struct carom_scene *scene, const struct carom_model *model)
{
    for (const char *line = scene->notes; line && *line; line += strcspn(line, "\n") + 1)
        printf("note       %.*s\n", (int)strcspn(line, "\n"), line);
    cli_episodes_coarse(scene, model);
}
