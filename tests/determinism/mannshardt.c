/* The same as event.c for scheme mannshardt: the same bits twice, with and without recording, stopped and restored. */
#define EVENT_SCHEME carom_scheme_mannshardt
#include "event.c"
