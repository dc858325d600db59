/* Reads a command line by the command's own table of options; the help is printed from the same table. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "ranks.h"
#include "terminal.h"
#include <unistd.h>

int cli_fail(const struct carom_error *error)
{
    const bool colours = cli_terminal_colours(STDERR_FILENO);
    struct carom_error heard = *error;
    carom_rank_ready(cli_ranks(), &heard); /* other ranks need not wait for this one */
    fprintf(stderr, "%scarom:%s %s\n", colours ? "\033[31m" : "", colours ? "\033[0m" : "", error->text);
    cli_starved_told((int)error->status);
    return (int)error->status;
}

int cli_usage(const char *format, ...)
{
    struct carom_error error;
    char text[2 * sizeof error.text]; /* what is too long is cut by the record */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    carom_error_set(&error, CAROM_E_USAGE, "%s", text);
    return cli_fail(&error);
}

int cli_must_be(const char *option, const char *text, const char *right)
{
    return cli_usage("%s %s: must be %s", option, text, right);
}

/* the text of an option, on as many lines as it needs; lines of its own are kept */
static void print_text(const char *left, const char *text)
{
    enum { INDENT = 27, WIDTH = 110 - INDENT };
    printf("  %-24s ", left);
    while (strlen(text) > WIDTH && !strchr(text, '\n')) {
        size_t n = WIDTH;
        while (n > 0 && text[n] != ' ')
            n--;
        if (n == 0)
            break;
        printf("%.*s\n%*s", (int)n, text, INDENT, "");
        text += n + 1;
    }
    printf("%s\n", text);
}

static void help(const struct cli_command *command)
{
    printf("usage: %s\n\n%s\n\noptions:\n", command->usage, command->text);
    for (const struct cli_option *o = command->options; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "", o->name,
                 o->value ? " " : "", o->value ? o->value : "");
        print_text(left, o->text);
    }
    printf("  %-24s %s\n", "--help", "this text");
}

static const struct cli_option *find(const struct cli_command *command, const char *word, size_t length)
{
    for (const struct cli_option *o = command->options; o->name; o++)
        if ((strlen(o->name) == length && strncmp(o->name, word, length) == 0) ||
            (o->letter && strlen(o->letter) == length && strncmp(o->letter, word, length) == 0))
            return o;
    return NULL;
}

static int wrong(const char *name, const char *format, const char *word, const char *other)
{
    char text[300];
    snprintf(text, sizeof text, format, word, other);
    return cli_usage("%s: %s; 'carom %s --help' says more", name, text, name);
}

static int unknown(const struct cli_command *command, const char *name, const char *word)
{
    const char *names[64];
    size_t count = 0;
    for (const struct cli_option *o = command->options; o->name && count < 63; o++)
        names[count++] = o->name;
    names[count++] = "--help";
    const char *near = carom_param_nearest(word, names, count);
    return near ? wrong(name, "unknown option '%s', did you mean '%s'?", word, near)
                : wrong(name, "unknown option '%s'%s", word, "");
}

/* one option at argv[*i]; 0 if all is well */
static int take(const struct cli_command *command, int argc, char **argv, int *i)
{
    const char *word = argv[*i], *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const struct cli_option *o = find(command, word, length);
    if (!o)
        return unknown(command, argv[0], word);
    if (!o->value) {
        if (equals)
            return wrong(argv[0], "%s takes no value%s", o->name, "");
        *o->flag = true;
        return 0;
    }
    const char *value = equals ? equals + 1 : *i + 1 < argc ? argv[++*i] : NULL;
    if (!value)
        return wrong(argv[0], "%s needs a value: %s", o->name, o->value);
    if (o->many) {
        if (*o->count == CLI_MANY)
            return wrong(argv[0], "%s is given too often%s", o->name, "");
        o->many[(*o->count)++] = value;
        return 0;
    }
    if (*o->single)
        return wrong(argv[0], "%s is given twice%s", o->name, "");
    if (!o->standard && !o->alone && strcmp(o->value, "FILE") == 0 && strcmp(value, "-") == 0)
        return wrong(argv[0], "%s - is not taken: name a %s", o->name, "file");
    *o->single = value;
    if (o->alone && strcmp(value, "-") == 0)
        *find(command, "--quiet", strlen("--quiet"))->flag = true;
    return 0;
}

/* every word that may name a file: 0 if none of them is one that must not be opened */
static int guard(const struct cli_command *command, const char *const *positional, size_t npositional)
{
    struct carom_error error = {CAROM_OK, ""};
    for (size_t i = 0; i < npositional && error.status == CAROM_OK; i++)
        cli_guard(positional[i], &error);
    for (const struct cli_option *o = command->options; o->name; o++) {
        if (o->single && *o->single && error.status == CAROM_OK)
            cli_guard(*o->single, &error);
        for (size_t i = 0; o->many && i < *o->count && error.status == CAROM_OK; i++)
            cli_guard(o->many[i], &error);
    }
    return error.status == CAROM_OK ? 0 : cli_fail(&error);
}

bool cli_read(const struct cli_command *command, int argc, char **argv, const char **positional, size_t *npositional,
              int *code)
{
    bool only_names = false;
    *npositional = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help(command);
            *code = CAROM_OK;
            return false;
        }
    for (int i = 1; i < argc; i++) {
        if (!only_names && strcmp(argv[i], "--") == 0) {
            only_names = true;
        } else if (!only_names && argv[i][0] == '-' && argv[i][1] != '\0') {
            *code = take(command, argc, argv, &i);
            if (*code != 0)
                return false;
        } else if (*npositional < command->most) {
            positional[(*npositional)++] = argv[i];
        } else {
            *code = wrong(argv[0], "one argument too many: '%s'%s", argv[i], "");
            return false;
        }
    }
    if (*npositional < command->least) {
        *code = wrong(argv[0], "an argument is missing: %s%s", command->usage, "");
        return false;
    }
    *code = guard(command, positional, *npositional);
    return *code == 0;
}
