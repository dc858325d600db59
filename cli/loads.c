/* What acts on bodies beside contacts, in words: for check and the summary of a run. */
#include <stdio.h>

#include "cli.h"

enum { SHOWN = 6 }; /* loads and drives printed in full */

void cli_describe_signal(const struct carom_scene *scene, const struct carom_signal *s, const char *unit)
{
    static const char *const names[] = {"none", "constant", "step",   "ramp",  "half-sine",
                                        "sine", "chirp",    "ricker", "table", "function"};
    for (size_t i = 0; s->shape == CAROM_SHAPE_SUM && i < s->count; i++) {
        printf("%s", i > 0 ? ", and " : "");
        cli_describe_signal(scene, &s->part[i], unit);
    }
    if (s->shape == CAROM_SHAPE_SUM)
        return;
    const char *of = scene->si ? unit : "", *second = scene->si ? " s" : "", *per = scene->si ? " 1/s" : "";
    double largest, rate;
    carom_signal_largest(s, &largest, &rate);
    printf("%s of %.6g%s", names[s->shape], s->shape == CAROM_SHAPE_TABLE ? largest : s->amplitude, of);
    if (s->shape == CAROM_SHAPE_TABLE)
        printf(" at most, %zu point%s from %.6g to %.6g%s", s->count, cli_s(s->count), s->count > 0 ? s->time[0] : 0.0,
               s->count > 0 ? s->time[s->count - 1] : 0.0, second);
    if (s->frequency > 0.0)
        printf(", %.6g", s->frequency);
    if (s->frequency_end > 0.0)
        printf(" ... %.6g", s->frequency_end);
    if (s->frequency > 0.0)
        printf("%s", per);
    if (s->shape != CAROM_SHAPE_CONSTANT && s->shape != CAROM_SHAPE_TABLE)
        printf(s->shape == CAROM_SHAPE_RICKER ? ", peak at %.6g%s" : ", from %.6g%s", s->start, second);
    if (s->duration > 0.0)
        printf(" for %.6g%s", s->duration, second);
}

static void begin(size_t *count)
{
    printf("%-10s ", *count == 0 ? "loads" : "");
    (*count)++;
}

void cli_describe_loads(const struct carom_scene *scene, const struct carom_beads *b)
{
    size_t count = 0;
    if (b->weight) {
        begin(&count);
        printf("gravity %.6g%s along the line\n", b->weight[0] / b->mass[0], scene->si ? " m/s^2" : "");
    }
    for (size_t k = 0; k < b->nloads && k < SHOWN; k++) {
        begin(&count);
        printf("force on body %zu: ", b->load[k].bead + 1);
        cli_describe_signal(scene, &b->load[k].force, " N");
        printf("\n");
    }
    for (size_t k = 0; k < b->ndrives && k < SHOWN; k++) {
        begin(&count);
        if (b->drive[k].which >= 0)
            printf("motion of body %d: ", (int)b->drive[k].which + 1);
        else
            printf("motion of the %s wall: ", b->drive[k].which == CAROM_WALL_LEFT ? "left" : "right");
        cli_describe_signal(scene, &b->drive[k].place, " m");
        if (b->drive[k].offset != 0.0)
            printf(", about %.6g%s", b->drive[k].offset, scene->si ? " m" : "");
        printf("\n");
    }
    if (b->nloads > SHOWN || b->ndrives > SHOWN)
        printf("           and %zu more\n",
               (b->nloads > SHOWN ? b->nloads - SHOWN : 0) + (b->ndrives > SHOWN ? b->ndrives - SHOWN : 0));
    if (b->held != 0.0) {
        begin(&count);
        printf("static equilibrium at the start, which holds %.6g%s\n", b->held, scene->si ? " J" : "");
    }
}
