/* The table of contacts: for every contact its law, its ending and the law's parameters, while they are worked out.
 * Maps of the scene speak of some or all contacts; later ones win. */
#ifndef CAROM_SCENE_CONTACT_CONTACT_TABLE_H
#define CAROM_SCENE_CONTACT_CONTACT_TABLE_H

#include "scene/bind.h"

/* A map of the scene that speaks of contacts: `contacts` itself, an entry of its list, a wall. */
struct carom_clause {
    struct carom_node *map;
    size_t count;
    uint32_t *at; /* count contacts, from 0; NULL: all */
    bool wall;
    struct carom_node *restitution; /* or c, what says the damping; NULL: not given */
    struct carom_keys_restitution pair;
    double dashpot; /* c; NaN: a restitution says it */
};

/* A parameter in one law's table. */
struct carom_cell {
    const struct carom_param *row; /* NULL: the law has no such parameter */
    bool dependent;                /* its unit has other parameters as exponents */
};

struct carom_contact_table {
    size_t nc;
    size_t first;                        /* the number scenes give to contact 0 here: 0 with a left wall, else 1 */
    const struct carom_law *const *laws; /* what the bytes of `law` count */
    const struct carom_section *section; /* of the keys of maps; NULL: carom_keys_contacts */
    uint8_t *law, *ending;
    uint16_t *damped_by; /* the clause, from 1, whose restitution says the damping; 0: none */
    size_t ncolumns;
    const char *name[CAROM_LAW_WIDTH];          /* of parameters, over all laws in use */
    double *column[CAROM_LAW_WIDTH];            /* nc each; NaN: not given */
    struct carom_cell (*cell)[CAROM_LAW_WIDTH]; /* a line for each of `laws` */
    size_t nclauses;
    struct carom_clause *clause;
};

void carom_contact_table_free(struct carom_contact_table *table);

/* The first of the maps that `contacts` is, or an empty one where it is missing; how many there are, and room for a
 * clause of each and `more`. NULL: an error was told. */
struct carom_node *carom_bind_contacts_maps(struct carom_contact_table *table, const struct carom_bind *b,
                                            const struct carom_node *root, size_t more, size_t *count);

/* The law of a contact. */
const struct carom_law *carom_contact_table_law(const struct carom_contact_table *table, size_t contact);

/* The parameter of a law that a restitution chooses, or NULL. */
const struct carom_param *carom_contact_table_damping(const struct carom_law *law);

/* Is a parameter of this name a stiffness that materials may give? Those that nobody has given are looked for: `find`
 * tells that of line j, by its row, or why there is none. */
bool carom_contact_table_stiffness(const char *name);
typedef enum carom_status carom_contact_table_find(void *own, const struct carom_contact_table *table, size_t j,
                                                   const struct carom_param *row, double *k);
enum carom_status carom_contact_table_stiffen(const struct carom_contact_table *table, carom_contact_table_find *find,
                                              void *own);

/* The column of that name, or NULL. */
double *carom_contact_table_column(const struct carom_contact_table *table, const char *name);

/* The values of a contact's law in the order of its table; CAROM_LAW_WIDTH of them. */
void carom_contact_table_values(const struct carom_contact_table *table, size_t contact, double *value);

/* The dimension of a parameter at a contact, exponents filled in. */
enum carom_status carom_contact_table_dimension(const struct carom_contact_table *table, size_t contact,
                                                const struct carom_param *row, struct carom_dimension *dimension,
                                                struct carom_error *error);

/* What the maps say: laws and endings, then every parameter (units compared with the contact's own exponents), then
 * defaults. Stiffness and damping may stay NaN. */
enum carom_status carom_contact_table_fill(struct carom_contact_table *table, struct carom_bind *b);

/* Chooses the damping of contacts whose restitution is given; `mass` has the mass that meets at each of them. */
enum carom_status carom_bind_damping(struct carom_bind *b, const struct carom_contact_table *table, const double *mass);

/* Asks each law whether it can be with the parameters, once they are complete. */
enum carom_status carom_contact_table_accept(const struct carom_contact_table *table, struct carom_bind *b);

#endif
