/* Friction of contacts, and resistance to rolling and twisting, as maps of `contacts` tell them. */
#ifndef CAROM_SCENE_CONTACT_BIND_FRICTION_H
#define CAROM_SCENE_CONTACT_BIND_FRICTION_H

#include "carom/bodies.h"
#include "scene/contact/contact_table.h"

/* Fills in a parameter that nobody gives. */
typedef enum carom_status carom_bind_friction_fill(void *own, const struct carom_node *map,
                                                   const struct carom_param *row, const struct carom_friction *law,
                                                   struct carom_scaled *value);

/* The last map that says anything of a way at line j: its `friction`, or (is_short) itself where mu stands in it
 * directly; NULL: none. */
enum carom_status carom_bind_friction_map(struct carom_bind *b, const struct carom_contact_table *table, size_t j,
                                          enum carom_way way, struct carom_node **map, bool *is_short);

/* What such a map says: the law, NULL where it is none, and its parameters. `usual`: the law where none is named; NULL:
 * the first of all. */
enum carom_status carom_bind_friction(struct carom_bind *b, enum carom_way way, struct carom_node *map, bool is_short,
                                      const struct carom_friction *usual, carom_bind_friction_fill *fill, void *own,
                                      const struct carom_friction **law, struct carom_scaled *value);

/* 8 G*, 1 / G* = (2 - nu_a) / G_a + (2 - nu_b) / G_b, of two materials by number; a rigid side adds nothing. 0: one of
 * them does not say it. */
double carom_bind_friction_shear(const struct carom_bind *b, uint32_t one, uint32_t other);

#endif
