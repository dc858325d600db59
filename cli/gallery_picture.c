/* Small pictures of bodies for the cards of a gallery, as they are after a third of the run: rows of beads coloured by
 * velocity, with their walls; bodies of the plane, and of space seen from in front, from the right and a little from
 * above, as on their pages; machines; solids as they stand at the start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "carom/bodies.h"
#include "carom/solid.h"
#include "gallery_picture.h"
#include "model/bodies/convex.h"
#include "model/bodies/linkage.h"
#include "model/bodies/pieces.h"
#include "model/solid/strike/solid_balls.h"
#include "study/page/page_parts.h"

enum { MOST = 400, CORNERS = 64, FINE = 300 };

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

const double cli_drawing_sight[3] = {0.3832, -0.8515, 0.3577}; /* towards the eye */

/* to the right, upwards, towards the eye */
static void project(const struct cli_drawing *d, const double x[3], double out[3])
{
    const double flat = hypot(cli_drawing_sight[0], cli_drawing_sight[1]),
                 right[3] = {-cli_drawing_sight[1] / flat, cli_drawing_sight[0] / flat, 0.0};
    double up[3];
    carom_vec_cross(cli_drawing_sight, right, up);
    out[0] = d->space ? carom_vec_dot(right, x) : x[0];
    out[1] = d->space ? carom_vec_dot(up, x) : x[1];
    out[2] = d->space ? carom_vec_dot(cli_drawing_sight, x) : 0.0;
}

void cli_drawing_widen(struct cli_drawing *d, const double at[2], double by)
{
    for (int k = 0; k < 2; k++) {
        d->low[k] = fmin(d->low[k], at[k] - by);
        d->high[k] = fmax(d->high[k], at[k] + by);
    }
}

static struct cli_shape *add(struct cli_drawing *d, size_t count, const double *point)
{
    if (d->nshapes == FACES || d->npoints + count > POINTS) {
        d->full = true;
        return NULL;
    }
    struct cli_shape *s = &d->shape[d->nshapes++];
    *s = (struct cli_shape){.first = d->npoints, .count = count, .light = 1.0};
    for (size_t i = 0; i < count; i++) {
        double seen[3];
        project(d, point + 3 * i, seen);
        memcpy(d->point[d->npoints++], seen, sizeof *d->point);
        s->depth += seen[2] / (double)count;
    }
    return s;
}

void cli_drawing_circle(struct cli_drawing *d, const double at[3], double radius, double shade, bool hollow)
{
    struct cli_shape *s = add(d, 1, at);
    if (!s)
        return;
    s->radius = radius;
    s->shade = shade;
    s->hollow = hollow;
    cli_drawing_widen(d, d->point[s->first], radius);
}

void cli_drawing_face(struct cli_drawing *d, size_t count, const double *point, const double normal[3], double shade,
                      bool hollow)
{
    static const double sun[3] = {-0.35, -0.5, 0.79};
    if (d->space && (carom_vec_dot(normal, cli_drawing_sight) <= 0.0) != hollow)
        return;
    struct cli_shape *s = add(d, count, point);
    if (!s)
        return;
    s->light = d->space && !hollow ? 0.62 + 0.38 * fabs(carom_vec_dot(normal, sun)) : 1.0;
    s->shade = shade;
    s->hollow = hollow;
    for (size_t i = 0; i < count; i++)
        cli_drawing_widen(d, d->point[s->first + i], 0.0);
}

/* --- as SVG ------------------------------------------------------------------------------------------------------- */

static int farther(const void *first, const void *second)
{
    const struct cli_shape *a = first, *b = second;
    if (a->hollow != b->hollow)
        return a->hollow ? -1 : 1; /* containers stand behind what they hold */
    return a->depth != b->depth ? (a->depth < b->depth ? -1 : 1) : (a->first > b->first) - (a->first < b->first);
}

