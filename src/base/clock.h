/* Seconds that pass, from some moment on; nobody sets this clock. */
#ifndef CAROM_BASE_CLOCK_H
#define CAROM_BASE_CLOCK_H

double carom_clock_now(void);

/* Seconds that this thread has worked. */
double carom_clock_busy(void);

#endif
