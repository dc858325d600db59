/* What the files solid_*.c share: the mesh under construction and the forces by pieces. */
#ifndef CAROM_MODEL_SOLID_SOLID_H
#define CAROM_MODEL_SOLID_SOLID_H

#include "base/quat.h"
#include "base/threads.h"
#include "carom/solid.h"

/* the quaternion of a cell, of a plane one too */
static inline void carom_solid_quaternion(const struct carom_solid *s, const double *q, size_t cell, double out[4])
{
    const double *at = q + s->wide * cell;
    out[0] = s->dimension == 3 ? at[3] : at[2];
    out[1] = s->dimension == 3 ? at[4] : 0.0;
    out[2] = s->dimension == 3 ? at[5] : 0.0;
    out[3] = s->dimension == 3 ? at[6] : at[3];
}

static inline const struct carom_solid_sort *carom_solid_sort_of(const struct carom_solid *s, size_t cell)
{
    return &s->sorts[s->sort[cell]];
}

/* What velocity k of a cell moves: its mass, or a principal moment. */
static inline double carom_solid_inertia(const struct carom_solid *s, size_t cell, size_t k)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, cell);
    return k < (size_t)s->dimension ? sort->mass : sort->inertia[s->dimension == 3 ? k - 3 : 2];
}

/* Is velocity k of a cell held? In space turns count as held if all are; less is solid_turns.c's. */
static inline bool carom_solid_holds(const struct carom_solid *s, size_t cell, size_t k)
{
    const unsigned mask = s->held ? s->held[cell] : 0U;
    return k >= 3 ? mask >> 3 == 7U : mask >> (s->dimension == 2 && k == 2 ? 5 : k) & 1U;
}

/* Larger bodies have no room for schemes other than rattle. */
#define CAROM_SOLID_GENERAL ((size_t)20000)

/* Is some motion given? Other schemes than rattle know nothing of that. */
static inline bool carom_solid_driven(const struct carom_solid *s)
{
    for (size_t h = 0; h < s->nholds; h++)
        if (s->hold[h].driven)
            return true;
    return false;
}

/* --- building (solid_mesh.c) ---------------------------------------------------------------------------------- */

/* An empty body with room for so much; sorts, cuts and links are then filled in by hand. NULL: out of memory. */
struct carom_solid *carom_solid_mesh_create(enum carom_solid_case kind, size_t n, size_t nlinks, size_t nsorts,
                                            size_t nshapes, size_t nfaces, struct carom_error *error);

/* Lame's numbers; in plane stress lambda is what is left after the third direction has yielded. */
void carom_solid_mesh_lame(const struct carom_solid *solid, const struct carom_solid_material *material, double *lambda,
                           double *mu);

/* Masses, stiffnesses, dilatation shares from geometry and materials. */
enum carom_status carom_solid_mesh_ready(struct carom_solid *solid, struct carom_error *error);

/* A box is treated as a body with link records, though it may need none. False: out of memory. */
bool carom_solid_mesh_ungrid(struct carom_solid *solid);

/* Is the material possible? */
enum carom_status carom_solid_mesh_check(const struct carom_solid_material *material, struct carom_error *error);

/* --- forces ----------------------------------------------------------------------------------------------------- */

enum { CAROM_SOLID_BATCH = 512 }; /* cells whose losses are added up before those of others */

static inline size_t carom_solid_batches(const struct carom_solid *solid)
{
    return (solid->n + CAROM_SOLID_BATCH - 1) / CAROM_SOLID_BATCH;
}

static inline size_t carom_solid_batch_end(const struct carom_solid *solid, size_t batch)
{
    return (batch + 1) * CAROM_SOLID_BATCH < solid->n ? (batch + 1) * CAROM_SOLID_BATCH : solid->n;
}

/* Numbers of some links or cells, which rise. */
struct carom_solid_list {
    uint32_t *at;
    size_t count;
};

/* What one of several processes works on, of a body with bonds: its own cells and their links, and those around. */
struct carom_solid_some {
    struct carom_solid_list own_cells, own_links, near_cells, near_links;
};

/* Room to work in. It belongs to whoever asks, so that one body serves many; one thread of control at a time. */
struct carom_solid_work {
    double *pressure;                    /* n: lambda x dilatation, left by whatever worked it out last */
    double *rows;                        /* a plane box of one material: scratch of solid_sheet.c */
    double *stretch;                     /* in space: what dilatations leave to forces; NULL: nobody asks for those */
    double *around;                      /* of cells that meet each other: solid_self.c */
    const struct carom_solid_some *some; /* of a body with bonds, what is meant; NULL: all */
};

