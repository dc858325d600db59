/* What is printed on a terminal: lines that are longer than it is wide go on below their text, and the words that
 * matter have colours (unless NO_COLOR is set, https://no-color.org). Elsewhere nothing is changed. One place for all
 * commands: it stands between their lines and the terminal. */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROOM = 1 << 14, LABEL = 11, NARROW = 30 };

static struct {
    char line[ROOM]; /* so far */
    size_t length;
    bool colours;
} terminal;

bool cli_terminal_colours(int fd)
{
    const char *no = getenv("NO_COLOR"), *kind = getenv("TERM");
    return isatty(fd) == 1 && !(no && *no) && !(kind && strcmp(kind, "dumb") == 0);
}

/* COLUMNS of the environment; 0: it says none */
static size_t width_wanted(void)
{
    const char *text = getenv("COLUMNS");
    const long columns = text ? strtol(text, NULL, 10) : 0;
    return columns >= NARROW ? (size_t)columns : 0;
}

static size_t width_of_terminal(void)
{
    struct winsize size;
    const size_t wanted = width_wanted();
    return wanted ? wanted : ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROW ? size.ws_col : 80;
}

size_t cli_terminal_width(void)
{
    return isatty(STDOUT_FILENO) == 1 ? width_of_terminal() : width_wanted();
}

unsigned cli_terminal_spare(const struct cli_column *column, size_t count, size_t beside, const unsigned *spare,
                            size_t nspare)
{
    const size_t room = cli_terminal_width();
    size_t needs = beside;
    unsigned out = 0;
    for (size_t i = 0; i < count; i++)
        needs += (size_t)column[i].width + 1;
    for (size_t i = 0; i < nspare && room > 0 && needs > room; i++) {
        out |= 1U << spare[i];
        needs -= (size_t)column[spare[i]].width + 1;
    }
    return out;
}

void cli_terminal_left_out(const struct cli_column *column, size_t count, unsigned out, const char *indent,
                           const char *instead)
{
    const char *before = "not shown, for lack of width: ";
    for (size_t i = 0; i < count; i++)
        if (out & 1U << i) {
            printf("%s%s%s", indent, before, column[i].name);
            indent = "";
            before = ", ";
        }
    if (out)
        printf("%s\n", instead);
}

/* characters, not bytes */
static size_t columns(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

/* How many bytes fit into `room` columns, ending before a blank where there is one. */
static size_t fitting(const char *text, size_t length, size_t room)
{
    size_t end = 0, blank = 0;
    while (end < length && columns(text, end + 1) <= room) {
        end++;
        if (end < length && text[end] == ' ')
            blank = end;
    }
    return end == length || blank == 0 ? end : blank;
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static bool ends(const char *line, size_t length, const char *word)
{
    const size_t n = strlen(word);
    return length > n && strncmp(line + length - n, word, n) == 0;
}

static const char *colour_of(const char *line, size_t length)
{
    if (begins(line, "note   ") || ends(line, length, " NOT-REPRODUCED"))
        return "\033[33m";
    if (begins(line, "warning  ") || ends(line, length, " FAIL"))
        return "\033[31m";
    return ends(line, length, " PASS") ? "\033[32m" : NULL;
}

/* where text goes on: below that of a line that begins with a label, else a little to the right of its beginning */
static size_t indent_of(const char *line, size_t length)
{
    const bool label = length > LABEL && line[LABEL - 1] == ' ' && line[LABEL] != ' ';
    const size_t begin = strspn(line, " ");
    return label && begin != 4 ? LABEL : begin < LABEL - 4 ? begin + 4 : LABEL;
}

static bool put(const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t done = write(STDOUT_FILENO, text, length);
        if (done <= 0)
            return false;
        text += done;
        length -= (size_t)done;
    }
    return true;
}

static bool put_line(const char *line, size_t length, bool whole)
{
    const char *colour = terminal.colours && whole ? colour_of(line, length) : NULL;
    const size_t width = width_of_terminal(), indent = indent_of(line, length);
    bool good = !colour || put(colour, strlen(colour));
    for (size_t from = 0, next; good && from < length; from = next) {
        static const char blanks[] = "           ";
        good = from == 0 || (put("\n", 1) && put(blanks, indent));
        next = from + fitting(line + from, length - from, width - (from == 0 ? 0 : indent));
        good = good && put(line + from, next - from);
        while (next < length && line[next] == ' ')
            next++;
    }
    return good && (!colour || put("\033[0m", 4)) && (!whole || put("\n", 1));
}

static ssize_t take(void *own, const char *text, size_t size)
{
    (void)own;
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '\n' && terminal.length < ROOM)
            terminal.line[terminal.length++] = text[i];
        if (text[i] != '\n' && terminal.length < ROOM)
            continue;
        if (!put_line(terminal.line, terminal.length, text[i] == '\n'))
            return 0;
        terminal.length = 0;
    }
    return (ssize_t)size;
}

static int leave(void *own)
{
    (void)own;
    const bool good = terminal.length == 0 || put_line(terminal.line, terminal.length, false);
    terminal.length = 0;
    return good ? 0 : EOF;
}

void cli_terminal_begin(void)
{
    terminal.colours = cli_terminal_colours(STDOUT_FILENO);
    FILE *wrapped = isatty(STDOUT_FILENO) == 1
                        ? fopencookie(NULL, "w", (cookie_io_functions_t){.write = take, .close = leave})
                        : NULL;
    if (!wrapped)
        return;
    setvbuf(wrapped, NULL, _IOLBF, BUFSIZ);
    stdout = wrapped;
}

bool cli_terminal_end(void)
{
    const bool good = fflush(stdout) == 0 && !ferror(stdout);
    return leave(NULL) == 0 && good;
}
