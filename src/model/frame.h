/* A set of contacts at one configuration: their directions G, gaps and drifts, and the matrix W = G^T M^-1 G that
 * says how impulses change gap rates,
 *
 *     gap rate = G^T v + drift,   v after = v before + M^-1 G impulse,   rate after = rate before + W impulse.
 *
 * In a chain W is tridiagonal and kept as such (O(n)); otherwise it is dense. Bilateral constraints of parts are
 * inside M^-1 (a part's `mass_solve` respects them), so impacts need not know them. */
#ifndef CAROM_MODEL_FRAME_H
#define CAROM_MODEL_FRAME_H

#include "carom/state.h"

struct carom_frame {
    const struct carom_model *model;
    bool chain;       /* W is tridiagonal: `diagonal`, `beside`; else `matrix` */
    size_t n, room;   /* contacts in the set; how many it has room for */
    size_t *contact;  /* n: numbers of the contacts, rising */
    double *gap;      /* n: y */
    double *drift;    /* n: partial derivative of y in t */
    double *diagonal; /* n: W[i][i], also if dense */
    double *beside;   /* n - 1: W[i][i+1]; 0 where the contacts are no neighbours; only for chains */
    double *matrix;   /* n x n, row by row; NULL for chains */
    /* Models with friction only: how contacts slip. Slip rate = T^T v + slide, v after = ... + M^-1 T friction. All
     * that is of slips has one number a contact in the plane and two in space, where it slips in a plane. */
    size_t tangents;   /* 1 or 2 */
    bool *slips;       /* n: has the contact a direction to slip in? */
    double *slide;     /* partial derivative of the slip in t */
    double *both;      /* W of each normal and the tangents that follow it; a lone number where no tangent is */
    double (*axes)[6]; /* n, in space: the two tangents as vectors */
    void *own;         /* rows of G and answers M^-1 G of general models; NULL for chains */
};

/* Makes room for sets of up to `room` contacts of a model. Nothing is allocated afterwards. */
enum carom_status carom_frame_open(struct carom_frame *frame, const struct carom_model *model, size_t room,
                                   struct carom_error *error);
void carom_frame_close(struct carom_frame *frame);

/* Sets the frame up at (t, q) for `n` contacts, numbers rising. Fails with a sentence naming the contact if a
 * direction is zero or not finite or the mass singular. */
enum carom_status carom_frame_set(struct carom_frame *frame, double t, const double *q, const size_t *contact, size_t n,
                                  struct carom_error *error);

/* Contacts that no model lists, of bodies with three velocities each: for as long as it lasts, a set of them is a frame
 * like others, whose model has one part with the velocities of these bodies. Contact i of the set is number i. */
struct carom_frame_link {
    size_t body[2];    /* a and b, from 0; CAROM_FRAME_FIXED: impulses do not move it */
    double normal[3];  /* from a to b */
    double inverse[2]; /* masses */
    double gap, drift; /* as above: the part of the rate that comes from what is led */
};
#define CAROM_FRAME_FIXED SIZE_MAX

enum carom_status carom_frame_links_open(struct carom_frame *frame, size_t room, struct carom_error *error);

/* Sets the frame up for n links among so many bodies; W needs a positive mass at one side of each. */
void carom_frame_links_set(struct carom_frame *frame, size_t bodies, const struct carom_frame_link *link, size_t n);

/* The number of contact j in scenes and tables, see contact_number.h. */
size_t carom_frame_number(const struct carom_model *model, size_t j);

/* And in words: "contact 12 (bodies 1 and 2, corner 3)", or "contact 12" alone where contacts are no places of
 * bodies. */
enum { CAROM_FRAME_TOLD = 120 };
const char *carom_frame_tell(const struct carom_model *model, size_t j, char text[CAROM_FRAME_TOLD]);

/* Says which equation of the parts is at fault where numbers at (t, q, v) are not finite, or else that the motion is
 * not finite. Always an error. */
enum carom_status carom_frame_explain(const struct carom_model *model, double t, const double *q, const double *v,
                                      struct carom_error *error);

/* rate[i] = gap rate of contact i of the set. */
void carom_frame_rates(const struct carom_frame *frame, const double *v, double *rate);

/* work[part] -= drift . impulse: the work of ports that move by themselves, as carom_contacts_push counts it. */
void carom_frame_work(const struct carom_frame *frame, const double *impulse, double *work);

/* v += M^-1 G impulse. */
void carom_frame_push(const struct carom_frame *frame, const double *impulse, double *v);

/* Models with friction: how fast the contacts of the set slip; in the plane the slide at another time t; and what
 * slides and tangential impulses do: work[part] -= slide . impulse, v += M^-1 T impulse. */
void carom_frame_slips(const struct carom_frame *frame, const double *slide, const double *v, double *rate);
void carom_frame_slide(struct carom_frame *frame, double t, const double *q, double *slide);
void carom_frame_slip_work(const struct carom_frame *frame, const double *slide, const double *impulse, double *work);
void carom_frame_friction(const struct carom_frame *frame, const double *impulse, double *v);

#endif
