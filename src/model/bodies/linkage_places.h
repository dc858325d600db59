/* The contacts of bodies that are one mechanism (linkage.h): all places in which two of them could ever touch, then the
 * limits of joints. */
#ifndef CAROM_MODEL_BODIES_LINKAGE_PLACES_H
#define CAROM_MODEL_BODIES_LINKAGE_PLACES_H

#include "carom/state.h"
#include "model/bodies/linkage.h"

/* One place in which bodies may touch, or one limit of a joint. */
struct carom_linkage_place {
    struct carom_contact_key key;
    size_t joint;       /* whose limit it is; SIZE_MAX: of none */
    double sign, lever; /* of a limit: 1 below, -1 above, and what makes angles lengths */
    bool corner;        /* it counts only while the two are nearest there (shapes_before.h) */
};

struct carom_linkage {
    struct carom_bodies *bodies;
    bool corners;                            /* may bodies with corners, capsules and compounds meet each other? */
    size_t seat[CAROM_LINKAGE_BODIES];       /* of each body: its place among those that move, or SIZE_MAX */
    size_t mover[CAROM_LINKAGE_MOVING];      /* of each place among them: the body */
    size_t joint[CAROM_MECHANISM_WIDTH + 1]; /* of each row that joints hold: whose it is */
    size_t nrows, nplaces;
    struct carom_linkage_place *place;
    const uint32_t *kept; /* nplaces: features that contacts have for now, 0: their own; NULL: all have their own */
};

/* Lists them; refuses bodies for which there is no such list. */
enum carom_status carom_linkage_places_find(struct carom_linkage *linkage, struct carom_error *error);

/* Joins them in a model, each with the parameters of its rigid law. */
enum carom_status carom_linkage_places_join(struct carom_model *model, const struct carom_linkage *linkage,
                                            struct carom_error *error);

/* How a corner stands before a side, or two bodies where they might be nearest (shapes_before.h). */
struct carom_linkage_before {
    double beyond, rate, through; /* rate of `beyond`, where v is given; but for polygons no less than it */
    double pace;                  /* both change no faster than so many times what the bodies move by */
};

/* Has the model contacts that count only while a corner stands before a side? And how that of contact j does (v NULL:
 * without the rate); false: it always counts. */
bool carom_linkage_places_corners(const struct carom_model *model);
bool carom_linkage_places_before(const struct carom_model *model, size_t j, const double *q, const double *v,
                                 struct carom_linkage_before *out);

/* Is contact j such a one? Of which bodies is it, and of which of their parts? Where do they touch, from the centre of
 * the first, and how does the contact look out of that? */
bool carom_linkage_places_two(const struct carom_model *model, size_t j, size_t body[2], uint32_t part[2]);
bool carom_linkage_places_at(const struct carom_model *model, size_t j, const double *q, double at[3],
                             double normal[3]);

/* Contacts whose curvature jumps where a ball goes from a face of the other body to an edge or a corner (facets.h): has
 * the model such? The facet of contact j at q, 0: it has none; how far it is from where it ends. */
bool carom_linkage_places_facets(const struct carom_model *model);
uint32_t carom_linkage_places_facet(const struct carom_model *model, size_t j, const double *q);
double carom_linkage_places_left(const struct carom_model *model, size_t j, uint32_t facet, const double *q);

/* A model with facets as one stepper sees it: what it has is the model's, which is nobody's to change. */
struct carom_linkage_view {
    struct carom_model model;
    struct carom_member member;
    struct carom_mechanism mechanism;
    struct carom_linkage linkage;
};
void carom_linkage_places_view(const struct carom_model *model, struct carom_linkage_view *view);

/* Until called with NULL: contacts with a facet in the list have it wherever their bodies are, so that their gaps are
 * smooth along a whole step and beside it. */
void carom_linkage_places_keep(struct carom_linkage_view *view, const uint32_t *facet);

/* How thick the thinnest body is, from its middle, that another may pass; HUGE_VAL: all that they meet is walls, or the
 * model is no such mechanism. */
double carom_linkage_places_thin(const struct carom_model *model);

/* How fast surfaces move with v at most, turning counted in; 0: the model is no such mechanism. */
double carom_linkage_places_fastest(const struct carom_model *model, const double *v);

/* How fast the body turns that turns fastest with v; 0: the model is no such mechanism. */
double carom_linkage_places_spin(const struct carom_model *model, const double *v);

/* How fast the gap of contact j may change with v at most; HUGE_VAL: it is a limit, or the model no such mechanism. */
double carom_linkage_places_swift(const struct carom_model *model, size_t j, const double *v);

#endif
