/* Words that stand for others, see tree.h. */
#include "scene/text/tree.h"

#include <string.h>

#include "base/text.h"

#define TABLE "a force out of a table is force: {file: push.csv}, with two columns, time (s),force (N)"
#define LOADS "forces on bodies stand in loads, such as loads: [{body: 1, force: {file: push.csv}}]"
#define IMPACT "the impact law stands in run, as impact: poisson under event and blow: poisson under moreau-jean"
#define BODY "disc/sphere/box/polygon/polyhedron/capsule/compound/cylinder"
#define TOUCH "contacts/contacts of the plane and of space/contacts of solids"
#define UP "a column stands on its left end, wall: {side: left}, under gravity: -9.81 m/s^2"

static const struct {
    const char *sections, *words, *instead; /* sections: one or more, with slashes between */
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
    {"scene", "output out outfile save", "the file is named when the scene is run: carom run SCENE -o RUN.h5"},
    {"scene", "friction mu",
     "friction stands in contacts: contacts: {law: hertz, friction: {mu: 0.3}} of discs and spheres"},
    {"run", "time duration end stop t_end tmax length for to", "that is until, such as until: 2 ms"},
    {"run", "dt timestep time_step step_size stepsize delta_t",
     "a step of one size is step: 1 us, beside a scheme that takes one, such as scheme: verlet"},
    {"theory", "rigid hard contact impact impacts",
     "rigid bodies are theory: nonsmooth, or lzb where they touch as springs"},
    {"theory", "elastic soft hertz spring springs dem beads", "contacts that yield are theory: compliant"},
    {"scheme", "rk45 dopri5 ode45 runge-kutta dormand-prince", "the Runge-Kutta scheme with a tolerance is dp5"},
    {"probe", "force forces F", "forces of contacts are contact_force, of discs and spheres contacts"},
    {"probe", "velocity velocities speed speeds", "velocities are v"},
    {"probe", "displacement displacements", "displacements are u"},
    {"probe", "energy energies ledger", "the energy ledger is always recorded, and needs no probe"},
    {"material", "E e youngs_modulus Youngs_modulus modulus youngs_module", "that is young, such as young: 203 GPa"},
    {"material", "nu Nu v poisson_ratio", "that is poisson, such as poisson: 0.3"},
    {"material", "rho mass_density Density", "that is density, such as density: 7833 kg/m^3"},
    {"chain", "n N number beads balls length", "how many beads is count: 10"},
    {"chain", "size D d", "their size is diameter: 2 cm or radius: 1 cm"},
    {"chain", "angle velocity speed displacement",
     "how a body starts stands in start, such as start: [{body: 1, angle: -30 deg}]"},
    {"chain", "materials alternate alternating repeat unit cell",
     "one is material: brass, several in turn are pattern: [{material: brass}, {material: nylon}]"},
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
    {"body", "cube cuboid block brick rectangle square slab beam",
     "a body with flat sides is box: {size: [4 cm, 10 cm], mass: 1 kg, at: [0, 5 cm]}, in space with three sizes"},
    {"body", "circle coin", "a round body of the plane is disc, one of space sphere"},
    {"body", "pendulum bob rod rope joint hinge",
     "bodies hang on joints: [hinge: {bodies: [1, world], at: [0, 0]}], or beads on strings: chain: {string: 12 cm}"},
    {BODY, "omega angular_velocity w rotation_speed angular", "how fast it turns is spin: 3 rad/s, in space a list"},
    {BODY, "rotation angle orientation tilt theta rotate inclination",
     "how it is turned is turn: 30 deg, and how fast it turns spin: 3 rad/s"},
    {BODY, "density rho", "its weight is mass: 1 kg, or follows from its size with material: steel"},
    {BODY, "position pos place x y centre center", "where its centre is stands in at, such as at: [0, 5 cm]"},
    {"polyhedron", "sides faces corners vertices size",
     "what it looks like is kind: icosahedron with a radius, points: [[0, 0, 0], ...] or file: stone.stl"},
    {BODY, "width height length sides", "that is size, such as size: [4 cm, 10 cm], or radius of what is round"},
    {BODY, "speed v", "that is velocity, such as velocity: [1 m/s, 0]"},
    {TOUCH, "stiffness", "the stiffness of a law is k, or follows from the material of the bodies"},
    {TOUCH, "damping dissipation viscosity",
     "damping is gamma, b or c, by the law, or follows from restitution: {e: 0.9, speed: 1 m/s}"},
    {TOUCH, "mu_s mus static static_friction mu_stick", "friction is mu, and mu_static where contacts stick"},
    {TOUCH, "mu_k mu_d mu_dynamic friction_coefficient coefficient",
     "the coefficient of friction is mu, such as mu: 0.3"},
    {TOUCH "/scene/run", "impact_law impact impacts blow collision collisions impact_model", IMPACT},
    {"solid/solid box", "thickness width", "how deep a solid of the plane is stands beside its box: depth: 2 cm"},
    {"solid", "start velocity speed displacement",
     "how a solid starts stands in start, beside bodies: start: [{velocity: [1 m/s, 0, 0]}]"},
    {"joint", "rod bar link strut",
     "two points a fixed way apart is distance: {bodies: [1, 2], at: [0, 0], to: [1, 0]}"},
    {"joint", "rope string cable tether",
     "a rope is distance: {bodies: [1, world], at: [0, 0], to: [0, 1], limits: [0, 1]}"},
    {"joint", "pin revolute pivot axle rotary", "what turns about a point is hinge: {bodies: [1, world], at: [0, 0]}"},
    {"joint", "prismatic slide rail guide piston translation", "what moves along a line is slider, with axis: [1, 0]"},
    {"joint", "fixed rigid glue lock clamp", "what holds all is weld: {bodies: [1, 2], at: [0, 0]}"},
    {"joint", "spherical socket", "what turns about a point in every way is ball, in the plane hinge"},
    {"joint", "spring damper dashpot", "joints are rigid, and springs stand among laws of contacts (law: power, p: 1)"},
    {"joint", "bodies kind type at between joint",
     "an entry is one joint, such as - hinge: {bodies: [1, world], at: [0, 0]}"},
    {"joints", "length rest distance", "its length is that of the way from at to `to` as the scene has them"},
    {"joints", "body between", "the two are bodies: [1, 2], by number or name, or [1, world]"},
    {"joints", "anchor point position pivot", "the point that is held is at, such as at: [0, 0]"},
    {"record", "interval dt step sampling sample_every output_every", "the time between samples is every: 1 us"},
    {BODY "/chain/bead/striker/lattice/pattern", "r R rad", "that is radius: 1 cm, or diameter: 2 cm"},
    {"law", "coulomb Coulomb friction dry",
     "friction is mu beside law: rigid under theory: nonsmooth, or friction: {mu: 0.3} beside a law of discs and "
     "spheres"},
    {"law", "linear spring hooke Hooke", "a spring with a damper is linear-dashpot, one without is power with p: 1"},
    {"lattice", "rows columns n nx ny nz number size", "how many bodies stand along each axis is count: [10, 10]"},
    {"side", "bottom below down floor lower", UP},
    {"side", "top above up upper", "the right end of a column is its top under gravity: -9.81 m/s^2"},
};

/* is it one of those between slashes? */
static bool is_among(const char *sections, const char *section)
{
    const size_t length = strlen(section);
    for (const char *at = sections; at != NULL; at = strchr(at, '/')) {
        at += *at == '/' ? 1 : 0;
        if (strncmp(at, section, length) == 0 && (at[length] == '/' || at[length] == '\0'))
            return true;
    }
    return false;
}

const char *carom_guess(const char *section, const char *word)
{
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++)
        if (is_among(guesses[i].sections, section) && carom_text_has_word(guesses[i].words, word))
            return guesses[i].instead;
    return NULL;
}
