/* Steps of verlet on discs and spheres whose contacts come and go. What the processor does in
 * src/scheme/compliant/packing, in the same order: same bits. A place for each contact works out what it gives (press,
 * kick), a place for each body adds that up in the processor's order and moves the body (drift, finish). In between a
 * single place keeps account (reckon, conclude): where it says HALT, all that comes later in the queue does nothing.
 * Compiled after lane.cl, lane3.h, vec.h, quat.h, press.h, meet.h, ball.h, ball_friction.h and spring.h, and after
 * lines that say
 *
 *     PLANE   1: discs of the plane
 *     DAMPED  1: some contacts are damped
 *     APART   1: some are not those of balls after Hertz or Kuwabara and Kono
 *     RUBS    1: some resist in one way or another
 *     SLIDES, ROLLS, TWISTS  numbers of a slip in these ways, as struct carom_columns has them; 0: none resists so
 *
 * What contacts remember goes from page to page, column by column: what they have lost (LOSSES: by dampers, in each way
 * in which any resist, by changes of stiffness), then springs, way by way. */

enum { SLIDING, ROLLING, TWISTING, WAYS };
enum {
    LOST_ROLLING = 1 + (SLIDES > 0),
    LOST_TWISTING = LOST_ROLLING + (ROLLS > 0),
    LOST_CHANGE = LOST_TWISTING + (TWISTS > 0),
    LOSSES = RUBS ? LOST_CHANGE + 1 : DAMPED,
    SPRINGS = SLIDES + ROLLS + TWISTS,
    KEPT = LOSSES + SPRINGS,
    MOST_LOSSES = 5,
    MOST_SPRINGS = 7
};

enum { HALT, DONE, SWITCHED, WRONG, DEEP, FAR, LOGGED, SPEED, MARKS };
enum { OPEN, STALE, CLOSED }; /* as enum carom_verlet_live */
enum { LANES, BALLS, WALL_FIRST, WALL_SECOND, KIND = 3, FIRST_TURNS = 4, SECOND_TURNS = 8 };

struct stride {
    double h, gravity[3];
    double edge, far; /* as in struct carom_bodies */
    double step; /* of all steps but those that are cut */
    ulong n, nc, room; /* room: in the log */
};

/* what never changes of a contact: bodies, kind and pairing; D0 and |D0|, of walls their normal; g0 */
struct pair {
    uint a, b, kind, pairing;
};

/* How a pairing resists in one way; of springs as struct carom_ball_friction_law. */
enum { FREE, SPRING, SMOOTH };
struct rubbing {
    double mu;
    int rubs, hertzian, follows, always;
};

/* numbers of its law; `made` has them column by column */
struct law {
    double k, gamma, p, b;
};

ALWAYS_INLINE struct law law_of(__global const double *made, size_t nc, size_t j)
{
    return (struct law){made[j], DAMPED ? made[nc + j] : 0.0, APART ? made[2 * nc + j] : 1.5,
                        APART ? made[3 * nc + j] : 0.0};
}

#if RUBS

ALWAYS_INLINE struct carom_ball_friction_law rub_law(struct rubbing r)
{
    return (struct carom_ball_friction_law){r.hertzian != 0, r.follows != 0, r.always != 0, r.mu};
}

/* numbers of a contact in one way: stiffness, or the speed above which it resists in full; viscous time; mobility */
enum { STIFFNESS, SLIP_SPEED = STIFFNESS, VISCOUS, MOBILITY };
ALWAYS_INLINE double number_of(__global const double *made, size_t nc, size_t j, int way, int which)
{
    return made[(4 + 3 * way + which) * nc + j];
}

ALWAYS_INLINE double lever_of(__global const double *made, size_t nc, size_t j)
{
    return ROLLS + TWISTS > 0 ? made[(4 + 3 * WAYS) * nc + j] : 0.0;
}

/* carom_verlet_mobility of both bodies */
ALWAYS_INLINE double mobility(double radius_a, double2 a, double radius_b, double2 b)
{
    return (a.x + radius_a * radius_a * a.y) + (b.x + radius_b * radius_b * b.y);
}

/* a spring as a vector of space; in the plane its one number counts along the tangent */
ALWAYS_INLINE struct carom_lane3 spring_of(__global const double *kept, size_t nc, size_t j, struct carom_lane3 normal)
{
    const double first = kept[LOSSES * nc + j];
    if (PLANE)
        return (struct carom_lane3){-normal.y * first, normal.x * first, first};
    return (struct carom_lane3){first, kept[(LOSSES + 1) * nc + j], kept[(LOSSES + 2) * nc + j]};
}

#endif

ALWAYS_INLINE struct carom_lane3 three(double4 x)
{
    return (struct carom_lane3){x.x, x.y, x.z};
}

ALWAYS_INLINE double4 four(struct carom_lane3 x, double last)
{
    return (double4)(x.x, x.y, x.z, last);
}

/* --- contacts that are not worked out as lanes do ----------------------------------------------------------------- */

#if APART

ALWAYS_INLINE double elastic_of(const struct law law, double deform)
{
    const double d = carom_kernel_overlap(deform);
    return law.k * carom_kernel_power(d, law.p);
}

