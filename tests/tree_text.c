/* Prints the trees that libfyaml leads to, each behind a line with the file's name, for tests/playground/parsers.py.
 * Usage: tree_text FILE... */
#include "../playground/src/tree_text.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = malloc((size_t)size + 1);
    *length = text ? fread(text, 1, (size_t)size, file) : 0;
    if (file)
        fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t length;
        char *yaml = read_file(argv[i], &length), *text = yaml ? tree_text(yaml, length) : NULL;
        if (!text)
            return EXIT_FAILURE;
        printf("== %s\n%s", argv[i], text);
        free(text);
        free(yaml);
    }
    return EXIT_SUCCESS;
}
