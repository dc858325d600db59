/* Any bytes as what a browser sends to a live page, through the real server: it answers in HTTP or hangs up, and a run
 * is changed by nobody who does not know the token. */
#include <sys/socket.h>

#include "cli/live.h"
#include "fuzz.h"

#ifdef CAROM_WITH_LIVE
#include <arpa/inet.h>
#include <netinet/in.h>

#define TOKEN "0123456789abcdef0123456789abcdef"

static struct cli_live live = {.token = TOKEN, .page = "/proc/self/cmdline"};

/* Where the token is to stand inputs have an @, so that it can be found and lost. */
static char *with_token(const uint8_t *data, size_t size, size_t *length)
{
    char *text = malloc(size * (sizeof TOKEN - 1) + 1);
    fuzz_need(text != NULL, "out of memory");
    *length = 0;
    for (size_t i = 0; i < size; i++)
        if (data[i] == '@') {
            memcpy(text + *length, TOKEN, sizeof TOKEN - 1);
            *length += sizeof TOKEN - 1;
        } else {
            text[(*length)++] = (char)data[i];
        }
    return text;
}

/* Sends all of it, says that there is no more, and waits for the end of the answer. */
static void ask(unsigned port, const char *text, size_t length)
{
    char answer[4096];
    size_t got = 0;
    const struct linger at_once = {1, 0}; /* a port is free again when its connection is closed */
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(line, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    if (line >= 0 && connect(line, (struct sockaddr *)&address, sizeof address) == 0 &&
        send(line, text, length, MSG_NOSIGNAL) >= 0 && shutdown(line, SHUT_WR) == 0)
        for (ssize_t more; got < sizeof answer && (more = recv(line, answer + got, sizeof answer - got, 0)) > 0;)
            got += (size_t)more;
    fuzz_need(got == 0 || (got > 8 && memcmp(answer, "HTTP/1.", 7) == 0), "an answer that is no HTTP");
    close(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned port;
    struct carom_error error = {CAROM_OK, ""};
    if (port == 0) {
        fuzz_need(cli_live_serve(&live, &error) != NULL, error.text);
        port = live.port;
        live.port = 4321; /* so the corpus calls it */
    }
    atomic_store(&live.stop, false);
    atomic_store(&live.pause, false);
    size_t length;
    char *text = with_token(data, size < 2048 ? size : 2048, &length);
    ask(port, text, length);
    const bool known = memmem(text, length, TOKEN, sizeof TOKEN - 1) != NULL;
    fuzz_need(known || (!atomic_load(&live.stop) && !atomic_load(&live.pause)), "a run was changed without the token");
    fuzz_need(memmem(text, length, "POST", 4) != NULL || (!atomic_load(&live.stop) && !atomic_load(&live.pause)),
              "a run was changed by something else than POST");
    free(text);
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return 0;
}
#endif