ALWAYS_INLINE double drag_of(const struct law law, double deform)
{
    return DAMPED ? carom_kernel_drag_form(law.k, law.gamma, law.b, carom_kernel_overlap(deform)) : 0.0;
}

ALWAYS_INLINE double viscous_of(const struct law law, double deform)
{
    return DAMPED ? carom_kernel_viscous_form(law.k, law.gamma, law.b, carom_kernel_overlap(deform)) : 0.0;
}

ALWAYS_INLINE void velocity(double4 v, double4 w, double out[6])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = PLANE ? w.z : v.z;
    out[3] = w.x;
    out[4] = w.y;
    out[5] = w.z;
}

ALWAYS_INLINE struct carom_lane3 normal_of(const struct carom_meeting *m)
{
    return (struct carom_lane3){m->normal[0], m->normal[1], m->normal[2]};
}

/* arms of a contact whose gap and normal are known; walls stand still, so that theirs does not count */
ALWAYS_INLINE void arms(uint kind, double radius_a, double radius_b, struct carom_meeting *m)
{
    const struct carom_meet_balls balls = {.radius = {radius_a, radius_b}};
    if (kind == BALLS) {
        carom_meet_arms(&balls, m);
        return;
    }
    const int ball = kind == WALL_FIRST;
    for (int k = 0; k < 3; k++) {
        const double normal = kind == WALL_SECOND ? -m->normal[k] : m->normal[k];
        m->arm[ball][k] = -normal * ((ball ? radius_b : radius_a) + m->gap);
        m->arm[!ball][k] = 0.0;
    }
}

/* bodies at ua and ub; false: they have run into each other */
ALWAYS_INLINE bool meet(uint kind, double4 centres, double rest, double4 ua, double4 ub, struct carom_meeting *m)
{
    const double du[3] = {ub.x - ua.x, ub.y - ua.y, ub.z - ua.z};
    if (kind == BALLS) {
        const struct carom_meet_balls balls = {
            .apart = {centres.x, centres.y, centres.z}, .length = centres.w, .gap = rest, .radius = {ua.w, ub.w}};
        return carom_meet_moved(&balls, du, m);
    }
    m->normal[0] = centres.x;
    m->normal[1] = centres.y;
    m->normal[2] = centres.z;
    m->gap = rest + carom_vec_dot(m->normal, du); /* from a to b, as the normal: its sign does not matter */
    arms(kind, ua.w, ub.w, m);
    return m->gap > -(kind == WALL_FIRST ? ub.w : ua.w);
}

#if RUBS

/* where springs of a way begin, and what it has lost */
ALWAYS_INLINE size_t spring_at(int way)
{
    return LOSSES + (way > SLIDING ? SLIDES : 0) + (way > ROLLING ? ROLLS : 0);
}

ALWAYS_INLINE int lost_at(int way)
{
    return way == SLIDING ? 1 : way == ROLLING ? LOST_ROLLING : LOST_TWISTING;
}

/* the spring of contact j at overlaps d0 and d1, see law/mindlin.c and law/cundall_strack.c */
ALWAYS_INLINE struct carom_friction_spring spring_law(struct rubbing rub, double k, double gamma, double d0, double d1)
{
    struct carom_friction_spring f;
    f.mu = f.mu_static = rub.mu;
    f.gamma = gamma;
    f.form = rub.always ? CAROM_FORM_FORCE : rub.follows ? CAROM_FORM_RESCALED : CAROM_FORM_SPRING;
    f.stiffness[0] = !(d0 > 0.0) ? 0.0 : rub.hertzian ? k * sqrt(d0) : k;
    f.stiffness[1] = !(d1 > 0.0) ? 0.0 : rub.hertzian ? k * sqrt(d1) : k;
    f.mean = rub.hertzian ? carom_spring_mean_of_roots(f.stiffness[0], f.stiffness[1])
                           : 0.5 * (f.stiffness[0] + f.stiffness[1]);
    return f;
}

ALWAYS_INLINE double bearable(const struct carom_friction_spring f, double k, double step, double mobility)
{
    return carom_kernel_damper(k * f.gamma, step, mobility);
}

/* what a spring gives to b at a moment */
ALWAYS_INLINE void spring_moment(const struct carom_friction_spring f, double damper, double pressed, size_t width,
                                 const double spring[3], const double slip[3], double force[3])
{
    const double normal = pressed > 0.0 ? pressed : 0.0, cone = f.mu * normal, k = f.stiffness[0];
    const double square = carom_vec_product(width, spring, spring);
    if (carom_spring_is_below(k * k * square, cone)) {
        carom_spring_hold(k, damper, cone, width, spring, slip, force);
    } else {
        struct carom_spring_pull pull;
        carom_spring_pull_of(k, damper, cone, width, spring, slip, square, carom_spring_slips(k, square, cone), 0.0,
                             &pull);
        carom_spring_shorten(pull.force, width, cone);
        for (size_t i = 0; i < width; i++)
            force[i] = pull.force[i];
    }
    for (size_t i = 0; i < width; i++)
        force[i] = -force[i];
}

