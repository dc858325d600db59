/* Part `solid`: an elastic body made of rigid cells whose links carry linear elasticity, in large displacements.
 * Monasse and Mariotti 2012, sections 2 and 4, with the torque that is the gradient of the energy; plane bodies
 * (strain, stress) and bodies in space. Built once: create a body, name regions, hold, load, watch, then finish.
 *
 * Coordinates of cell i in the part's q:  plane  ux, uy, a, d             (4 numbers; a = cos, d = sin of half the
 * angle)
 *                                         space  ux, uy, uz, a, b, c, d   (7 numbers; a unit quaternion)
 * and in its v:  plane  velocity (2) and angular velocity;  space  velocity (3) and angular velocity in the cell's
 * principal axes (3). Displacements count from the unloaded body; a rotation turns the cell away from how it stands
 * there. Cells and surfaces count from 0. */
#ifndef CAROM_SOLID_H
#define CAROM_SOLID_H

#include "carom/model.h"
#include "carom/progress.h"
#include "carom/signal.h"

CAROM_BEGIN

enum carom_solid_case { CAROM_SOLID_SPACE, CAROM_SOLID_STRAIN, CAROM_SOLID_STRESS };

/* The surfaces of bodies: a box has the first six (a plane one: left, right, bottom, top), a cylinder shell the last
 * four. left/right: smallest and largest x; front/back: y in space; bottom/top: y in the plane, z in space. */
enum carom_solid_side {
    CAROM_SOLID_LEFT,
    CAROM_SOLID_RIGHT,
    CAROM_SOLID_FRONT,
    CAROM_SOLID_BACK,
    CAROM_SOLID_BOTTOM,
    CAROM_SOLID_TOP,
    CAROM_SOLID_INSIDE,
    CAROM_SOLID_OUTSIDE,
    CAROM_SOLID_SIDES
};
extern const char *const carom_solid_sides[]; /* their names, NULL-ended */

struct carom_solid_material {
    double young, poisson, density;
};

/* What cells of one shape and material have in common. */
struct carom_solid_sort {
    double mass, inverse_mass;
    double inverse_inertia[3];
    double inertia[3];       /* principal moments; plane: the last */
    double frame[4];         /* quaternion: principal axes as they stand in the unloaded body */
    double volume;           /* V */
    double free;             /* V^l: the pyramids (triangles) over free faces */
    double lambda, mu;       /* Lame's; lambda of plane stress where that is meant */
    double share;            /* 1 / (V + d lambda / (2 mu) V^l): dilatation = share x (sum over links + tractions) */
    double edge[3];          /* of the box around the cell in its own axes */
    double gyration[3];      /* inertia / mass */
    uint32_t material, form; /* form: number of the shape and free faces alone */
    uint32_t halved;         /* bit k: cut through its centre across axis k */
};

/* What links of one shape have in common; the first cell is I, the second J. */
struct carom_solid_shape {
    double apart[3]; /* X_J - X_I, unloaded */
    double arm[3];   /* from X_I to the centre of the interface; from X_J it is arm - apart */
    double stiff;    /* S / D E / (1 + nu) */
    double part[2];  /* S alpha of I and of J: what the link adds to the cell's dilatation */
    double bend[6];  /* stiffness against relative rotation, xx yy zz yz xz xy; plane: the first */
};

struct carom_solid_link {
    uint32_t cell[2], shape;
};

/* The interface of a link as geometry, from which its shape's stiffness comes. */
struct carom_solid_cut {
    double area;    /* S */
    double share;   /* alpha of I: distance of X_I from the interface over D */
    double bend[6]; /* second moments over D, (R_s s s + R_t t t) / D; plane: R / D first */
    uint32_t form;  /* number of the geometry alone */
    uint32_t material[2];
};

/* A face without a neighbour. */
struct carom_solid_face {
    uint32_t cell, side; /* enum carom_solid_side */
    double area, volume; /* of the face and of its pyramid */
    double arm[3];       /* from the cell's centre to the face's */
    double normal[3];    /* outwards, unloaded */
};