static void write_colour(FILE *out, const struct cli_shape *s)
{
    const double shade = fmax(-1.0, fmin(1.0, s->shade)), pale = 235.0 - 150.0 * fabs(shade);
    const double red = shade > 0.0 ? 235.0 - 35.0 * shade : pale, blue = shade < 0.0 ? 235.0 + 35.0 * shade : pale;
    if (s->hollow)
        fputs(" class=\"hollow\"/>", out);
    else
        fprintf(out, "%s fill=\"rgb(%.0f,%.0f,%.0f)\"/>", s->bare ? " class=\"bare\"" : "", s->light * red,
                s->light * pale, s->light * blue);
}

static void write_drawing(FILE *out, struct cli_drawing *d)
{
    const double wide = d->high[0] - d->low[0], tall = d->high[1] - d->low[1];
    const double scale = fmin((WIDTH - 8) / wide, (HEIGHT - 8) / tall);
    if (d->space)
        qsort(d->shape, d->nshapes, sizeof *d->shape, farther);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\"%s>", WIDTH, HEIGHT,
            d->space && d->nshapes > FINE ? " class=\"fine\"" : ""); /* lines would hide the faces */
    for (size_t i = 0; i < d->nshapes; i++) {
        const struct cli_shape *s = &d->shape[i];
        if (s->count > 1)
            fputs("<polygon points=\"", out);
        for (size_t k = s->first; k < s->first + s->count; k++) {
            const double x = 0.5 * WIDTH + scale * (d->point[k][0] - 0.5 * (d->low[0] + d->high[0]));
            const double y = 0.5 * HEIGHT - scale * (d->point[k][1] - 0.5 * (d->low[1] + d->high[1]));
            if (s->count > 1)
                fprintf(out, "%.1f,%.1f ", x, y);
            else
                fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f", x, y, fmax(0.4, scale * s->radius));
        }
        putc('"', out);
        write_colour(out, s);
    }
    fputs("</svg>\n", out);
}

/* --- beads -------------------------------------------------------------------------------------------------------- */

/* velocities of beads at a third of the run, the largest 1; zeros where there are none */
static void shade_beads(const struct carom_run_file *run, size_t n, double *shade)
{
    const struct carom_run_item *item = carom_run_file_item(run, "particles/beads/velocity");
    double most = 0.0;
    if (!item || item->width != n || run->rows == 0 ||
        carom_run_file_read(run, item, run->rows / 3, 1, shade, NULL) != CAROM_OK) {
        memset(shade, 0, n * sizeof *shade);
        return;
    }
    for (size_t i = 0; i < n; i++)
        most = isfinite(shade[i]) ? fmax(most, fabs(shade[i])) : most;
    for (size_t i = 0; i < n; i++)
        shade[i] = most > 0.0 && isfinite(shade[i]) ? shade[i] / most : 0.0;
}

/* A row from x = 0 on; one that is long beside its beads is drawn in several lines. */
struct row {
    double length, lines, apart;
};

static void on_line(const struct row *row, double x, double at[3])
{
    const double line = fmax(0.0, fmin(row->lines - 1.0, floor(x * row->lines / (row->length * (1.0 + 1e-9)))));
    at[0] = x - line * row->length / row->lines;
    at[1] = -row->apart * line;
    at[2] = 0.0;
}

/* a wall on the left (-1) or right (1) of a bead at x, unless it is far away */
static void draw_wall(struct cli_drawing *d, const struct row *row, double x, double radius, double side, double gap)
{
    double ends[2][3];
    on_line(row, x, ends[0]);
    ends[0][0] += side * (radius + gap);
    memcpy(ends[1], ends[0], sizeof *ends);
    ends[0][1] -= 0.5 * row->apart;
    ends[1][1] += 0.5 * row->apart;
    if (gap < row->length + 4.0 * radius)
        cli_drawing_face(d, 2, *ends, cli_drawing_sight, 0.0, true);
}

static size_t fastest(const double *shade, size_t n)
{
    size_t most = 0;
    for (size_t i = 1; i < n; i++)
        most = fabs(shade[i]) > fabs(shade[most]) ? i : most;
    return most;
}