/* how fast a contact gives way with these velocities, as carom_meet_way */
ALWAYS_INLINE void past(int way, double lever, const double va[6], const double vb[6], const struct carom_meeting *m,
                        double slip[3])
{
    double vector[3];
    if (way == SLIDING) {
        carom_meet_pass(PLANE, va, vb, m, vector);
        carom_meet_tangential(PLANE, m, vector, slip);
        return;
    }
    const double twist = carom_meet_rolling(PLANE, lever, va, vb, m, vector);
    if (way == TWISTING)
        slip[0] = twist;
    else if (PLANE)
        slip[0] = vector[2];
    else
        carom_meet_tangential(false, m, vector, slip);
}

/* What a contact gives to b in one way at a moment. `way` and `width` are known to the compiler. */
ALWAYS_INLINE void resist(int way, size_t width, struct stride s, struct rubbing rub, __global const double *made,
                          size_t j, double deform, double pressed, const double va[6], const double vb[6],
                          const struct carom_meeting *m, __global const double *kept, double on_b[3])
{
    const double k = number_of(made, s.nc, j, way, STIFFNESS), moves = number_of(made, s.nc, j, way, MOBILITY);
    double slip[3], spring[3];
    if (width == 0 || rub.rubs == FREE)
        return;
    past(way, lever_of(made, s.nc, j), va, vb, m, slip);
    if (rub.rubs == SMOOTH) {
        double square = 0.0;
        for (size_t i = 0; i < width; i++)
            square += slip[i] * slip[i];
        const double drag = carom_spring_none(rub.mu, k, pressed, sqrt(square), s.step, moves);
        for (size_t i = 0; i < width; i++)
            on_b[i] = -drag * slip[i];
        return;
    }
    const struct carom_friction_spring f =
        spring_law(rub, k, number_of(made, s.nc, j, way, VISCOUS), deform, deform);
    for (size_t i = 0; i < width; i++)
        spring[i] = kept[(spring_at(way) + i) * s.nc + j];
    spring_moment(f, bearable(f, f.stiffness[0], s.step, moves), pressed, width, spring, slip, on_b);
}

/* A contact over a step: where its bodies are at both ends, and its normal forces there. */
struct passage {
    double va[6], vb[6], normal0, normal1;
    struct carom_meeting start, end;
    uint kind;
};

/* Springs, and what was given at the start, go along with the contact's plane. */
ALWAYS_INLINE void carry_along(const struct passage *p, double h, double way[3], double spring[3], double force0[3])
{
    double level[3];
    struct carom_turning turning;
    carom_meet_tangential(false, &p->end, way, level);
    for (int k = 0; k < 3; k++)
        way[k] = level[k];
    carom_turning_between(p->start.normal, p->end.normal,
                          carom_turning_twist(p->end.normal, p->va + 3, (p->kind & FIRST_TURNS) != 0, p->vb + 3,
                                              (p->kind & SECOND_TURNS) != 0, h),
                          &turning);
    carom_turning_carry(&turning, spring);
    carom_turning_carry(&turning, force0);
}

/* The second kick on b in one way, its spring at the end, and what is lost. */
ALWAYS_INLINE void resist_over(int way, size_t width, struct stride s, struct rubbing rub, __global const double *made,
                               size_t j, const struct passage *p, double4 given, __global const double *kept,
                               double on_b[3], double springs[MOST_SPRINGS], double lost[MOST_LOSSES])
{
    const double k = number_of(made, s.nc, j, way, STIFFNESS), moves = number_of(made, s.nc, j, way, MOBILITY);
    const double h = s.h, lever = lever_of(made, s.nc, j), d0 = -p->start.gap, d1 = -p->end.gap;
    double early[3], late[3], slid[3], spring[3] = {0.0, 0.0, 0.0}, force0[3] = {given.x, given.y, given.z};
    if (width == 0 || rub.rubs == FREE)
        return;
    past(way, lever, p->va, p->vb, &p->start, early);
    past(way, lever, p->va, p->vb, &p->end, late);
    const double part = d0 > 0.0 ? d1 > 0.0 ? 1.0 : d0 / (d0 - d1) : d1 / (d1 - d0);
    for (size_t i = 0; i < width; i++)
        slid[i] = 0.5 * h * part * (early[i] + late[i]);
    for (size_t i = 0; i < width && rub.rubs == SPRING; i++)
        spring[i] = kept[(spring_at(way) + i) * s.nc + j];
    if (width == 3)
        carry_along(p, h, slid, spring, force0);
    struct carom_spring_step step;
    if (rub.rubs == SMOOTH) {
        double square = 0.0;
        for (size_t i = 0; i < width; i++)
            square += slid[i] * slid[i];
        const double speed = sqrt(square) / h;
        const double mean = 0.5 * (carom_spring_none(rub.mu, k, d0 > 0.0 ? p->normal0 : 0.0, speed, s.step, moves) +
                                   carom_spring_none(rub.mu, k, d1 > 0.0 ? p->normal1 : 0.0, speed, s.step, moves));
        for (size_t i = 0; i < width; i++) {
            step.impulse[i] = -mean * slid[i];
            step.after[i] = 0.0;
        }
        step.change = 0.0;
        step.lost = mean * square / h;
    } else {
        const struct carom_friction_spring f = spring_law(rub, k, number_of(made, s.nc, j, way, VISCOUS), d0, d1);
        const double last = fmax(p->normal1, 0.0),
                     damper[2] = {bearable(f, f.mean, s.step, moves), bearable(f, f.stiffness[1], s.step, moves)};
        carom_spring_step_of(&f, h, width, spring, slid, force0, damper, d1 > 0.0 && last > 0.0,
                             fmax(p->normal0, 0.0), last, 1.0, false, &step);
    }
    for (size_t i = 0; i < width; i++) {
        on_b[i] = step.impulse[i] - 0.5 * h * force0[i]; /* what the first kick has given */
        springs[spring_at(way) - LOSSES + i] = step.after[i];
    }
    lost[lost_at(way)] += step.lost;
    lost[LOST_CHANGE] += step.change;
}

