/* How a free group of beads moves between events: s'' = a - w^2 s from s = 0 with speed v, a parabola (w = 0) or an
 * oscillation, in closed form; and when the gap between two such groups closes. */
#ifndef CAROM_SCHEME_RIGID_EVENT_MOTION_H
#define CAROM_SCHEME_RIGID_EVENT_MOTION_H

struct carom_event_motion {
    double v, a, w; /* speed and acceleration at the start, angular frequency */
};

/* s and s' after t. */
double carom_event_motion_place(const struct carom_event_motion *m, double t);
double carom_event_motion_speed(const struct carom_event_motion *m, double t);

/* A gap y0 >= 0 with rate r and second derivative a at the start, between two groups: y = y0 + s_right - s_left. */
struct carom_event_gap {
    double y0, r, a;
    struct carom_event_motion left, right;
};

/* The first t in (0, limit) at which the gap has come down to 0, or HUGE_VAL. A gap that begins at 0 is taken to open:
 * its beginning is no such time. r and a decide how it begins; those of left and right may differ by rounding. */
double carom_event_motion_meet(const struct carom_event_gap *gap, double limit);

#endif