/* of long rows those around the fastest bead */
static void draw_beads(struct cli_drawing *d, const struct carom_run_file *run, const struct carom_model *model,
                       const struct carom_beads *beads)
{
    const size_t n = beads->n, shown = n < MOST ? n : MOST;
    double *x = carom_memory_zeroed(2 * n, sizeof *x);
    if (!x)
        return;
    carom_model_positions(model, x);
    shade_beads(run, n, x + n);
    const size_t fast = fastest(x + n, n), ahead = fast < shown / 2 ? 0 : fast - shown / 2;
    const size_t from = ahead < n - shown ? ahead : n - shown;
    const double first = beads->radius ? beads->radius[from] : 0.5, length = x[from + shown - 1] - x[from] + first;
    const struct row row = {length, fmin(6.0, fmax(1.0, floor(sqrt(length / (2.0 * first) * HEIGHT / WIDTH / 1.3)))),
                            2.6 * first};
    for (size_t i = from; i < from + shown; i++) {
        double at[3];
        on_line(&row, x[i] - x[from], at);
        cli_drawing_circle(d, at, beads->radius ? beads->radius[i] : 0.5, x[n + i], false);
    }
    for (size_t j = 0; j < model->nc; j++) {
        const bool left = model->pair[j][0] == CAROM_WALL_LEFT, right = model->pair[j][1] == CAROM_WALL_RIGHT;
        const int32_t bead = model->pair[j][left ? 1 : 0];
        if ((left || right) && bead >= 0 && (size_t)bead >= from && (size_t)bead < from + shown)
            draw_wall(d, &row, x[bead] - x[from], beads->radius ? beads->radius[bead] : 0.5, left ? -1.0 : 1.0,
                      model->gap[j]);
    }
    carom_memory_free(x);
}

/* --- bodies of plane and space ------------------------------------------------------------------------------------ */

/* Numbers of all bodies at a third of the run, to be freed; NULL: they were not recorded. */
static double *read_bodies(const struct carom_run_file *run, const char *path, size_t numbers)
{
    const struct carom_run_item *item = carom_run_file_item(run, path);
    double *value =
        item && item->width == numbers && run->rows > 0 ? carom_memory_zeroed(numbers, sizeof *value) : NULL;
    if (value && carom_run_file_read(run, item, run->rows / 3, 1, value, NULL) != CAROM_OK) {
        carom_memory_free(value);
        return NULL;
    }
    return value;
}

struct pose {
    double at[3], turn[4];
};

static void draw_convex(struct cli_drawing *d, const struct carom_convex *convex, const struct pose *pose, double shade,
                        bool hollow)
{
    double corner[CORNERS][3], normal[3];
    for (size_t f = 0; f < (d->space ? convex->nfaces : 1); f++) { /* in the plane faces are sides */
        const size_t count = d->space ? convex->face[f].count : convex->ncorners;
        for (size_t i = 0; i < count && i < CORNERS; i++) {
            const size_t which = d->space ? convex->ring[convex->face[f].first + i] : i;
            carom_quat_turn(pose->turn, convex->corner[which], corner[i]);
            for (int k = 0; k < 3; k++)
                corner[i][k] += pose->at[k];
        }
        carom_quat_turn(pose->turn, convex->face[f].normal, normal);
        cli_drawing_face(d, count < CORNERS ? count : CORNERS, *corner, normal, shade, hollow);
    }
}