/* what a contact gives to b across its normal, as a vector of space */
ALWAYS_INLINE struct carom_lane3 across(const struct carom_meeting *m, const double on_b[3])
{
    if (PLANE)
        return (struct carom_lane3){-m->normal[1] * on_b[0], m->normal[0] * on_b[0], 0.0};
    return (struct carom_lane3){on_b[0], on_b[1], on_b[2]};
}

/* what turns both: forces across the normal at their arms, and what resists to rolling and twisting */
ALWAYS_INLINE void give_torques(__global double4 *torque, size_t j, const struct carom_meeting *m,
                                struct carom_lane3 aside, double lever, const double roll[3], double twist)
{
    const double force[3] = {aside.x, aside.y, aside.z}, about = lever * twist;
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] = about * m->normal[k];
    for (int k = 0; k < ROLLS; k++)
        own[ROLLS == 1 ? 2 : k] += lever * roll[k];
    for (int side = 0; side < 2; side++) {
        double turn[3];
        carom_vec_cross(m->arm[side], force, turn);
        torque[2 * j + side] = (double4)(turn[0] + own[0], turn[1] + own[1], turn[2] + own[2], 0.0);
    }
}

#endif
#endif

/* --- the start of a step ------------------------------------------------------------------------------------------ */

/* nothing is given at first */
__kernel void hush(struct stride s, __global double *rates, __global double4 *push, __global double4 *torque,
                   __global double4 *friction_loss, __global double4 *resisted)
{
    const size_t j = get_global_id(0);
    if (j >= s.nc)
        return;
    if (ROLLS + TWISTS > 0)
        resisted[j] = (double4)(0.0);
    rates[j] = 0.0;
    push[j] = (double4)(0.0);
    if (RUBS)
        torque[2 * j] = torque[2 * j + 1] = friction_loss[j] = (double4)(0.0);
}

/* what a contact gives: along its normal to b, across it to a */
ALWAYS_INLINE void give(__global double4 *push, __global double4 *torque, size_t j, struct carom_lane3 normal,
                        double along, struct carom_lane3 aside, const double arm[2], bool rubs)
{
    struct carom_lane3 force = carom_lane_times(along, normal);
#if RUBS
    const struct carom_lane3 turn = carom_ball_friction_torque(normal, aside, PLANE);
    if (rubs) {
        force = carom_lane_less(force, aside);
        torque[2 * j] = four(carom_lane_times(-arm[0], turn), 0.0);
        torque[2 * j + 1] = four(carom_lane_times(arm[1], turn), 0.0);
    }
#endif
    push[j] = four(force, 0.0);
}

