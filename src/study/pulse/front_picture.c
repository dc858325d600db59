/* The map of a front, see front.h. */
#include "study/pulse/front.h"

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
    double first, last; /* of what colours them */
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

/* what a body is coloured by; NaN: grey */
static double colour_of(const struct carom_front_body *body, enum carom_front_colour by)
{
    return isnan(body->arrival)        ? nan("")
           : by == CAROM_FRONT_ARRIVAL ? body->arrival
           : by == CAROM_FRONT_SPEED   ? body->peak
                                       : body->force;
}

bool carom_front_picture_has(const struct carom_front *front, enum carom_front_colour by)
{
    for (size_t i = 0; i < front->n; i++)
        if (!isnan(colour_of(&front->at[i], by)))
            return true;
    return false;
}

static struct view look_at(const struct carom_front *front, enum carom_front_colour by)
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
        const double x = colour_of(body, by);
        if (!isnan(x)) {
            view.first = fmin(view.first, x);
            view.last = fmax(view.last, x);
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

static void put_words(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(out, "&#%d;", *text);
        else
            putc(*text, out);
}

static void put_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_words(out, text);
    fputs("</text>\n", out);
}

static void put_body(FILE *out, const struct view *view, const struct carom_front_body *body,
                     enum carom_front_colour by)
{
    const double shade = colour_of(body, by);
    const double x = EDGE + view->scale * (body->place[view->across] - view->low[view->across]);
    const double y = HEAD + view->scale * (view->high[view->up] - body->place[view->up]);
    fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" stroke=\"#444\" stroke-width=\"%s\" fill=\"", x, y,
            view->scale * body->radius, body->moves ? "2" : "0.4");
    if (isnan(shade))
        fputs("#ddd", out);
    else
        put_colour(out, (shade - view->first) / (view->last > view->first ? view->last - view->first : 1.0));
    fprintf(out, "\"><title>body %zu: reached at %.6g, speed %.6g", body->number, body->arrival, body->peak);
    if (!isnan(body->force))
        fprintf(out, ", force %.6g", body->force);
    fputs("</title></circle>\n", out);
}

static void put_bar(FILE *out, const struct view *view, enum carom_front_colour by, bool si)
{
    static const char *const words[] = {"reached at", "speed", "largest force"}, *const units[] = {" s", " m/s", " N"};
    const double top = HEAD + view->tall + 14.0, step = WIDE / 64.0;
    char text[64];
    for (int k = 0; k < 64; k++) {
        fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"12\" fill=\"", EDGE + k * step, top,
                step + 0.3);
        put_colour(out, k / 63.0);
        fputs("\"/>\n", out);
    }
    snprintf(text, sizeof text, "%s %.4g%s", words[by], view->first, si ? units[by] : "");
    put_text(out, EDGE, top + 28.0, "start", text);
    snprintf(text, sizeof text, "%.4g%s", view->last, si ? units[by] : "");
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

enum carom_status carom_front_picture_draw(FILE *out, const struct carom_front *front, enum carom_front_colour by,
                                           const char *title, struct carom_error *error)
{
    const struct view view = look_at(front, by);
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
        put_body(out, &view, &front->at[order[i].body], by);
    put_bar(out, &view, by, front->si);
    fputs("</svg>\n", out);
    carom_memory_free(order);
    return CAROM_OK;
}

/* --- the page ---------------------------------------------------------------------------------------------------- */

/* a rose of the plane: as far out in each direction as a number of it is large */
static void put_rose(FILE *out, const struct carom_front *front, bool energy, const char *words)
{
    double most = 0.0;
    for (size_t k = 0; k < front->ndirections; k++) {
        const double x = energy ? front->direction[k].most : front->direction[k].speed;
        most = x > most ? x : most;
    }
    fputs("<svg viewBox=\"-120 -130 240 250\" width=\"300\" font-family=\"sans-serif\" font-size=\"11\">\n"
          "<circle r=\"100\" fill=\"none\" stroke=\"#ccc\"/>\n",
          out);
    for (size_t k = 0; k < front->ndirections; k++) {
        const struct carom_front_direction *d = &front->direction[k];
        const double x = energy ? d->most : d->speed, far = x > 0.0 && most > 0.0 ? 100.0 * x / most : 0.0;
        fprintf(out, "<line x2=\"%.2f\" y2=\"%.2f\" stroke=\"#3b528b\" stroke-width=\"6\"><title>", far * d->axis[0],
                -far * d->axis[1]);
        fprintf(out, "%s: %.5g</title></line>\n", d->name, x);
    }
    char text[64];
    snprintf(text, sizeof text, "%s, the circle is %.4g", words, most);
    put_text(out, 0.0, -112.0, "middle", text);
    fputs("</svg>\n", out);
}

static void put_directions(FILE *out, const struct carom_front *front)
{
    fprintf(out,
            "<table><tr><th>direction<th>bodies<th>reached<th>farthest%s<th>speed%s<th>decay<th>energy%s<th>of all",
            front->si ? ", m" : "", front->si ? ", m/s" : "", front->si ? ", J" : "");
    for (size_t k = 0; k < front->ndirections; k++) {
        const struct carom_front_direction *d = &front->direction[k];
        if (d->bodies == 0)
            continue;
        fprintf(out, "\n<tr><td>%s<td>%zu<td>%zu", d->name, d->bodies, d->reached);
        const double row[] = {d->farthest, d->speed, d->decay, d->most, d->most / front->energy};
        for (size_t i = 0; i < sizeof row / sizeof *row; i++)
            if (isfinite(row[i]))
                fprintf(out, "<td>%.5g", row[i]);
            else
                fputs("<td>-", out);
    }
    fputs("</table>\n", out);
}

enum carom_status carom_front_picture_page(FILE *out, const struct carom_front *front, const char *title,
                                           struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    fputs(CAROM_FRONT_PICTURE_PAGE
          "<meta charset=\"utf-8\"><style>body{font-family:sans-serif;margin:1em}td,th{text-align:right;padding:0 "
          ".6em}.map svg{width:32em;max-width:100%;vertical-align:top}</style>\n<h1>",
          out);
    put_words(out, title);
    fputs("</h1>\n<div class=\"map\">\n", out);
    for (int by = 0; by < CAROM_FRONT_COLOURS && status == CAROM_OK; by++)
        if (carom_front_picture_has(front, (enum carom_front_colour)by))
            status = carom_front_picture_draw(out, front, (enum carom_front_colour)by, "", error);
    fputs("</div>\n<p>Speed in the maps: the largest of each body while the wave passes. Light bodies and those at a "
          "free edge may be faster than what struck them. In roses and table: how fast the front comes on.</p>\n",
          out);
    if (front->dimension == 2) {
        put_rose(out, front, false, front->si ? "speed of the front, m/s" : "speed of the front");
        put_rose(out, front, true, front->si ? "energy, J" : "energy");
    }
    put_directions(out, front);
    return status;
}
