/* Contacts: what every one of them has, whatever bodies meet there. */
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include "carom/api.h"

CAROM_BEGIN

/* How a contact ends. */
enum carom_ending {
    CAROM_END_GAP,   /* keeps pulling until the gap opens (the paper's equations) */
    CAROM_END_FORCE, /* max(0, force), without memory */
    CAROM_END_LATCH, /* once the force has come down to 0 it stays 0 until the gap has opened */
};

CAROM_END

#endif