__kernel void press(struct stride s, __global int *marks, __global const struct pair *pairs,
                    __global const double *made, __global const struct rubbing *rubbing,
                    __global const double2 *weights, __global const double4 *u, __global const double4 *v,
                    __global const double4 *w, __global double4 *now, __global const double *deforms,
                    __global double *rates, __global double4 *push, __global double4 *torque,
                    __global double4 *friction_loss, __global double4 *resisted, __global const uchar *live,
                    __global const double *kept)
{
    const size_t j = get_global_id(0);
    if (marks[HALT] || j >= s.nc || live[j] == OPEN)
        return;
    const double deform = deforms[j];
    if (live[j] == STALE || !(deform > 0.0)) {
        push[j] = (double4)(0.0);
        if (RUBS)
            torque[2 * j] = torque[2 * j + 1] = (double4)(0.0);
        return;
    }
    const struct pair pair = pairs[j];
    const struct law law = law_of(made, s.nc, j);
    const double4 normal = now[j];
    double along, rate, arm[2] = {0.0, 0.0};
    struct carom_lane3 aside = {0.0, 0.0, 0.0};
    bool rubs = false;
#if APART
    const uint kind = pair.kind & KIND;
    if (kind != LANES) {
        struct carom_meeting m = {.gap = -deform, .normal = {normal.x, normal.y, normal.z}};
        double va[6], vb[6], vector[3];
        arms(kind, u[pair.a].w, u[pair.b].w, &m);
        velocity(v[pair.a], w[pair.a], va);
        velocity(v[pair.b], w[pair.b], vb);
        rate = -carom_meet_pass(PLANE, va, vb, &m, vector);
        along = elastic_of(law, deform) + drag_of(law, deform) * rate;
        struct carom_lane3 force = carom_lane_times(along, three(normal));
#if RUBS
        __global const struct rubbing *rub = rubbing + WAYS * pair.pairing;
        double slide[3] = {0.0, 0.0, 0.0}, roll[3] = {0.0, 0.0, 0.0}, twist[3] = {0.0, 0.0, 0.0};
        resist(SLIDING, SLIDES, s, rub[SLIDING], made, j, deform, along, va, vb, &m, kept, slide);
        resist(ROLLING, ROLLS, s, rub[ROLLING], made, j, deform, along, va, vb, &m, kept, roll);
        resist(TWISTING, TWISTS, s, rub[TWISTING], made, j, deform, along, va, vb, &m, kept, twist);
        friction_loss[j] = (double4)(slide[0], slide[1], slide[2], 0.0);
        if (ROLLS + TWISTS > 0)
            resisted[j] = (double4)(roll[0], roll[1], roll[2], twist[0]);
        force = carom_lane_add(force, across(&m, slide));
        give_torques(torque, j, &m, across(&m, slide), lever_of(made, s.nc, j), roll, twist[0]);
#endif
        rates[j] = rate;
        push[j] = four(force, 0.0);
        return;
    }
#endif
    {
        const struct carom_lane3 fly = three(v[pair.b] - v[pair.a]), n = three(normal);
        rate = -carom_ball_dot(fly, n, PLANE);
        const double root = fabs(normal.w); /* a step that is taken again finds its own mark there */
        along = carom_ball_press(law.k, law.gamma, root, deform, rate);
#if RUBS
        const struct rubbing rub = rubbing[WAYS * pair.pairing + SLIDING];
        rubs = rub.rubs;
        if (rubs) {
            const struct carom_ball_friction_law friction = rub_law(rub);
            const double radius_a = u[pair.a].w, radius_b = u[pair.b].w;
            const struct carom_lane3 spin[2] = {three(w[pair.a]), three(w[pair.b])};
            arm[0] = radius_a - 0.5 * deform;
            arm[1] = radius_b - 0.5 * deform;
            const double k =
                carom_ball_friction_stiffness(&friction, number_of(made, s.nc, j, SLIDING, STIFFNESS), root);
            const double damper = carom_kernel_damper(k * number_of(made, s.nc, j, SLIDING, VISCOUS), s.step,
                                                   mobility(radius_a, weights[pair.a], radius_b, weights[pair.b]));
            const struct carom_lane3 slip = carom_ball_friction_slip(fly, rate, n, spin, arm, PLANE);
            struct carom_lane3 last;
            int at_cone;
            aside = carom_ball_friction_press(k, damper, rub.mu, slip, spring_of(kept, s.nc, j, n), along, PLANE, &last,
                                    &at_cone);
            friction_loss[j] = four(last, 0.0);
            if (at_cone)
                now[j].w = -root;
        }
#endif
    }
    rates[j] = rate;
    give(push, torque, j, three(normal), along, aside, arm, rubs);
}

/* --- bodies ------------------------------------------------------------------------------------------------------- */

/* What contacts give to body i: group after group, as the processor's blocks add it up (verlet_guests.c). Entries are
 * four times a contact, and 2 where a group begins, and 1 where the body is its second. */
struct given {
    double4 force, torque;
};

ALWAYS_INLINE struct given given_to(size_t i, __global const uint *first, __global const uint *entries,
                                    __global const double4 *push, __global const double4 *torque)
{
    struct given sum = {(double4)(0.0), (double4)(0.0)}, some = sum;
    for (uint e = first[i]; e < first[i + 1]; e++) {
        const uint entry = entries[e], j = entry >> 2, side = entry & 1;
        const double4 force = push[j];
        if (entry & 2) {
            sum.force += some.force;
            some.force = (double4)(0.0);
        }
        some.force += side ? force : -force;
#if RUBS
        const double4 turn = torque[2 * (size_t)j + side];
        if (entry & 2) {
            sum.torque += some.torque;
            some.torque = (double4)(0.0);
        }
        some.torque += side ? turn : -turn;
#endif
    }
    sum.force += some.force;
    sum.torque += some.torque;
    return sum;
}

/* what forces and gravity make of a velocity in half a step, and of a spin; weight: 1 / mass and 1 / inertia */
ALWAYS_INLINE double4 kicked(struct stride s, double scale, double2 weight, double4 force, double4 v)
{
    const double later = 0.5 * s.h, x = weight.x;
    const bool falls = x > 0.0;
    return (double4)(v.x + (scale * x * force.x + (falls ? later * s.gravity[0] : 0.0)),
                     v.y + (scale * x * force.y + (falls ? later * s.gravity[1] : 0.0)),
                     PLANE ? 0.0 : v.z + (scale * x * force.z + (falls ? later * s.gravity[2] : 0.0)), 0.0);
}

ALWAYS_INLINE double4 spun(double scale, double2 weight, double4 torque, double4 w)
{
    const double turn = weight.y;
    if (PLANE)
        return (double4)(0.0, 0.0, w.z + scale * turn * torque.z, 0.0);
    return (double4)(w.x + (scale * turn * torque.x + 0.0), w.y + scale * turn * torque.y,
                     w.z + scale * turn * torque.z, 0.0);
}

