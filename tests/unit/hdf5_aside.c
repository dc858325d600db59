/* Files on their way to their names: what may be replaced, through which links, and copies by hand, where the system
 * cannot copy: every byte arrives, also where reads and writes are cut short or interrupted, and failures are told. */
#include "record/hdf5/hdf5_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "files.h"

enum { SIZE = 300 * 1000 + 7 };

static unsigned char sent[SIZE], came[SIZE + 1];

/* --- copies ------------------------------------------------------------------------------------------------------- */

static void nothing(int number)
{
    (void)number;
}

/* interrupts the calls of this thread every half millisecond; others are left alone */
static void interrupt(bool on)
{
    const struct sigaction action = {.sa_handler = nothing};
    const struct itimerval each = {{0, on ? 500 : 0}, {0, on ? 500 : 0}};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &each, NULL) == 0);
}

static void be_deaf(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
}

/* after a while, in portions of any size; until nobody reads */
static void *feed(void *fd)
{
    const int to = *(const int *)fd;
    struct carom_random random;
    carom_random_start(&random, 1);
    ssize_t put = 0;
    be_deaf();
    usleep(3000);
    for (size_t at = 0; at < SIZE && put >= 0; at += (size_t)put) {
        const size_t want = 1 + (size_t)(40e3 * carom_random_uniform(&random)), most = SIZE - at;
        put = write(to, sent + at, want < most ? want : most);
    }
    close(to);
    return NULL;
}

static void *drink(void *fd)
{
    const int from = *(const int *)fd;
    size_t at = 0;
    ssize_t got = 1;
    be_deaf();
    usleep(10000); /* until the pipe is full, and then slower than it is filled */
    for (; got > 0 && at < sizeof came; at += (size_t)got) {
        got = read(from, came + at, sizeof came - at < 10000 ? sizeof came - at : 10000);
        usleep(1000);
    }
    return (void *)(got == 0 && at == SIZE ? came : NULL);
}

static void test_pipes(void)
{
    int in[2], out[2];
    pthread_t feeder, drinker;
    void *whole;
    CHECK_OR_STOP(pipe(in) == 0 && pipe(out) == 0);
    CHECK_OR_STOP(pthread_create(&feeder, NULL, feed, &in[1]) == 0);
    CHECK_OR_STOP(pthread_create(&drinker, NULL, drink, &out[0]) == 0);
    interrupt(true);
    CHECK(carom_hdf5_aside_copy(in[0], out[1]));
    interrupt(false);
    close(in[0]);
    close(out[1]);
    pthread_join(feeder, NULL);
    pthread_join(drinker, &whole);
    CHECK(whole != NULL && memcmp(sent, came, SIZE) == 0);
    close(out[0]);
}

/* from where the first has been read to the end of it */
static void test_files(void)
{
    file_write("from", sent, SIZE);
    const int from = open("from", O_RDONLY), to = open("to", O_RDWR | O_CREAT | O_TRUNC, 0666);
    CHECK_OR_STOP(from >= 0 && to >= 0);
    CHECK(lseek(from, 1000, SEEK_SET) == 1000 && carom_hdf5_aside_copy(from, to));
    CHECK(lseek(to, 0, SEEK_CUR) == SIZE - 1000 && pread(to, came, sizeof came, 0) == SIZE - 1000);
    CHECK(memcmp(sent + 1000, came, SIZE - 1000) == 0);
    CHECK(carom_hdf5_aside_copy(from, to) && lseek(to, 0, SEEK_END) == SIZE - 1000);
    CHECK(lseek(from, 0, SEEK_SET) == 0);
    errno = 0;
    CHECK(!carom_hdf5_aside_copy(from, -1) && errno == EBADF);
    CHECK(!carom_hdf5_aside_copy(-1, to) && errno == EBADF);
    close(from);
    const int folder = open(".", O_RDONLY), full = open("/dev/full", O_WRONLY);
    CHECK(!carom_hdf5_aside_copy(folder, to) && errno == EISDIR);
    const int again = open("from", O_RDONLY);
    CHECK(full < 0 || (!carom_hdf5_aside_copy(again, full) && errno == ENOSPC));
    close(again);
    close(folder);
    close(full);
    close(to);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static void refuse(const char *path, const char *sentence)
{
    struct carom_error error = {CAROM_OK, ""};
    CHECK_STATUS(carom_hdf5_aside_may_replace(path, "a run file", &error), CAROM_E_FILE);
    CHECK_TEXT(error.text, sentence);
}

static void test_replace(void)
{
    file_write("words", "words", 5);
    file_write("empty", "", 0);
    refuse("words", "words: exists and is not a run file, so it is not overwritten");
    refuse(".", ".: is not a file that could be written");
    CHECK_STATUS(carom_hdf5_aside_may_replace("empty", "a run file", NULL), CAROM_OK);
    CHECK_STATUS(carom_hdf5_aside_may_replace("none", "a run file", NULL), CAROM_OK);
    CHECK(chmod("empty", 0) == 0);
    if (geteuid() != 0)
        refuse("empty", "empty: Permission denied");
    CHECK(chmod("empty", 0666) == 0);
}

static void check_names(const char *path, const char *end, const char *aside)
{
    char *target, *temporary;
    CHECK_OR_STOP(carom_hdf5_aside_names(path, &target, &temporary));
    CHECK(strlen(target) >= strlen(end) && strcmp(target + strlen(target) - strlen(end), end) == 0);
    CHECK(strlen(temporary) >= strlen(aside) && strcmp(temporary + strlen(temporary) - strlen(aside), aside) == 0);
    carom_memory_free_all(target, temporary);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_names(void)
{
    check_names("none", "none", "none.part");
    CHECK(symlink("words", "link") == 0);
    check_names("link", "/words", "/words.part");
    CHECK(carom_hdf5_aside_keep("words", "kept") && is_there("words") && is_there("kept"));
    CHECK(!carom_hdf5_aside_keep("words", "kept") && errno == EEXIST);
    CHECK(!carom_hdf5_aside_keep("none", "other") && !is_there("other"));
    CHECK(carom_hdf5_aside_take_name("empty", "words") && !is_there("empty") && is_there("words"));
    CHECK(!carom_hdf5_aside_take_name("none", "words") && is_there("words"));
    CHECK(!carom_hdf5_aside_take_name("words", "no/such/folder") && is_there("words"));
}

int main(void)
{
    struct carom_random random;
    char folder[40];
    snprintf(folder, sizeof folder, "hdf5_aside.%ld", (long)getpid());
    CHECK_OR_STOP(mkdir(folder, 0777) == 0 && chdir(folder) == 0);
    carom_random_start(&random, 1);
    for (size_t i = 0; i < SIZE; i++)
        sent[i] = (unsigned char)(256.0 * carom_random_uniform(&random));
    signal(SIGPIPE, SIG_IGN);
    test_pipes();
    test_files();
    test_replace();
    test_names();
    static const char *const left[] = {"from", "to", "words", "empty", "link", "kept"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        unlink(left[i]);
    CHECK(chdir("..") == 0 && rmdir(folder) == 0);
    return check_end();
}