/* a ring of sides, and two lids */
static void draw_cylinder(struct cli_drawing *d, const struct carom_body *body, const struct pose *pose, double shade)
{
    enum { SIDES = 24 };
    double ring[2][SIDES][3], out[3];
    for (int i = 0; i < 2 * SIDES; i++) {
        const double angle = 6.283185307179586 * (i % SIDES) / SIDES, r = body->size[0];
        const double own[3] = {r * cos(angle), r * sin(angle), i < SIDES ? -body->size[2] : body->size[2]};
        double *at = ring[i / SIDES][i % SIDES];
        carom_quat_turn(pose->turn, own, at);
        for (int k = 0; k < 3; k++)
            at[k] += pose->at[k];
    }
    for (int i = 0; i < SIDES; i++) {
        const double angle = 6.283185307179586 * (i + 0.5) / SIDES, own[3] = {cos(angle), sin(angle), 0.0};
        const double *const corner[4] = {ring[0][i], ring[0][(i + 1) % SIDES], ring[1][(i + 1) % SIDES], ring[1][i]};
        double side[4][3];
        for (int c = 0; c < 4; c++)
            memcpy(side[c], corner[c], sizeof *side);
        carom_quat_turn(pose->turn, own, out);
        cli_drawing_face(d, 4, *side, out, shade, body->inside);
    }
    for (int end = 0; end < 2; end++) {
        const double own[3] = {0.0, 0.0, end ? 1.0 : -1.0};
        carom_quat_turn(pose->turn, own, out);
        cli_drawing_face(d, SIDES, *ring[end], out, shade, body->inside);
    }
}

static void draw_body(struct cli_drawing *d, const struct carom_body *body, const struct pose *pose)
{
    const double shade = body->fixed ? 0.0 : 0.25 * ((double)(body->material % 3) - 1.0);
    struct carom_convex *box = NULL;
    if (body->surface == CAROM_BALL)
        cli_drawing_circle(d, pose->at, body->radius, shade, body->inside);
    else if (body->pieces)
        for (size_t i = 0; i < body->pieces->n; i++)
            draw_convex(d, body->pieces->shape[i], pose, shade, false);
    else if (body->surface == CAROM_CYLINDER)
        draw_cylinder(d, body, pose, shade);
    else if (body->surface == CAROM_CONVEX)
        draw_convex(d, body->convex, pose, shade, false);
    else if (body->surface == CAROM_BOX && (box = carom_convex_box(d->space ? 3 : 2, body->size)))
        draw_convex(d, box, pose, shade, body->inside);
    carom_convex_free(box);
}

/* planes of the plane, where they pass by what is there */
static void draw_planes(struct cli_drawing *d, const struct carom_bodies *bodies)
{
    const double size = fmax(d->high[0] - d->low[0], d->high[1] - d->low[1]);
    const double middle[2] = {0.5 * (d->low[0] + d->high[0]), 0.5 * (d->low[1] + d->high[1])};
    for (size_t i = 0; i < bodies->n && !d->space; i++) {
        const struct carom_body *body = &bodies->body[i];
        if (body->surface != CAROM_PLANE)
            continue;
        const double *n = body->normal;
        const double away = n[0] * (middle[0] - body->at[0]) + n[1] * (middle[1] - body->at[1]);
        const double foot[2] = {middle[0] - away * n[0], middle[1] - away * n[1]};
        const double ends[2][3] = {{foot[0] - 0.6 * size * n[1], foot[1] + 0.6 * size * n[0], 0.0},
                                   {foot[0] + 0.6 * size * n[1], foot[1] - 0.6 * size * n[0], 0.0}};
        if (fabs(away) < size)
            cli_drawing_face(d, 2, *ends, n, 0.0, true);
    }
}

static void draw_bodies(struct cli_drawing *d, const struct carom_run_file *run, const struct carom_bodies *bodies)
{
    const size_t n = bodies->n, dimension = bodies->dimension, angles = dimension == 3 ? 4 : 1;
    const bool linked = carom_run_file_item(run, "particles/bodies/position") == NULL;
    double *place =
        read_bodies(run, linked ? "particles/mechanism/position" : "particles/bodies/position", n * dimension);
    double *turn = read_bodies(run, linked ? "particles/mechanism/rotation" : "particles/bodies/rotation", n * angles);
    d->space = dimension == 3;
    for (size_t i = 0; i < n && !d->full; i++) {
        const struct carom_body *body = &bodies->body[i];
        struct pose pose = {{body->at[0], body->at[1], body->at[2]}, {1.0, 0.0, 0.0, 0.0}};
        double turned[4] = {1.0, 0.0, 0.0, 0.0};
        if (place)
            memcpy(pose.at, place + dimension * i, dimension * sizeof *place);
        if (turn && place && dimension == 3)
            memcpy(turned, turn + 4 * i, sizeof turned);
        else if (turn && place)
            turned[0] = cos(0.5 * turn[i]), turned[3] = sin(0.5 * turn[i]);
        carom_quat_product(turned, body->frame, pose.turn);
        draw_body(d, body, &pose);
    }
    if (d->nshapes > 0)
        draw_planes(d, bodies);
    carom_memory_free_all(place, turn);
}

