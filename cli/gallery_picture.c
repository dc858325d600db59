/* Small pictures of bodies for the cards of a gallery: circles where they are after a third of the run, coloured by
 * velocity; of discs and spheres their places at the start, seen along z. */
#include <math.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "gallery.h"

enum { WIDTH = 280, HEIGHT = 84, MOST = 400 };

/* circles in their own units: fitted into the picture when they are written */
struct circles {
    size_t n;
    double x[MOST], y[MOST], radius[MOST], shade[MOST]; /* shade: -1 blue, 0 pale, 1 red */
};

static void write_circles(FILE *out, const struct circles *c)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < c->n; i++) {
        low[0] = fmin(low[0], c->x[i] - c->radius[i]), high[0] = fmax(high[0], c->x[i] + c->radius[i]);
        low[1] = fmin(low[1], c->y[i] - c->radius[i]), high[1] = fmax(high[1], c->y[i] + c->radius[i]);
    }
    const double scale = fmin((WIDTH - 8) / (high[0] - low[0]), (HEIGHT - 8) / (high[1] - low[1]));
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\">", WIDTH, HEIGHT);
    for (size_t i = 0; i < c->n; i++) {
        const double s = fmax(-1.0, fmin(1.0, c->shade[i])), pale = 235.0 - 150.0 * fabs(s);
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"rgb(%.0f,%.0f,%.0f)\"/>",
                0.5 * WIDTH + scale * (c->x[i] - 0.5 * (low[0] + high[0])),
                0.5 * HEIGHT - scale * (c->y[i] - 0.5 * (low[1] + high[1])), fmax(0.4, scale * c->radius[i]),
                s > 0.0 ? 235.0 - 35.0 * s : pale, pale, s < 0.0 ? 235.0 - 35.0 * -s : pale);
    }
    fputs("</svg>\n", out);
}

/* velocities of beads at a third of the run, the largest 1; zeros where there are none */
static void shade_beads(const struct carom_run_file *run, struct circles *c)
{
    const struct carom_run_item *item = carom_run_file_item(run, "particles/beads/velocity");
    double most = 0.0;
    for (size_t i = 0; i < c->n; i++)
        c->shade[i] = 0.0;
    if (!item || item->width != c->n || run->rows == 0 ||
        carom_run_file_read(run, item, run->rows / 3, 1, c->shade, NULL) != CAROM_OK)
        return;
    for (size_t i = 0; i < c->n; i++)
        most = isfinite(c->shade[i]) ? fmax(most, fabs(c->shade[i])) : most;
    for (size_t i = 0; i < c->n; i++)
        c->shade[i] = most > 0.0 && isfinite(c->shade[i]) ? c->shade[i] / most : 0.0;
}

/* a row; one that is long beside its beads is drawn in several lines */
static void place_beads(const struct carom_scene *scene, const struct carom_beads *beads, struct circles *c)
{
    carom_model_positions(scene->model, c->x);
    for (size_t i = 0; i < c->n; i++) {
        c->radius[i] = beads->radius ? beads->radius[i] : 0.5;
        c->y[i] = 0.0;
    }
    const double length = c->x[c->n - 1] - c->x[0] + c->radius[0], tall = 2.0 * c->radius[0];
    const double lines = fmin(6.0, fmax(1.0, floor(sqrt(length / tall * HEIGHT / WIDTH / 1.3)))), line = length / lines;
    for (size_t i = 0; i < c->n; i++) {
        const double at = fmax(0.0, fmin(lines - 1.0, floor((c->x[i] - c->x[0]) / (line * (1.0 + 1e-9)))));
        c->x[i] -= at * line;
        c->y[i] = -1.3 * at * tall;
    }
}

static bool place_balls(const struct carom_bodies *bodies, struct circles *c)
{
    for (size_t i = 0; i < bodies->n && c->n < MOST; i++) {
        const struct carom_body *body = &bodies->body[i];
        if (body->surface != CAROM_BALL || body->inside)
            continue;
        c->x[c->n] = body->at[0];
        c->y[c->n] = body->at[1];
        c->shade[c->n] = 0.25 * ((double)(body->material % 3) - 1.0);
        c->radius[c->n++] = body->radius;
    }
    return c->n > 0;
}

bool cli_gallery_picture(FILE *out, const struct carom_run_file *run, const struct carom_scene *scene)
{
    const struct carom_beads *beads = carom_model_chain(scene->model);
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    struct circles *c = carom_memory_zeroed(1, sizeof *c);
    bool drawn = false;
    if (c && beads && beads->n <= MOST) {
        c->n = beads->n;
        place_beads(scene, beads, c);
        shade_beads(run, c);
        drawn = true;
    } else if (c && bodies) {
        drawn = place_balls(bodies, c);
    }
    if (drawn)
        write_circles(out, c);
    carom_memory_free(c);
    return drawn;
}