/* What a load or drive does: value(t) = vector x signal(t). */
enum carom_solid_push {
    CAROM_SOLID_FORCE,    /* N, in all, shared among the cells by volume, at their centres */
    CAROM_SOLID_TRACTION, /* Pa, on faces, direction fixed in space */
    CAROM_SOLID_PRESSURE, /* Pa, on faces, along the turning normal, positive inwards; vector[0] */
    CAROM_SOLID_MOMENT,   /* N m, in all, shared among the cells by volume */
};

struct carom_solid_load {
    enum carom_solid_push push;
    double vector[3];
    struct carom_signal signal;
    size_t count;
    uint32_t *at; /* cells, or faces by number */
    double total; /* volume of the cells or area of the faces; worked out */
};

/* Entry `number` of load `load` acts on this cell. */
struct carom_solid_entry {
    uint32_t cell, load, number;
};

/* Cells whose motion is given: bit k of `mask` holds coordinate k (ux, uy, uz, turn about x, y, z), or moves it by
 * vector[k] x signal(t) if the hold is driven. Or, with an angle, the cells turn together as one rigid body, by angle x
 * signal(t) about an axis (of length 1; in the plane z) through the point `about`: then all coordinates are in the
 * mask. A wall leaves those turns free that a body which is stuck to it has there, see carom_solid_halve. */
struct carom_solid_hold {
    unsigned mask;
    bool driven, wall;
    double vector[3];
    double angle, axis[3], about[3];
    struct carom_signal signal;
    size_t count;
    uint32_t *cell;
};

/* A point that is watched: a weighted sum over cells, exact for quadratic fields on grids and for linear ones on
 * general cells, also at the surface. */
struct carom_solid_sensor {
    char name[32];
    double place[3];
    size_t count;
    uint32_t cell[27];
    double weight[27];
    double arm[27][3]; /* what turns with a cell: its way to the place, where the body is one cell thick */
};

/* What a face of an absorbing side does: the velocity of a point, which is `inward` of the inner cell's and the rest of
 * the cell's own, dies at these rates along the normal and across it, against `mass` there, and so does the cell's
 * angular momentum about x, y and z. */
struct carom_solid_absorber {
    uint32_t cell, inner;
    double inward, mass;
    double along, across, normal[3];
    double turn[3];
};

/* Energy that a body has lost for good, by mechanism; the last numbers of its q. */
enum carom_solid_loss { CAROM_SOLID_ABSORBED, CAROM_SOLID_PLASTIC, CAROM_SOLID_LOSSES };

/* J2 plasticity: von Mises' stress stays within yield + hardening x p, p the length of the plastic strain's way, about
 * a middle that follows the plastic strain with `kinematic` (all in Pa). Or, with a time of relaxation instead of a
 * yield stress, Maxwell's body: shear stresses die away in that time. */
struct carom_solid_plasticity {
    double yield, hardening, kinematic, relaxation;
};

/* Links begin to break at a traction of `strength` (Pa) and have taken `energy` (J/m^2) when they are broken; 0: not
 * given. With a strength alone what they hold is lost, with an energy alone they are as strong as their size allows.
 * `shear`: strength in shear over that in tension. */
struct carom_solid_fracture {
    double strength, energy, shear;
};

/* Links that stiffen or soften: the stress along a link that is strained by e is that of the linear law and
 * E (quadratic e^2 + cubic e^3) beside it. */
struct carom_solid_nonlinear {
    double quadratic, cubic;
};

struct carom_solid_set {
    char name[32];
    size_t count;
    uint32_t *cell;
};

/* A regular lattice of cells, where the body has one: cell = x + count[0] (y + count[1] z). */
struct carom_solid_grid {
    size_t count[3]; /* 0: there is none */
    double origin[3], edge[3];
    bool shell; /* a cylinder: count = around, radial (1), along the axis; origin = centre of the bottom */
    double radius, thickness;
};

