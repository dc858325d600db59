/* The live page's server, by libmicrohttpd: loopback only, a token of 128 random bits in every address, nothing served
 * but five names, nothing read from requests but method, path and some headers. It changes a run only by the flags
 * pause and stop; a browser that goes away, or a hundred of them, cannot disturb it. */
#include "live.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

long cli_live_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

#ifdef CAROM_WITH_LIVE

#include <arpa/inet.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY = 16 * 1024, SPARE = 16, SECONDS = 15 };

/* --- connections ------------------------------------------------------------------------------------------------- */

/* When few are left the oldest of those that have not told the token goes: who says nothing keeps nobody out. */
static void make_room(struct cli_live *live)
{
    struct cli_live_line *oldest = NULL;
    size_t count = 0;
    for (struct cli_live_line *l = live->line; l < live->line + CLI_LIVE_LINES; l++) {
        count += l->number > 0;
        if (l->number > 0 && !l->known && (!oldest || l->number < oldest->number))
            oldest = l;
    }
    if (!oldest || count <= CLI_LIVE_LINES - SPARE)
        return;
    shutdown(oldest->socket, SHUT_RDWR); /* the server sees its end and closes it */
    oldest->known = true;                /* not twice */
}

/* All calls come from the server's one thread. */
static void follow(void *own, struct MHD_Connection *connection, void **line, enum MHD_ConnectionNotificationCode what)
{
    struct cli_live *live = own;
    const union MHD_ConnectionInfo *about = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*line)
            *(struct cli_live_line *)*line = (struct cli_live_line){0};
        return;
    }
    make_room(live);
    for (struct cli_live_line *l = live->line; l < live->line + CLI_LIVE_LINES && about && !*line; l++)
        if (l->number == 0) {
            *l = (struct cli_live_line){about->connect_fd, ++live->lines, false};
            *line = l;
        }
}

static void trust(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *about = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (about && about->socket_context)
        ((struct cli_live_line *)about->socket_context)->known = true;
}

/* --- answers ----------------------------------------------------------------------------------------------------- */

/* as long for a wrong token as for a right one */
static bool same_token(const char *a, const char *b)
{
    unsigned difference = 0;
    for (size_t i = 0; i < CLI_LIVE_TOKEN; i++) {
        difference |= (unsigned)(unsigned char)a[i] ^ (unsigned)(unsigned char)b[i];
        if (a[i] == '\0')
            return false;
    }
    return difference == 0;
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned code, const char *type,
                              struct MHD_Response *response)
{
    if (!response)
        return MHD_NO;
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    const enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result say(struct MHD_Connection *connection, unsigned code, const char *type, const char *text)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    return answer(connection, code, type, MHD_create_response_from_buffer(strlen(copy), copy, MHD_RESPMEM_MUST_COPY));
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned code, const char *why)
{
    return say(connection, code, "text/plain; charset=utf-8", why);
}

static enum MHD_Result send_state(struct MHD_Connection *connection, struct cli_live *live)
{
    char text[256];
    snprintf(
        text, sizeof text, "{\"serial\":%lu,\"time\":%.9g,\"until\":%.9g,\"progress\":%.6f,\"paused\":%s,\"ended\":%s}",
        atomic_load(&live->serial), atomic_load(&live->time), atomic_load(&live->until), atomic_load(&live->progress),
        atomic_load(&live->held) ? "true" : "false", atomic_load(&live->ended) ? "true" : "false");
    return say(connection, MHD_HTTP_OK, "application/json", text);
}

static enum MHD_Result send_page(struct MHD_Connection *connection, struct cli_live *live)
{
    struct stat about;
    const int file = open(live->page, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) != 0) {
        if (file >= 0)
            close(file);
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the page is not ready yet\n");
    }
    return answer(connection, MHD_HTTP_OK, "text/html; charset=utf-8",
                  MHD_create_response_from_fd((uint64_t)about.st_size, file));
}

