/* Contacts in the plane that are struck together, by the laws of Poisson and Stronge: each is a spring of its own, and
 * all are followed along the path of their impulses (impact/lzb_rub.h), as impacts of event are. */
#ifndef CAROM_SCHEME_RIGID_MOREAU_MOREAU_STRUCK_H
#define CAROM_SCHEME_RIGID_MOREAU_MOREAU_STRUCK_H

#include "scheme/rigid/moreau/moreau_graph.h"

struct carom_moreau_struck;

struct carom_moreau_struck *carom_moreau_struck_create(struct carom_error *error); /* NULL: out of memory */
void carom_moreau_struck_free(struct carom_moreau_struck *struck);

/* What an impulse at contact j does to the rates of contact i: normal and tangent, 2 x 2. */
void carom_moreau_struck_couple(const struct carom_moreau_graph *w, size_t i, size_t j, double a[4]);

/* Restitution e of contact i that its right side asks for; 0 of one that is not struck. */
double carom_moreau_struck_e(const struct carom_moreau_graph *w, size_t i);

/* Impulses of the n contacts of an island. False, and nothing is changed: there are too many of them, or their path
 * does not end. */
bool carom_moreau_struck_solve(struct carom_moreau_graph *w, size_t n, const size_t *contact);

#endif