struct carom_solid {
    char name[32]; /* what scenes and files call it; "": it is alone and has none */
    enum carom_solid_case kind;
    int dimension;     /* 2 or 3 */
    size_t wide, fast; /* numbers per cell in q (4 or 7) and v (3 or 6) */
    double depth;      /* thickness of a plane body */
    struct carom_solid_grid grid;
    size_t n, nlinks, nsorts, nshapes, nfaces, nmaterials, nloads, nholds, nsensors, nsets;
    double (*centre)[3]; /* n, unloaded */
    uint32_t *sort;      /* n: number of the cell's sort */
    struct carom_solid_sort *sorts;
    struct carom_solid_link *link; /* nlinks, by rising first cell */
    struct carom_solid_shape *shape;
    struct carom_solid_cut *cut; /* nshapes */
    struct carom_solid_face *face;
    struct carom_solid_material *material;
    struct carom_solid_load *load;
    size_t nentries;
    struct carom_solid_entry *entry; /* of all loads, by rising cell, then load */
    struct carom_solid_hold *hold;
    struct carom_solid_sensor *sensor;
    struct carom_solid_set *set;
    size_t nrecord;
    uint32_t *record; /* cells that are recorded, rising; NULL: all */
    size_t nabsorbing, nabsorbers;
    uint32_t *absorbing; /* sides that let waves out */
    struct carom_solid_absorber *absorber;
    struct carom_solid_plasticity plasticity;
    bool flow; /* does it have plasticity? */
    struct carom_solid_fracture fracture;
    struct carom_solid_breaks *breaks;      /* with fracture: what links bear; NULL: they do not break */
    struct carom_solid_nonlinear nonlinear; /* both 0: links are linear */
    struct carom_solid_bonds *bonds;        /* with one of these: links by cells */
    struct carom_solid_self *self;          /* what meets what in one body, see carom_solid_self; NULL: nothing does */
    double gravity[3];
    double damping_mass, damping_stiffness; /* 1/s and s: force = -(a M + b K) v */
    double omega;                           /* largest frequency, once it is known; else 0 */
    bool gridded;                           /* a box of one material: links need no records */
    bool halved;                            /* are cells cut where they are held? see carom_solid_halve */
    bool framed;                            /* does a sort have principal axes of its own? */
    size_t reach;                           /* largest difference of cell numbers over links */
    uint8_t *held;                          /* n: masks of all holds together; NULL if nothing is held */
    double *sheet;                          /* a plane box of one material: constants of solid_sheet.c */
    struct carom_solid_slices *slices;      /* other bodies in space: links in the order of solid_slice.c */
    struct carom_solid_cells *cells;        /* of general convex cells: how they look; NULL: boxes and shells */
    struct carom_solid_rates *rates; /* links for damping in schemes other than rattle; NULL if the body is too large */
};

extern const struct carom_part carom_part_solid;       /* in space */
extern const struct carom_part carom_part_solid_plane; /* plane strain, plane stress */

/* --- building ------------------------------------------------------------------------------------------------- */

/* A box of count[0] x count[1] (x count[2]) cells, its smallest corner at `origin`. NULL and the sentence on
 * error. */
struct carom_solid *carom_solid_box(enum carom_solid_case kind, const size_t count[3], const double size[3],
                                    const double origin[3], double depth, const struct carom_solid_material *material,
                                    struct carom_error *error);

/* A cylinder shell about the z axis through `origin`, one cell thick: `around` cells on the perimeter, `along` on the
 * height. `radius` is the middle surface's. */
struct carom_solid *carom_solid_cylinder(size_t around, size_t along, double radius, double height, double thickness,
                                         const double origin[3], const struct carom_solid_material *material,
                                         struct carom_error *error);

void carom_solid_free(struct carom_solid *solid);

/* Gives cells another material; links between two materials work in series. Before loads and holds. */
enum carom_status carom_solid_fill(struct carom_solid *solid, const struct carom_solid_material *material, size_t count,
                                   const uint32_t *cell, struct carom_error *error);

/* Gives every cell one of these materials, or leaves it as it is; before loads and holds. */
#define CAROM_SOLID_AS_IS UINT32_MAX
enum carom_status carom_solid_fill_each(struct carom_solid *solid, size_t nmaterials,
                                        const struct carom_solid_material *material, const uint32_t *made_of,
                                        struct carom_error *error);

/* These copy what they are given, tables of signals included. Faces are selected by cell: see carom_solid_faces. */
enum carom_status carom_solid_add_load(struct carom_solid *solid, const struct carom_solid_load *load,
                                       struct carom_error *error);