static enum MHD_Result command(struct MHD_Connection *connection, struct cli_live *live, const char *name)
{
    if (strcmp(name, "stop") == 0)
        atomic_store(&live->stop, true);
    else
        atomic_store(&live->pause, strcmp(name, "pause") == 0);
    return send_state(connection, live);
}

/* Only who was given the address by this machine's own name may ask: no page from elsewhere, no name that was bent to
 * point here. */
static bool is_ours(struct MHD_Connection *connection, const struct cli_live *live)
{
    char origin[2][48];
    const char *host[2] = {origin[0] + strlen("http://"), origin[1] + strlen("http://")};
    snprintf(origin[0], sizeof origin[0], "http://127.0.0.1:%u", live->port);
    snprintf(origin[1], sizeof origin[1], "http://localhost:%u", live->port);
    const char *to = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *from = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    return to && (strcmp(to, host[0]) == 0 || strcmp(to, host[1]) == 0) &&
           (!from || strcmp(from, origin[0]) == 0 || strcmp(from, origin[1]) == 0);
}

static enum MHD_Result handle(void *own, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **memory)
{
    struct cli_live *live = own;
    (void)version, (void)data;
    const bool get = strcmp(method, "GET") == 0, post = strcmp(method, "POST") == 0;
    if (*memory == NULL) { /* the head alone; the answer comes once the body is there */
        *memory = live;
        if (!is_ours(connection, live))
            return refuse(connection, MHD_HTTP_FORBIDDEN, "not for this host\n");
        const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
        if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Transfer-Encoding") ||
            (length && strcmp(length, "0") != 0))
            return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE, "requests have no body here\n");
        return MHD_YES;
    }
    *size = 0;
    if (!get && !post)
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET or POST\n");
    if (url[0] != '/' || !same_token(url + 1, live->token) || url[1 + CLI_LIVE_TOKEN] != '/')
        return refuse(connection, MHD_HTTP_NOT_FOUND, "no such page\n");
    const char *name = url + 2 + CLI_LIVE_TOKEN;
    trust(connection);
    atomic_store(&live->asked, cli_live_now());
    if (get && strcmp(name, "") == 0)
        return send_page(connection, live);
    if (get && strcmp(name, "state") == 0)
        return send_state(connection, live);
    if (post && (strcmp(name, "pause") == 0 || strcmp(name, "resume") == 0 || strcmp(name, "stop") == 0))
        return command(connection, live, name);
    return refuse(connection, MHD_HTTP_NOT_FOUND, "no such page\n");
}

/* addresses are compared as they were sent: there is nothing in them to decode */
static size_t keep_escapes(void *own, struct MHD_Connection *connection, char *text)
{
    (void)own, (void)connection;
    return strlen(text);
}

static void keep_silent(void *own, const char *format, va_list arguments)
{
    (void)own, (void)format, (void)arguments;
}

void *cli_live_serve(struct cli_live *live, struct carom_error *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)live->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ERROR_LOG, (uint16_t)live->port, NULL, NULL, handle, live,
        MHD_OPTION_EXTERNAL_LOGGER, keep_silent, NULL, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CLI_LIVE_LINES, MHD_OPTION_NOTIFY_CONNECTION, follow, live, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SECONDS, MHD_OPTION_END);
    const union MHD_DaemonInfo *about = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!about) {
        carom_error_set(error, CAROM_E_FILE, "--live: could not serve on 127.0.0.1, port %u", live->port);
        cli_live_close(daemon);
        return NULL;
    }
    live->port = about->port;
    return daemon;
}

void cli_live_close(void *server)
{
    if (server)
        MHD_stop_daemon(server);
}

#else

void *cli_live_serve(struct cli_live *live, struct carom_error *error)
{
    (void)live;
    carom_error_set(error, CAROM_E_REFUSED, "--live: this carom was built without libmicrohttpd");
    return NULL;
}

void cli_live_close(void *server)
{
    (void)server;
}

#endif
