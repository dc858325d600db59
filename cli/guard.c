/* HDF5 files from strangers: HDF5 may crash at a damaged one, or never come to an end. So a child process goes through
 * a file first, before the command has opened anything or begun a thread, and what happens to it becomes a sentence.
 * What the child finds to be wrong is no matter here: the command says it when it needs what is missing. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "cli.h"
#include "record/run_file.h"

/* Seconds of computing and by the clock that a walk may take, and more for large files; it takes milliseconds. */
enum { COMPUTING = 2, WAITING = 60, BYTES_A_SECOND = 1 << 26 };

static void lower(__rlimit_resource_t what, rlim_t to)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) == 0 && limit.rlim_cur > to) {
        limit.rlim_cur = to;
        setrlimit(what, &limit);
    }
}

/* In the child: silent, mortal, without traces. */
static void prepare(pid_t parent, unsigned more)
{
    static const int ends[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGXCPU};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(1);
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0)
        for (int fd = 0; fd <= 2; fd++)
            dup2(nowhere, fd);
    lower(RLIMIT_CORE, 0);
    lower(RLIMIT_CPU, COMPUTING + more);
    alarm(WAITING + more);
}

static enum carom_status judge(const char *path, int status, struct carom_error *error)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CAROM_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == CAROM_E_MEMORY) /* starved.c */
        return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory while reading", path);
    if (number == SIGKILL)
        return carom_error_set(error, CAROM_E_MEMORY, "%s: it was ended from outside while reading, perhaps for memory",
                               path);
    return carom_error_set(error, CAROM_E_FILE, "%s: " CLI_DAMAGED " %s", path,
                           number == SIGALRM || number == SIGXCPU ? "does not come to an end with it"
                                                                  : "crashes when it reads it");
}

enum carom_status cli_guard(const char *path, struct carom_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || !carom_run_file_looks(path))
        return CAROM_OK;      /* no HDF5 file: others say what is wrong with it */
    signal(SIGCHLD, SIG_DFL); /* whoever started this may have had no wish to hear of children */
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prepare(parent, (unsigned)(about.st_size / BYTES_A_SECOND));
        struct carom_error ignored;
        carom_run_check(path, &ignored);
        _exit(0);
    }
    int status = 0;
    pid_t done = child;
    while (child > 0 && (done = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    return child > 0 && done == child ? judge(path, status, error)
                                      : CAROM_OK; /* where there are no processes to be had */
}
