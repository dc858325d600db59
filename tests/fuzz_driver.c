/* Runs a fuzz target without libFuzzer: every file of a corpus folder whole and cut in half, and several hundred
 * mutations of them, always the same ones. Before each call the input is written to the file `input` in the working
 * folder, so that what crashed can be looked at. Usage: driver CORPUS [MUTATIONS [SEED]] */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"

#define MOST 65536 /* bytes of an input after mutation; larger files are fed as they are */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    uint8_t *data;
    size_t size;
};

static void *need(void *block)
{
    if (block == NULL) {
        fprintf(stderr, "fuzz driver: out of memory\n");
        exit(1);
    }
    return block;
}

static struct input load(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    struct input input = {NULL, 0};
    size_t room = 0, got = 0;
    do {
        input.size += got;
        if (input.size == room)
            input.data = need(realloc(input.data, room = room ? 2 * room : 4096));
        got = fread(input.data + input.size, 1, room - input.size, file);
    } while (got > 0);
    fclose(file);
    return input;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void feed(const uint8_t *data, size_t size)
{
    static int file = -1; /* stays open: to make it anew each time would wait for the disk */
    if (file < 0)
        file = open("input", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || pwrite(file, data, size, 0) != (ssize_t)size || ftruncate(file, (off_t)size) != 0) {
        perror("input");
        exit(1);
    }
    uint8_t *exact = need(malloc(size > 0 ? size : 1)); /* nothing behind the end, so that reading there shows */
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* One small change: a bit, a byte, a piece cut out, a piece doubled, or a piece of another input put in. */
static size_t mutate(struct carom_random *random, uint8_t *data, size_t size, const struct input *other)
{
    static const char *const words[] = {"0",   "-1",  "1e999", "nan", "~",  "[",  "{",
                                        "]: ", "&a ", "*a",    "\n",  "\t", "\"", "#"};
    const size_t at = (size_t)carom_random_below(random, size + 1);
    const size_t length = (size_t)carom_random_below(random, size - at + 1) % 32;
    const size_t from = (size_t)carom_random_below(random, other->size + 1);
    const char *word = words[carom_random_below(random, sizeof words / sizeof words[0])];
    const uint8_t *piece = NULL;
    size_t more = 0;
    switch (carom_random_below(random, 6)) {
    case 0:
        if (at < size)
            data[at] ^= (uint8_t)(1u << carom_random_below(random, 8));
        return size;
    case 1:
        if (at < size)
            data[at] = (uint8_t)carom_random_below(random, 256);
        return size;
    case 2:
        memmove(data + at, data + at + length, size - at - length);
        return size - length;
    case 3:
        piece = data + at;
        more = length;
        break;
    case 4:
        piece = (const uint8_t *)word;
        more = strlen(word);
        break;
    default:
        piece = other->data + from;
        more = other->size - from < 64 ? other->size - from : 64;
    }
    if (size + more > MOST || more == 0)
        return size;
    uint8_t copy[64];
    memcpy(copy, piece, more);
    memmove(data + at + more, data + at, size - at);
    memcpy(data + at, copy, more);
    return size + more;
}

static size_t load_all(const char *folder, struct input **inputs)
{
    struct dirent **entries = NULL;
    const int found = scandir(folder, &entries, visible, alphasort);
    const size_t n = found > 0 ? (size_t)found : 0;
    *inputs = need(calloc(n + 1, sizeof **inputs));
    for (size_t i = 0; i < n; i++) {
        (*inputs)[i] = load(folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return n;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s CORPUS [MUTATIONS [SEED]]\n", argv[0]);
        return 2;
    }
    struct input *inputs;
    const size_t n = load_all(argv[1], &inputs);
    if (n == 0) {
        fprintf(stderr, "%s: no inputs\n", argv[1]);
        return 1;
    }
    const unsigned long mutations = argc > 2 ? strtoul(argv[2], NULL, 0) : 600;
    const unsigned long long seed = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
    struct carom_random random;
    carom_random_start(&random, seed);
    static uint8_t data[MOST];
    feed(data, 0);
    for (size_t i = 0; i < n; i++) {
        feed(inputs[i].data, inputs[i].size);
        feed(inputs[i].data, inputs[i].size / 2);
    }
    for (unsigned long i = 0; i < mutations; i++) {
        const struct input *start = &inputs[i % n];
        size_t size = start->size < MOST ? start->size : MOST;
        memcpy(data, start->data, size);
        for (uint64_t changes = 1 + carom_random_below(&random, 6); changes > 0; changes--)
            size = mutate(&random, data, size, &inputs[carom_random_below(&random, n)]);
        feed(data, size);
    }
    printf("%zu files and %lu mutations, seed %llu\n", n, mutations, seed);
    for (size_t i = 0; i < n; i++)
        free(inputs[i].data);
    free(inputs);
    remove("input");
    return 0;
}