enum carom_status carom_solid_add_hold(struct carom_solid *solid, const struct carom_solid_hold *hold,
                                       struct carom_error *error);
enum carom_status carom_solid_add_set(struct carom_solid *solid, const char *name, size_t count, const uint32_t *cell,
                                      struct carom_error *error);
enum carom_status carom_solid_add_sensor(struct carom_solid *solid, const char *name, const double place[3],
                                         struct carom_error *error);

/* Lets the whole body flow plastically; in space, at most once, after carom_solid_halve. */
enum carom_status carom_solid_yield(struct carom_solid *solid, const struct carom_solid_plasticity *law,
                                    struct carom_error *error);

/* Lets links break that have the centre of their face in a box (NULL: anywhere); at most once, after carom_solid_halve.
 * Then carom_solid_fracture_crack breaks those in a box that cross a plane, from the start on: how many there are. */
enum carom_status carom_solid_fracture(struct carom_solid *solid, const struct carom_solid_fracture *law,
                                       double (*box)[3], struct carom_error *error);
size_t carom_solid_fracture_crack(struct carom_solid *solid, const double at[3], const double normal[3],
                                  double (*box)[3]);

/* Cells of the body press each other where they meet: pieces of what broke, faces of a crack, sides that close; after
 * carom_solid_halve and carom_solid_fracture. `pieces`: only once a link has broken. */
enum carom_status carom_solid_self(struct carom_solid *solid, bool pieces, struct carom_error *error);

/* Makes the links of an elastic body nonlinear; after carom_solid_halve, without plasticity and fracture. */
enum carom_status carom_solid_bonds_nonlinear(struct carom_solid *solid, const struct carom_solid_nonlinear *law,
                                              struct carom_error *error);

/* Waves leave the body through this side instead of coming back; before carom_solid_halve. After it,
 * carom_solid_absorb_ready works out what that does to the cells there. */
enum carom_status carom_solid_absorb(struct carom_solid *solid, enum carom_solid_side side, struct carom_error *error);
enum carom_status carom_solid_absorb_ready(struct carom_solid *solid, struct carom_error *error);

/* Cuts the cells of every side that is held along its normal, all over, through their centres: the body ends where it
 * is held, and a plane of symmetry is one. Turns that walls hold there are let go as far as the section is straight
 * without. After all regions and holds, before loads; at most once. */
enum carom_status carom_solid_halve(struct carom_solid *solid, struct carom_error *error);

/* Takes all loads off again. */
void carom_solid_add_nothing(struct carom_solid *solid);

/* The numbers of the free faces on that side whose cells are among those given (cell = NULL: all). `face` has room
 * for nfaces; returns how many. */
size_t carom_solid_faces(const struct carom_solid *solid, enum carom_solid_side side, size_t count,
                         const uint32_t *cell, uint32_t *face);

/* --- asking --------------------------------------------------------------------------------------------------- */

/* The body that is this member of a model, or NULL. */
const struct carom_solid *carom_solid_at(const struct carom_model *model, size_t member);

/* The kind of part a body is, of the plane or of space. */
const struct carom_part *carom_solid_part(const struct carom_solid *solid);

/* The first body in a model, or NULL; its member number goes to *member (may be NULL). */
const struct carom_solid *carom_solid_of(const struct carom_model *model, size_t *member);

/* How many bodies a model has; they are its first members. */
size_t carom_solid_count(const struct carom_model *model);

/* The number of a sensor by name, from 0, among those of all bodies in their order, and whose it is (with what it is
 * called there); SIZE_MAX: there is none. */
size_t carom_solid_sensor_find(const struct carom_model *model, const char *name, size_t *member,
                               const struct carom_solid_sensor **sensor);

/* The cell nearest to a point. */
size_t carom_solid_nearest(const struct carom_solid *solid, const double place[3]);

/* Corners of a cell, unloaded, in the order of a VTK hexahedron (8) or quadrilateral (4, z = 0). */
size_t carom_solid_corners(const struct carom_solid *solid, size_t cell, double corner[8][3]);

/* How many numbers its q has: those of the cells, and what it keeps beside them. Where its losses stand there. */
size_t carom_solid_size(const struct carom_solid *solid);
double *carom_solid_losses(const struct carom_solid *solid, double *q); /* NULL: it has none */