/* --- solids ------------------------------------------------------------------------------------------------------- */

static size_t face_corners(const struct carom_solid *s, const struct carom_solid_face *face, double corner[CORNERS][3])
{
    const size_t count = s->cells ? carom_page_hulls_face(s, face->cell, face->arm, CORNERS, corner)
                                  : carom_page_cells_face(s, face->cell, face->arm, corner);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] += s->centre[face->cell][k];
    return count;
}

/* What the sides of a solid of the plane enclose: a triangle to each side from one point; outside, and in holes, they
 * go round as often to the left as to the right. */
static void fill_sides(struct cli_drawing *d, const struct carom_solid *s)
{
    double(*point)[3] = carom_memory_zeroed(3 * s->nfaces, sizeof *point), corner[CORNERS][3];
    for (size_t f = 0; point && f < s->nfaces; f++) {
        const double *n = s->face[f].normal;
        if (face_corners(s, &s->face[f], corner) != 2)
            break;
        const bool left = (corner[1][0] - corner[0][0]) * n[1] < (corner[1][1] - corner[0][1]) * n[0];
        memcpy(point[3 * f], f > 0 ? point[0] : corner[0], sizeof *point);
        memcpy(point[3 * f + 1], corner[left ? 0 : 1], sizeof *point);
        memcpy(point[3 * f + 2], corner[left ? 1 : 0], sizeof *point);
    }
    struct cli_shape *shape = point ? add(d, 3 * s->nfaces, *point) : NULL;
    if (shape)
        shape->shade = -0.3, shape->bare = true;
    carom_memory_free(point);
}

static void draw_solids(struct cli_drawing *d, const struct carom_model *model)
{
    for (size_t m = 0; m < carom_solid_count(model); m++) {
        const struct carom_solid *s = carom_solid_at(model, m);
        d->space = s->dimension == 3;
        if (!d->space)
            fill_sides(d, s);
        for (size_t f = 0; f < s->nfaces && !d->full; f++) {
            const struct carom_solid_face *face = &s->face[f];
            double outline[CORNERS][3];
            const size_t count = face_corners(s, face, outline);
            cli_drawing_face(d, count, *outline, face->normal, -0.3, !d->space);
        }
    }
    const struct carom_solid_balls *balls = carom_solid_balls_of(model, NULL);
    for (size_t i = 0; balls && i < balls->n; i++)
        cli_drawing_circle(d, balls->at[i], balls->radius[i], 0.0, false);
}

bool cli_gallery_picture(FILE *out, const struct carom_run_file *run, const struct carom_scene *scene)
{
    const struct carom_beads *beads = carom_model_chain(scene->model);
    const struct carom_bodies *bodies = carom_linkage_bodies(scene->model);
    struct cli_drawing *d = carom_memory_zeroed(1, sizeof *d);
    if (!d)
        return false;
    d->low[0] = d->low[1] = HUGE_VAL;
    d->high[0] = d->high[1] = -HUGE_VAL;
    if (beads)
        draw_beads(d, run, scene->model, beads);
    else if (bodies)
        draw_bodies(d, run, bodies);
    else if (carom_mechanism_of(scene->model))
        cli_drawing_machine(d, run, carom_mechanism_of(scene->model));
    else
        draw_solids(d, scene->model);
    const bool drawn = d->nshapes > 0 && (bodies || !d->full) && d->high[0] > d->low[0]; /* many bodies: the first */
    if (drawn)
        write_drawing(out, d);
    carom_memory_free(d);
    return drawn;
}