/* How many doubles that takes, for `forces` or for pressures and energies alone without threads; and laid out in a room
 * of so many. */
size_t carom_solid_forces_room(const struct carom_solid *solid, bool forces);
struct carom_solid_work carom_solid_forces_work(const struct carom_solid *solid, bool forces, double *room);

/* The parts' scratch; that of forces begins with a room for `forces`. */
void carom_solid_scratch(const void *own, size_t *energy, size_t *force);

/* A call of the link kernels over all cells; the result does not depend on the number of threads. */
struct carom_solid_call {
    const struct carom_solid *solid;
    double t;
    const double *q;
    double *sum;     /* n: dilatation sums, then pressures */
    double *stretch; /* as in the work */
    double *f;       /* fast x n: force and torque in space axes */
    bool clear;      /* is f 0 before anything acts? */
    size_t from, to; /* cells that are meant; `from` is even */
    size_t blocks;
};

/* Cells of block b: [first, last), all but the end even: cells go two by two. */
static inline void carom_solid_block(const struct carom_solid_call *c, size_t b, size_t *first, size_t *last)
{
    const size_t pairs = (c->to - c->from + 1) / 2, each = pairs / c->blocks, left = pairs % c->blocks;
    *first = c->from + 2 * (each * b + (b < left ? b : left));
    *last = *first + 2 * (each + (b < left ? 1 : 0));
    *last = *last < c->to ? *last : c->to;
}

/* sum += the links' parts of cells in block b, then sum becomes the pressure. */
void carom_solid_links_dilate(void *call, size_t block);
void carom_solid_flat_dilate(void *call, size_t block);
/* f += forces of links; needs all pressures. */
void carom_solid_links_pull(void *call, size_t block);
void carom_solid_flat_pull(void *call, size_t block);

/* Sums of cells [first, last) become pressures. */
void carom_solid_links_press(const struct carom_solid *solid, size_t first, size_t last, double *sum);

/* The same for own links of cells [first, last), sums without what makes them pressures. */
struct carom_solid_passes {
    void (*dilate)(const struct carom_solid_call *call, size_t first, size_t last);
    void (*pull)(const struct carom_solid_call *call, size_t first, size_t last);
};

/* Those of boxes of one material, see `gridded`, in as many lanes as the processor has: in two, as all have them, or in
 * four, NULL where it has not; how much `stretch` they need. */
extern const struct carom_solid_passes carom_solid_grid_narrow;
const struct carom_solid_passes *carom_solid_grid_wide(void);
const struct carom_solid_passes *carom_solid_grid_passes(void);
size_t carom_solid_grid_room(const struct carom_solid *solid);

/* sum += energy of links [first, last), of which q is enough. */
void carom_solid_links_energy(const void *call, size_t first, size_t last, struct carom_sum *sum);
void carom_solid_flat_energy(const void *call, size_t first, size_t last, struct carom_sum *sum);

/* Elastic forces, gravity and loads at time t, in space axes; leaves the pressures in work->pressure. */
void carom_solid_forces(const struct carom_solid *solid, const struct carom_solid_work *work,
                        struct carom_threads *threads, double t, const double *q, double *f);

/* The same for a body in space, onto an f that is 0. */
void carom_solid_forces_onto(const struct carom_solid *solid, const struct carom_solid_work *work,
                             struct carom_threads *threads, double t, const double *q, double *f);

/* The same for cells [first, last) alone, `first` even, of a body of linear links that is no sheet; q is known from
 * twice the body's reach before them to as far behind. `clear`: f is 0. */
void carom_solid_forces_some(const struct carom_solid *solid, const struct carom_solid_work *work,
                             struct carom_threads *threads, double t, const double *q, bool clear, size_t first,
                             size_t last, double *f);

/* The pressures alone. */
void carom_solid_forces_pressures(const struct carom_solid *solid, const struct carom_solid_work *work,
                                  struct carom_threads *threads, double t, const double *q);

/* Elastic and gravity energy; works out the pressures of (t, q). */
double carom_solid_forces_energy(const struct carom_solid *solid, const struct carom_solid_work *work,
                                 struct carom_threads *threads, double t, const double *q);

/* First link whose first cell is `cell` or later. */
size_t carom_solid_mesh_link(const struct carom_solid *solid, size_t cell);

/* --- turns in the plane (solid_plane.c), as the part has them ---------------------------------------------------- */

void carom_solid_plane_flow(const void *own, const double *q, const double *v, double *rate);

