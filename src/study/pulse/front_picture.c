/* The map of a front, see front_picture.h. */
#include "study/pulse/front_picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define WIDE 640.0 /* the map, in units of the picture; above it a title, below it a bar */
#define EDGE 20.0
#define HEAD 40.0
#define FOOT 60.0

/* from dark violet through green to yellow, rising in lightness */
static const double colour[][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};

struct view {
    int across, up, deep; /* axes of space */
    double low[3], high[3], scale, tall;
    double first, last; /* arrivals */
};

static void put_colour(FILE *out, double share)
{
    const double x = 4.0 * fmin(fmax(share, 0.0), 1.0);
    const int i = x < 3.0 ? (int)x : 3;
    const double part = x - i;
    int rgb[3];
    for (int k = 0; k < 3; k++)
        rgb[k] = (int)(colour[i][k] + part * (colour[i + 1][k] - colour[i][k]) + 0.5);
    fprintf(out, "rgb(%d,%d,%d)", rgb[0], rgb[1], rgb[2]);
}

static struct view look_at(const struct carom_front *front)
{
    struct view view = {.across = 0, .up = 1, .deep = 2, .first = HUGE_VAL, .last = -HUGE_VAL};
    for (int k = 0; k < 3; k++) {
        view.low[k] = HUGE_VAL;
        view.high[k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < front->n; i++) {
        const struct carom_front_body *body = &front->at[i];
        for (int k = 0; k < 3; k++) {
            view.low[k] = fmin(view.low[k], body->place[k] - body->radius);
            view.high[k] = fmax(view.high[k], body->place[k] + body->radius);
        }
        if (!isnan(body->arrival)) {
            view.first = fmin(view.first, body->arrival);
            view.last = fmax(view.last, body->arrival);
        }
    }
    double least = view.high[2] - view.low[2];
    for (int k = 0; k < 2 && front->dimension == 3; k++)
        if (view.high[k] - view.low[k] < least * (1.0 - 1e-9)) {
            least = view.high[k] - view.low[k];
            view.deep = k;
            view.across = k == 0 ? 1 : 0;
            view.up = 2;
        }
    view.scale = WIDE / (view.high[view.across] - view.low[view.across]);
    view.tall = view.scale * (view.high[view.up] - view.low[view.up]);
    return view;
}

static void put_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    for (; *text != '\0'; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(out, "&#%d;", *text);
        else
            putc(*text, out);
    fputs("</text>\n", out);
}

static void put_body(FILE *out, const struct view *view, const struct carom_front_body *body)
{
    const double x = EDGE + view->scale * (body->place[view->across] - view->low[view->across]);
    const double y = HEAD + view->scale * (view->high[view->up] - body->place[view->up]);
    fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" stroke=\"#444\" stroke-width=\"%s\" fill=\"", x, y,
            view->scale * body->radius, body->moves ? "2" : "0.4");
    if (isnan(body->arrival))
        fputs("#ddd", out);
    else
        put_colour(out, (body->arrival - view->first) / (view->last > view->first ? view->last - view->first : 1.0));
    fprintf(out, "\"><title>body %zu: reached at %.6g, speed %.6g", body->number, body->arrival, body->peak);
    if (!isnan(body->force))
        fprintf(out, ", force %.6g", body->force);
    fputs("</title></circle>\n", out);
}

static void put_bar(FILE *out, const struct view *view, bool si)
{
    const double top = HEAD + view->tall + 14.0, step = WIDE / 64.0;
    char text[64];
    for (int k = 0; k < 64; k++) {
        fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"12\" fill=\"", EDGE + k * step, top,
                step + 0.3);
        put_colour(out, k / 63.0);
        fputs("\"/>\n", out);
    }
    snprintf(text, sizeof text, "reached at %.4g%s", view->first, si ? " s" : "");
    put_text(out, EDGE, top + 28.0, "start", text);
    snprintf(text, sizeof text, "%.4g%s", view->last, si ? " s" : "");
    put_text(out, EDGE + WIDE, top + 28.0, "end", text);
}

struct depth {
    double at;
    size_t body;
};

static int by_depth(const void *a, const void *b)
{
    const struct depth *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : (x->body > y->body) - (x->body < y->body);
}

enum carom_status carom_front_picture_draw(FILE *out, const struct carom_front *front, const char *title,
                                           struct carom_error *error)
{
    const struct view view = look_at(front);
    struct depth *order = carom_memory_zeroed(front->n, sizeof *order);
    if (order == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a picture of %zu bodies", front->n);
    for (size_t i = 0; i < front->n; i++) /* who is farther away is drawn first; seen against y, from below z */
        order[i] = (struct depth){(view.deep == 1 ? -1.0 : 1.0) * front->at[i].place[view.deep], i};
    qsort(order, front->n, sizeof *order, by_depth);
    fprintf(out,
            CAROM_FRONT_PICTURE_HEADING "\"0 0 %.1f %.1f\" font-family=\"sans-serif\" font-size=\"14\">\n"
                                        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDE + 2.0 * EDGE, HEAD + view.tall + FOOT);
    put_text(out, EDGE, 24.0, "start", title);
    for (size_t i = 0; i < front->n; i++)
        put_body(out, &view, &front->at[order[i].body]);
    put_bar(out, &view, front->si);
    fputs("</svg>\n", out);
    carom_memory_free(order);
    return CAROM_OK;
}