/* carom_move_turned, of slight turns; false: it is not */
ALWAYS_INLINE bool turned(double4 by, double4 from, double4 *to)
{
    const double vector[3] = {by.x, by.y, by.z}, q[4] = {from.x, from.y, from.z, from.w};
    const double square = 0.25 * carom_vec_dot(vector, vector);
    double turn[4], out[4], length = 0.0;
    carom_quat_slight(vector, square, turn);
    carom_quat_product(turn, q, out);
    for (int k = 0; k < 4; k++)
        length += out[k] * out[k];
    const double unit = 1.5 - 0.5 * length;
    *to = (double4)(out[0] * unit, out[1] * unit, out[2] * unit, out[3] * unit);
    return square < CAROM_QUAT_SLIGHT && fabs(length - 1.0) < 1e-9;
}

/* the square of the largest speed (or way), rounded up, which few places are the first to tell */
ALWAYS_INLINE void tell_speed(__global int *marks, double square)
{
    const int bits = as_int(convert_float_rtp(square));
    if (bits > marks[SPEED])
        atomic_max(&marks[SPEED], bits);
}

__kernel void drift(struct stride s, __global int *marks, __global const double2 *weights,
                    __global const uint *first, __global const uint *entries, __global const double4 *push,
                    __global const double4 *torque, __global const double4 *u0, __global const double4 *v0, __global const double4 *w0,
                    __global const double4 *turn0, __global double4 *u1, __global double4 *v1, __global double4 *w1,
                    __global double4 *turn1)
{
    const size_t i = get_global_id(0);
    if (marks[HALT] || i >= s.n)
        return;
    const double later = 0.5 * s.h;
    const struct given given = given_to(i, first, entries, push, torque);
    const double4 u = u0[i], v = kicked(s, later, weights[i], given.force, v0[i]);
    const double4 w = spun(later, weights[i], given.torque, w0[i]);
    const double4 to = (double4)(u.x + s.h * v.x, u.y + s.h * v.y, PLANE ? 0.0 : u.z + s.h * v.z, u.w);
    const double square = carom_ball_dot(three(v), three(v), PLANE);
    double4 turn = turn0[i];
    if (PLANE)
        turn.x = turn.x + s.h * w.z;
    else if (!turned((double4)(s.h * w.x, s.h * w.y, s.h * w.z, 0.0), turn, &turn))
        marks[WRONG] = 1;
    u1[i] = to;
    v1[i] = v;
    w1[i] = w;
    turn1[i] = turn;
    if (!(square < INFINITY))
        marks[WRONG] = 1;
    else
        tell_speed(marks, square);
    if (fabs(to.x) > s.edge || fabs(to.y) > s.edge || (!PLANE && fabs(to.z) > s.edge))
        marks[FAR] = 1;
}

__kernel void finish(struct stride s, __global int *marks, __global const double2 *weights,
                     __global const uint *first, __global const uint *entries, __global const double4 *push,
                     __global const double4 *torque, __global double4 *v1, __global double4 *w1)
{
    const size_t i = get_global_id(0);
    if (marks[HALT] || i >= s.n)
        return;
    const struct given given = given_to(i, first, entries, push, torque);
    const double4 v = kicked(s, 1.0, weights[i], given.force, v1[i]);
    const double4 w = spun(1.0, weights[i], given.torque, w1[i]);
    v1[i] = v;
    w1[i] = w;
    if (!(0.0 * v.x + 0.0 * v.y + 0.0 * v.z + 0.0 * w.x + 0.0 * w.y + 0.0 * w.z == 0.0))
        marks[WRONG] = 1;
}

/* --- the account -------------------------------------------------------------------------------------------------- */

/* after the drift: has anybody come so far that others may be near who are not in the list? pace: how far bodies may
 * still go, and how far the fastest went in this step */
__kernel void reckon(struct stride s, __global int *marks, __global double *pace)
{
    if (get_global_id(0) > 0 || marks[HALT])
        return;
    const double square = marks[SPEED] > 0 ? fmax((double)as_float(marks[SPEED]), 1.2e-38) : 0.0;
    pace[1] = s.h * sqrt(square) * (1.0 + 1e-12);
    pace[0] -= pace[1];
    marks[SPEED] = 0;
    marks[SWITCHED] = 0;
    if (!(pace[0] > 0.0) || marks[WRONG]) {
        marks[FAR] = 0; /* the step is taken again */
        marks[HALT] = 1;
    }
}

/* the way of the body that has gone farthest since it was at `start`, its square where speeds are told */
__kernel void look(struct stride s, __global int *marks, __global const double4 *start, __global const double4 *u)
{
    const size_t i = get_global_id(0);
    if (i >= s.n)
        return;
    const struct carom_lane3 way = three(u[i] - start[i]);
    tell_speed(marks, carom_ball_dot(way, way, PLANE));
}

__kernel void conclude(struct stride s, __global int *marks)
{
    if (get_global_id(0) > 0 || marks[HALT])
        return;
    marks[DONE]++;
    if (marks[WRONG] || marks[FAR] || marks[LOGGED] > (int)(s.room / 2))
        marks[HALT] = 1;
}

/* --- the end of a step -------------------------------------------------------------------------------------------- */