/* q of the unloaded body. */
void carom_solid_rest(const struct carom_solid *solid, double *q);

/* Where a point of a cell is: centre + u + Q arm, with q the part's coordinates. */
void carom_solid_moved(const struct carom_solid *solid, const double *q, size_t cell, const double arm[3],
                       double out[3]);

/* Displacement (and velocity, where wanted) at a sensor; v is the part's physical v, or NULL. */
void carom_solid_sense(const struct carom_solid *solid, const struct carom_solid_sensor *sensor, const double *q,
                       const double *v, double displacement[3], double velocity[3]);

/* Cauchy stress of all cells, xx yy zz yz xz xy in space axes: the mean over each cell. n x 6 numbers; `t` is for
 * loads, `scratch` as for the part's energy. Then the strain of a cell by Hooke's law. */
void carom_solid_stress(const struct carom_solid *solid, double t, const double *q, double *scratch,
                        double (*stress)[6]);
void carom_solid_stress_strain(const struct carom_solid *solid, size_t cell, const double stress[6], double strain[6]);

/* The traction at which the first links break, and how far apart cells may be for the strength that was given. */
double carom_solid_fracture_weakest(const struct carom_solid *solid);
double carom_solid_fracture_size(const struct carom_solid *solid);
/* How far the first crack that is whole has opened; 0: links break at once, or not at all. */
double carom_solid_fracture_opening(const struct carom_solid *solid);
#define CAROM_SOLID_OPENING_STEP 0.04 /* of the time in which a crack opens: that gives its energy to 1 % */

/* The area of all broken links, cracks of the start included; which part of the links of a cell is gone. */
double carom_solid_fracture_area(const struct carom_solid *solid, const double *q);
double carom_solid_fracture_of(const struct carom_solid *solid, const double *q, size_t cell);

/* Force and moment of every hold on the body, in space axes, moments about the middle of its cells' centres as they
 * stand unloaded. `room` has so many numbers; v is the part's physical v. Driven cells: without their own inertia. */
size_t carom_solid_reaction_room(const struct carom_solid *solid);
void carom_solid_reaction(const struct carom_solid *solid, double t, const double *q, const double *v, double *room,
                          double (*out)[6]);

/* The scales of errors for a start (q, v), see carom_scales_find. */
enum carom_status carom_solid_scales(const struct carom_solid *solid, const double *q, const double *v,
                                     struct carom_scales *scales, struct carom_error *error);

/* The same if something strikes the body with this speed. */
void carom_solid_scales_strike(const struct carom_solid *solid, double speed, struct carom_scales *scales);

/* The largest angular velocity of a cell in the part's physical v. */
double carom_solid_scales_spin(const struct carom_solid *solid, const double *v);

/* The shortest half-sine, or half period, of its loads and drives: a step that is longer does not see them. HUGE_VAL:
 * there is none. */
double carom_solid_scales_beat(const struct carom_solid *solid);

/* By about which part of E I a section with so many cells across is too stiff in bending; exact with one. */
double carom_solid_scales_bending(const struct carom_solid *solid, size_t across);

/* Speeds of P and S waves of a material as this body sees it (plane stress is slower). */
void carom_solid_speeds(const struct carom_solid *solid, size_t material, double *p, double *slow);

/* The largest frequency of small vibrations about q (NULL: unloaded), what is held standing still; the step limit is
 * 2 / omega. `progress` may be NULL. */
enum carom_status carom_solid_frequency(const struct carom_solid *solid, const double *q,
                                        const struct carom_progress *progress, double *omega,
                                        struct carom_error *error);

/* Moves q to rest under the loads of time t (preconditioned conjugate gradients on the energy), holds kept. `tol` is
 * relative to the largest force; `progress` may be NULL. CAROM_E_NUMERIC if it does not come to rest. *unstable (unless
 * NULL): would it leave that rest at the least push? A column that is straight beyond its critical load would. */
enum carom_status carom_solid_settle(const struct carom_solid *solid, double t, double tol, double *q, bool *unstable,
                                     const struct carom_progress *progress, struct carom_error *error);

CAROM_END

#endif
