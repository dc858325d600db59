/* Rows side by side that somebody looks at (LOOKED 1) take steps of their own number: `due` says how many, and none is
 * taken after one in which a contact closes or opens. Then `due` has how many were taken, below 0 if that ended them, and
 * x0, v0 and lost0 are places, velocities and losses at the start of the last. Otherwise all take `steps` steps. */
#if LOOKED
#define LOOKED_AT , __global double *due, __global double *x0, __global double *v0, __global double *lost0
#define STEPS_OF_ROW ((ulong)due[c])
#define BEGAN(assigned) assigned
#define TOOK(taken, switched) due[c] = (switched) ? -(double)(taken) : (double)(taken)
#else
#define LOOKED_AT
#define STEPS_OF_ROW steps
#define BEGAN(assigned) (void)0
#define TOOK(taken, switched) (void)0
#endif