/* The parts' move; it, their force and carom_solid_settle where threads may share the work. */
void carom_solid_force_shared(const struct carom_solid *solid, struct carom_threads *threads, double t, const double *q,
                              const double *v, double *scratch, double *f);
void carom_solid_move(const void *own, const double *q, const double *step, double *moved);
void carom_solid_move_shared(const struct carom_solid *solid, struct carom_threads *threads, const double *q,
                             const double *step, double *moved);
enum carom_status carom_solid_settle_shared(const struct carom_solid *solid, struct carom_threads *threads, double t,
                                            double tol, double *q, bool *unstable,
                                            const struct carom_progress *progress, struct carom_error *error);

/* carom_solid_scales, where threads may share the work. */
enum carom_status carom_solid_scales_shared(const struct carom_solid *solid, struct carom_threads *threads,
                                            const double *q, const double *v, struct carom_scales *scales,
                                            struct carom_error *error);

/* --- loads (solid_loads.c) ------------------------------------------------------------------------------------- */

/* Of cells [first, last): f = gravity, where f is `clear` if 0 already; f += loads at t; sum += what tractions add to
 * dilatations. */
void carom_solid_loads_begin(const struct carom_solid *solid, size_t first, size_t last, bool clear, double *f);
void carom_solid_loads_push(const struct carom_solid *solid, double t, size_t first, size_t last, const double *q,
                            double *f);
void carom_solid_loads_dilate(const struct carom_solid *solid, double t, size_t first, size_t last, double *sum);

/* The first entry of loads on `cell` or a later one. */
size_t carom_solid_loads_first(const struct carom_solid *solid, size_t cell);

/* Does a load act on faces; and the force on one, for a signal of that height, and where it acts, from the centre. */
bool carom_solid_loads_on_faces(const struct carom_solid_load *load);
void carom_solid_loads_face(const struct carom_solid *solid, const struct carom_solid_load *load,
                            const struct carom_solid_face *face, double height, const double *q, double force[3],
                            double arm[3]);

/* lambda x what tractions add to the dilatation of cells [first, last) onto pressure[0 .. last - first). */
void carom_solid_loads_swell(const struct carom_solid *solid, double t, size_t first, size_t last, double *pressure);

/* What every entry of the loads does to its cell at t, for devices: force and torque; what it adds to the dilatation
 * sum, of plane boxes of one material to lambda x dilatation; which of the two (1, 2) act at all; is it the last entry
 * of its cell? As src/kernel has it. */
struct carom_solid_pushed {
    double force[6], swell;
    int live, last;
};
void carom_solid_loads_tell(const struct carom_solid *solid, double t, const double *q, struct carom_solid_pushed *out);

/* Energy that tractions add to that of free faces, see the file, under the pressures of all cells. */
double carom_solid_loads_energy(const struct carom_solid *solid, double t, const double *pressure);

/* Energy that goes in at once where loads on faces jump at t. */
double carom_solid_loads_jump(const struct carom_solid *solid, const struct carom_solid_work *work, double t,
                              const double *q);

/* How many faces carry loads, counted with each load; and by how much each is pushed out beyond what its cell's rigid
 * motion says, times its area, under these pressures. */
size_t carom_solid_loads_faces(const struct carom_solid *solid);
void carom_solid_loads_extend(const struct carom_solid *solid, double t, const double *pressure, double *extension);

/* Work of all loads on the way from q0 at t0 to q1 at t1, forces by the trapezoid. */
struct carom_solid_way {
    double t0;
    const double *q0, *extension0;
    double t1;
    const double *q1, *extension1;
};
double carom_solid_loads_work(const struct carom_solid *solid, struct carom_threads *threads,
                              const struct carom_solid_way *way);

/* Power of all loads; w as for carom_solid_rates_drag, rate the rates of dilatation sums as it leaves them. */
double carom_solid_loads_power(const struct carom_solid *solid, double t, const double *q, const double *w,
                               const double *rate);
/* rate += what tractions that change add to the dilatation sums. */
void carom_solid_loads_follow(const struct carom_solid *solid, double t, double *rate);

/* What both parts, of the plane and of space, say of themselves. */
const struct carom_signal *carom_solid_loads_signal(const void *own, size_t i, enum carom_action *action);
void carom_solid_describe(const void *own, struct carom_particles *out);

/* Puts held coordinates where they belong at time t; rates of driven ones too. v: velocity and whatever turns, or (for
 * `momenta`) angular momenta in space axes. */
void carom_solid_loads_hold(const struct carom_solid *solid, double t, bool momenta, double *q, double *v);

/* Are all cells of the body held along all axes? */
bool carom_solid_halve_held(const struct carom_solid *solid);

#endif
