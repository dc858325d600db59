/* Bars that cross at the start between the middles of their faces are refused, those that touch there or are pressed
 * there a little are not; nor are large faces that meet, and rings around a bar. A contact that two maps mean. */
#include <string.h>

#include "carom/carom.h"
#include "check.h"

static void check_said(const char *one, const char *two, const char *more, const char *sentence)
{
    char text[1000];
    snprintf(text, sizeof text,
             "theory: solid\nbodies:\n  - solid: {name: a, material: steel, %s}\n  - solid: {name: b, material: steel, "
             "%s}\nrun: {until: 1e-5}\n%s",
             one, two, more);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    const bool right = sentence ? !scene && strstr(error.text, sentence) : scene != NULL;
    if (!right)
        fprintf(stderr, "%s%s\n", text, error.text);
    CHECK(right);
    carom_scene_free(scene);
}

int main(void)
{
    const char *const inside = "a stands in b by more than a tenth of a cell at the start",
                      *const bar = "box: {size: [1, .02, .02], cells: [10, 1, 1]}",
                      *const beam = "box: {size: [1, .02], cells: [10, 1]}";
    check_said(bar, "box: {size: [.02, 1, .02], cells: [1, 10, 1], origin: [.44, -.44, .001]}", "", inside);
    check_said(bar, "box: {size: [.02, 1, .02], cells: [1, 10, 1], origin: [.44, -.44, .015]}", "", inside);
    check_said(bar, "box: {size: [.02, 1, .02], cells: [1, 10, 1], origin: [.44, -.44, .019]}", "", NULL);
    check_said(bar, "box: {size: [.02, 1, .02], cells: [1, 10, 1], origin: [.44, -.44, .02]}", "", NULL);
    check_said(bar, "box: {size: [.02, 1, .02], cells: [1, 10, 1], origin: [.44, -.44, .03]}", "", NULL);
    check_said(beam, "box: {size: [.02, 1], cells: [1, 10], origin: [.44, -.44]}", "", inside);
    check_said(beam, "box: {size: [.02, 1], cells: [1, 10], origin: [.44, .02]}", "", NULL);
    check_said("box: {size: [1, 1, 1], cells: [9, 9, 9]}",
               "box: {size: [1, 1, 1], cells: [7, 8, 9], origin: [.3, .2, 1]}", "", NULL);
    check_said("cylinder: {radius: .1, height: 1, thickness: .01, around: 24, along: 12}",
               "box: {size: [.04, .04, 3], cells: [1, 1, 20], origin: [-.02, -.02, -1]}", "", NULL);
    check_said("cylinder: {radius: .1, height: 1, thickness: .01, around: 24, along: 3}",
               "box: {size: [1, .02, .02], cells: [5, 1, 1], origin: [-.5, -.01, .6]}", "", inside);
    check_said(bar, "box: {size: [1, .02, .02], cells: [10, 1, 1], origin: [1, 0, 0]}",
               "contacts: [{gamma: 0}, {between: [a, b], gamma: 1e-7}, {at: 1, gamma: 0}]\n",
               "contacts: contact 1 is described twice, first in line 6, column 24: one map says it all");
    return check_end();
}