/* two balls in lanes at the end of the step; false: they are apart for certain */
ALWAYS_INLINE bool come(struct stride s, double4 centres, double rest, double4 ua, double4 ub, bool touch,
                        struct carom_ball_few *f)
{
    const double sum = ua.w + ub.w, reach = sum + 1e-9 * (sum + s.far);
    f->length = centres.w;
    f->rest = rest;
    carom_ball_approach(three(centres), three(ub - ua), PLANE, f);
    if (!touch && carom_ball_dot(f->normal, f->normal, PLANE) > reach * reach)
        return false;
    carom_ball_meet(PLANE, f);
    return true;
}

/* the start of a step of those that begin to touch in it */
ALWAYS_INLINE void begin(double4 centres, double rest, double4 ua, double4 ub, struct carom_ball_few *f)
{
    struct carom_ball_few start;
    start.length = centres.w;
    start.rest = rest;
    carom_ball_approach(three(centres), three(ub - ua), PLANE, &start);
    carom_ball_meet(PLANE, &start);
    f->normal0 = start.normal;
    f->deform0 = start.deform;
    f->root0 = start.root;
    f->rate = 0.0;
}

/* what is told of a contact: has it opened or closed, is it pressed too deep? */
ALWAYS_INLINE void note(__global int *marks, double deform0, double deform1, double radius)
{
    if ((deform0 > 0.0) != (deform1 > 0.0))
        marks[SWITCHED] = 1;
    if (deform1 > 0.1 * radius)
        marks[DEEP] = 1;
}

/* a contact has ended in this step, and what it lost is no longer its own: the host books it, in order */
ALWAYS_INLINE void retire(struct stride s, __global int *marks, __global uint2 *log, __global double *logged, size_t j,
                          const double lost[MOST_LOSSES])
{
    bool any = false;
    for (int k = 0; k < LOSSES; k++)
        any |= lost[k] != 0.0;
    if (!any)
        return;
    const uint at = (uint)atomic_inc(&marks[LOGGED]);
    if (at >= s.room) {
        marks[WRONG] = 1;
        return;
    }
    log[at] = (uint2)((uint)marks[DONE], (uint)j);
    for (int k = 0; k < LOSSES; k++)
        logged[LOSSES * (size_t)at + k] = lost[k];
}

ALWAYS_INLINE void lost_before(size_t nc, size_t j, __global const double *kept, double lost[MOST_LOSSES])
{
    for (int k = 0; k < LOSSES; k++)
        lost[k] = kept[k * nc + j];
}

