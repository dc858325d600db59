/* Machines on the cards of a gallery: their outlines after a third of the run. */
#include <math.h>

#include "gallery_picture.h"
#include "model/mechanism/machine.h"

/* a bar's four corners; a rod is as thick as can be seen */
static void draw_bar(struct cli_drawing *d, const struct carom_outline *part)
{
    const double thick = 0.04 * fmax(d->high[1] - d->low[1], (d->high[0] - d->low[0]) * HEIGHT / WIDTH);
    const double x = part->b[0] - part->a[0], y = part->b[1] - part->a[1], length = hypot(x, y);
    const double half = 0.5 * (part->width > 0.0 ? part->width : thick) / (length > 0.0 ? length : 1.0);
    const double corner[4][3] = {{part->a[0] - half * y, part->a[1] + half * x, 0.0},
                                 {part->b[0] - half * y, part->b[1] + half * x, 0.0},
                                 {part->b[0] + half * y, part->b[1] - half * x, 0.0},
                                 {part->a[0] + half * y, part->a[1] - half * x, 0.0}};
    cli_drawing_face(d, 4, *corner, cli_drawing_sight, part->width > 0.0 ? -0.3 : 0.3, false);
}

/* there as a zigzag, and back the same way */
static void draw_spring(struct cli_drawing *d, const struct carom_outline *part)
{
    enum { TEETH = 14 };
    const double x = part->b[0] - part->a[0], y = part->b[1] - part->a[1], length = hypot(x, y);
    double point[2 * TEETH][3] = {{0.0}};
    for (int i = 0; i < 2 * TEETH; i++) {
        const int k = i <= TEETH ? i : 2 * TEETH - i;
        const double along = (double)k / TEETH, to_side = k % TEETH == 0 ? 0.0 : k % 2 ? 0.5 : -0.5;
        const double side = length > 0.0 ? to_side * part->width / length : 0.0;
        point[i][0] = part->a[0] + along * x - side * y;
        point[i][1] = part->a[1] + along * y + side * x;
    }
    cli_drawing_face(d, 2 * TEETH, *point, cli_drawing_sight, 0.0, true);
}

static void draw_part(struct cli_drawing *d, const struct carom_outline *part)
{
    const double end[2][3] = {{part->a[0], part->a[1], 0.0}, {part->b[0], part->b[1], 0.0}};
    if (part->kind == CAROM_OUTLINE_DISC)
        cli_drawing_circle(d, *end, 0.5 * part->width, -0.3, false);
    else if (part->kind == CAROM_OUTLINE_BAR)
        draw_bar(d, part);
    else if (part->kind == CAROM_OUTLINE_SPRING)
        draw_spring(d, part);
    else
        cli_drawing_face(d, 2, *end, cli_drawing_sight, 0.0, true);
}

/* how far the first coordinate goes in the run */
static double travel(const struct carom_run_file *run, const struct carom_run_item *item)
{
    enum { LOOKS = 300 };
    double q[CAROM_MECHANISM_WIDTH], low = HUGE_VAL, high = -HUGE_VAL;
    const uint64_t step = 1 + run->rows / LOOKS;
    for (uint64_t row = 0; row < run->rows; row += step)
        if (carom_run_file_read(run, item, row, 1, q, NULL) == CAROM_OK && isfinite(q[0])) {
            low = fmin(low, q[0]);
            high = fmax(high, q[0]);
        }
    return high > low ? high - low : 1.0;
}

void cli_drawing_machine(struct cli_drawing *d, const struct carom_run_file *run,
                         const struct carom_mechanism *mechanism)
{
    const struct carom_machine *machine = carom_machines_of(mechanism);
    const struct carom_run_item *item = carom_run_file_item(run, "particles/mechanism/displacement");
    struct carom_outline part[CAROM_OUTLINE_PARTS];
    double q[CAROM_MECHANISM_WIDTH], t;
    if (!machine || !item || item->width != machine->mechanism.n || run->rows == 0 ||
        carom_run_file_read(run, item, run->rows / 3, 1, q, NULL) != CAROM_OK ||
        carom_run_file_times(run, run->rows / 3, 1, &t, NULL) != CAROM_OK)
        return;
    const size_t n = machine->outline(mechanism->own, t, q, travel(run, item), part);
    for (size_t i = 0; i < n; i++) {
        cli_drawing_widen(d, part[i].a, part[i].kind == CAROM_OUTLINE_DISC ? 0.5 * part[i].width : 0.0);
        if (part[i].kind != CAROM_OUTLINE_DISC)
            cli_drawing_widen(d, part[i].b, 0.0);
    }
    for (size_t i = 0; i < n; i++)
        draw_part(d, &part[i]);
}
