/* Words that stand for others, see guess.h. */
#include "scene/guess.h"

#include <string.h>

#include "base/text.h"

#define TABLE "a force out of a table is force: {file: push.csv}, with two columns, time (s),force (N)"
#define LOADS "forces on bodies stand in loads, such as loads: [{body: 1, force: {file: push.csv}}]"
#define UP "a column stands on its left end, wall: {side: left}, under gravity: -9.81 m/s^2"

static const struct {
    const char *section, *words, *instead;
} guesses[] = {
    {"loads", "signal table file csv load push pull shape points data values pulse", TABLE},
    {"loads", "bead beads on ball at", "the body is body: 1, counted from the left"},
    {"loads", "motion position move", "prescribed motion is displacement: {shape: sine, ...}"},
    {"signal", "table csv path data name signal source times time values",
     "a table is file: push.csv, or points: [[0, 0], [20 us, 5 N]]"},
    {"signal", "kind type form waveform function", "that is its shape, such as shape: half-sine"},
    {"signal", "force value peak height max", "that is its amplitude, such as amplitude: 10 N"},
    {"scene", "force forces push signal signals impulse pulse", LOADS},
    {"start", "force push load signal file", LOADS},
    {"scene", "cradle string", "beads hang on strings by string: 12 cm in their chain"},
    {"scene", "walls wall chain beads bead striker balls spheres",
     "bodies stand in the list bodies, such as bodies: [chain: {count: 10, diameter: 2 cm, material: steel}]"},
    {"scene", "law restitution e damping contact", "the law stands in contacts, such as contacts: {law: hertz}"},
    {"scene", "time duration end stop", "how long is run: {until: 2 ms}"},
    {"run", "time duration end stop t_end tmax length for to", "that is until, such as until: 2 ms"},
    {"chain", "n N number beads balls length", "how many beads is count: 10"},
    {"chain", "size D d", "their size is diameter: 2 cm or radius: 1 cm"},
    {"chain", "angle velocity speed displacement",
     "how a body starts stands in start, such as start: [{body: 1, angle: -30 deg}]"},
    {"chain", "materials alternate alternating repeat unit cell",
     "one is material: brass, several by turns are pattern: [{material: brass}, {material: nylon}]"},
    {"bead", "angle velocity speed displacement",
     "how a body starts stands in start, such as start: [{body: 1, velocity: 1 m/s}]"},
    {"bead", "gap height drop", "its distance from the body before it is gap_before: 10 cm"},
    {"striker", "height distance drop", "its distance from what it strikes is gap: 10 cm"},
    {"striker", "speed", "its speed is velocity: 0.5 m/s, from the right negative"},
    {"strings", "length", "the length stands in the chain: string: 12 cm"},
    {"taper", "factor by rate", "that is ratio, of each bead to the one before it: ratio: 0.95"},
    {"taper", "to end last final from start", "the size of the last bead is radius: 5 mm or diameter: 1 cm"},
    {"body", "cradle",
     "a row of balls on strings is chain: {count: 5, diameter: 2 cm, material: steel, string: 12 cm}"},
    {"body", "ball particle grain", "a ball of a row is bead, one of space sphere, one of the plane disc"},
    {"body", "balls beads row column", "a row of beads is chain: {count: 10, diameter: 2 cm, material: steel}"},
    {"body", "floor ground base table bottom",
     UP "; beneath spheres a floor is plane: {at: [0, 0, 0], normal: [0, 0, 1]}"},
    {"body", "projectile hammer impactor", "what comes flying is striker: {side: left, velocity: 1 m/s}"},
    {"side", "bottom below down floor lower", UP},
    {"side", "top above up upper", "the right end of a column is its top under gravity: -9.81 m/s^2"},
};

const char *carom_guess(const char *section, const char *word)
{
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++)
        if (strcmp(guesses[i].section, section) == 0 && carom_text_has_word(guesses[i].words, word))
            return guesses[i].instead;
    return NULL;
}
