/* Parts, instances and the assembly of an Abaqus file: what begins, ends, and means what there is. */
#ifndef CAROM_MESH_INP_SCOPE_H
#define CAROM_MESH_INP_SCOPE_H

enum { CAROM_INP_SCOPES = 3 }; /* part, instance, assembly */

struct carom_inp_scope {
    char part[64]; /* its name */
    enum { CAROM_INP_NOT_YET, CAROM_INP_BEGUN, CAROM_INP_ENDED } state[CAROM_INP_SCOPES];
};

/* A keyword in capitals; `name` and `part` are what it says NAME= and PART= are, or NULL. NULL: it may stand there;
 * else a sentence about *word. */
const char *carom_inp_scope_enter(struct carom_inp_scope *scope, const char *keyword, const char *name,
                                  const char *part, const char **word);

/* What has not ended at the end of the file, or NULL. */
const char *carom_inp_scope_open(const struct carom_inp_scope *scope);

#endif