__kernel void kick(struct stride s, __global int *marks, __global const struct pair *pairs,
                   __global const double4 *centres, __global const double *rests, __global const double *made,
                   __global const struct rubbing *rubbing, __global const double2 *weights, __global const double4 *u0,
                   __global const double4 *u1, __global const double4 *v1, __global const double4 *w1,
                   __global double4 *now, __global double *deforms, __global const double *rates,
                   __global double4 *push, __global double4 *torque, __global const double4 *friction_loss,
                   __global const double4 *resisted, __global uchar *live, __global const double *kept0,
                   __global double *kept1, __global uint2 *log, __global double *logged)
{
    const size_t j = get_global_id(0);
    if (marks[HALT] || j >= s.nc)
        return;
    const uchar was = live[j];
    const bool touch = was == CLOSED;
    if (was == STALE) { /* what the state before the last remembers is over */
        for (int k = 0; k < KEPT; k++)
            kept1[k * s.nc + j] = 0.0;
        live[j] = OPEN;
    }
    const struct pair pair = pairs[j];
    const double4 ua = u1[pair.a], ub = u1[pair.b];
    const double h = s.h;
    struct carom_ball_few f;
    struct carom_lane3 aside = {0.0, 0.0, 0.0};
    double along = 0.0, lost[MOST_LOSSES] = {0.0}, springs[MOST_SPRINGS] = {0.0}, arm[2] = {0.0, 0.0}, radius;
    bool rubs = false;
#if APART
    const uint kind = pair.kind & KIND;
    struct carom_meeting m;
    if (kind != LANES) {
        const bool good = meet(kind, centres[j], rests[j], ua, ub, &m);
        if (!touch && !(m.gap < 0.0))
            return;
        if (!good)
            marks[WRONG] = 1;
        struct carom_meeting start;
        double rate = 0.0;
        if (touch) {
            const double4 last = now[j];
            start.gap = -deforms[j];
            start.normal[0] = last.x;
            start.normal[1] = last.y;
            start.normal[2] = last.z;
            arms(kind, ua.w, ub.w, &start);
            rate = rates[j];
        } else {
            meet(kind, centres[j], rests[j], u0[pair.a], u0[pair.b], &start);
        }
        f.deform0 = -start.gap;
        f.deform = -m.gap;
        f.root = 0.0;
        f.normal = normal_of(&m);
        lost_before(s.nc, j, kept0, lost);
        if (f.deform0 > 0.0 || f.deform > 0.0) {
            const struct law law = law_of(made, s.nc, j);
            const double elastic = elastic_of(law, f.deform), drag0 = drag_of(law, f.deform0);
            const double damper = viscous_of(law, f.deform) - viscous_of(law, f.deform0);
            along = 0.5 * h * elastic + damper - 0.5 * h * drag0 * rate;
            lost[0] += (f.deform - f.deform0) / h * damper;
#if RUBS
            __global const struct rubbing *rub = rubbing + WAYS * pair.pairing;
            const double mean = (f.deform - f.deform0) / h, rate1 = f.deform0 > 0.0 ? 2.0 * mean - rate : mean;
            const double4 given = touch ? friction_loss[j] : (double4)(0.0),
                          turns = ROLLS + TWISTS > 0 && touch ? resisted[j] : (double4)(0.0);
            double slide[3] = {0.0, 0.0, 0.0}, roll[3] = {0.0, 0.0, 0.0}, twist[3] = {0.0, 0.0, 0.0};
            struct passage p;
            velocity(v1[pair.a], w1[pair.a], p.va);
            velocity(v1[pair.b], w1[pair.b], p.vb);
            p.normal0 = f.deform0 > 0.0 ? elastic_of(law, f.deform0) + drag0 * rate : 0.0;
            p.normal1 = f.deform > 0.0 ? elastic + drag_of(law, f.deform) * rate1 : 0.0;
            p.start = start;
            p.end = m;
            p.kind = pair.kind;
            resist_over(SLIDING, SLIDES, s, rub[SLIDING], made, j, &p, given, kept0, slide, springs, lost);
            resist_over(ROLLING, ROLLS, s, rub[ROLLING], made, j, &p, turns, kept0, roll, springs, lost);
            resist_over(TWISTING, TWISTS, s, rub[TWISTING], made, j, &p, turns.wwww, kept0, twist, springs, lost);
            aside = across(&m, slide);
            give_torques(torque, j, &m, aside, lever_of(made, s.nc, j), roll, twist[0]);
            aside = carom_lane_times(-1.0, aside); /* on a */
#endif
        }
        radius = kind == BALLS ? fmin(ua.w, ub.w) : kind == WALL_FIRST ? ub.w : ua.w;
    } else
#endif
    {
        if (!come(s, centres[j], rests[j], ua, ub, touch, &f) || (!touch && !(f.deform > 0.0)))
            return;
        if (touch) {
            const double4 start = now[j];
            f.normal0 = three(start);
            f.root0 = start.w;
            f.deform0 = deforms[j];
            f.rate = rates[j];
        } else {
            begin(centres[j], rests[j], u0[pair.a], u0[pair.b], &f);
        }
        const struct law law = law_of(made, s.nc, j);
        double pressed, damped, rubbed = 0.0, change = 0.0;
        along = carom_ball_kick(law.k, law.gamma, h, &f, &pressed, &damped);
#if RUBS
        const struct rubbing rub = rubbing[WAYS * pair.pairing + SLIDING];
        rubs = rub.rubs;
        if (rubs) {
            const struct carom_ball_friction_law friction = rub_law(rub);
            const double moves = mobility(ua.w, weights[pair.a], ub.w, weights[pair.b]);
            const double gamma_t = number_of(made, s.nc, j, SLIDING, VISCOUS);
            struct carom_coulomb over;
            f.radius[0] = ua.w;
            f.radius[1] = ub.w;
            f.fly = three(v1[pair.b] - v1[pair.a]);
            f.spin[0] = three(w1[pair.a]);
            f.spin[1] = three(w1[pair.b]);
            f.given = touch ? three(friction_loss[j]) : aside;
            f.spring = spring_of(kept0, s.nc, j, f.normal0);
            carom_ball_friction_slide(&f, h, PLANE, &over);
            carom_ball_friction_read(&friction, number_of(made, s.nc, j, SLIDING, STIFFNESS), &f, pressed, &over);
            over.damper = carom_kernel_damper(over.mean * gamma_t, s.step, moves);
            over.late = carom_kernel_damper(over.k1 * gamma_t, s.step, moves);
            carom_ball_friction_stretch(f.root0, 1.0 / h, PLANE, &over);
            aside = carom_ball_friction_kick(&f, h, PLANE, &over, &rubbed, &change);
            springs[0] = PLANE ? f.normal.x * over.after.y - f.normal.y * over.after.x : over.after.x;
            springs[1] = over.after.y;
            springs[2] = over.after.z;
            arm[0] = ua.w - 0.5 * f.deform;
            arm[1] = ub.w - 0.5 * f.deform;
        }
#endif
        lost_before(s.nc, j, kept0, lost);
        lost[0] += damped;
        lost[1] += rubbed;
        lost[LOST_CHANGE] += change;
        radius = fmin(ua.w, ub.w);
        if (!(ua.w + ub.w - f.deform > 0.1 * (ua.w + ub.w)))
            marks[WRONG] = 1;
    }
    const bool ends = !(f.deform > 0.0);
    note(marks, f.deform0, f.deform, radius);
    now[j] = four(f.normal, f.root);
    deforms[j] = f.deform;
#if APART
    if (kind != LANES)
        push[j] = four(carom_lane_less(carom_lane_times(along, f.normal), aside), 0.0);
    else
#endif
        give(push, torque, j, f.normal, along, aside, arm, rubs);
    live[j] = ends ? STALE : CLOSED;
    if (ends)
        retire(s, marks, log, logged, j, lost);
    for (int k = 0; k < LOSSES; k++)
        kept1[k * s.nc + j] = ends ? 0.0 : lost[k];
    for (int k = 0; k < SPRINGS; k++)
        kept1[(LOSSES + k) * s.nc + j] = ends ? 0.0 : springs[k];
}
