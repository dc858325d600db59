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

/* What a contact does: the one word for it, of rows, mechanisms, plane and space. */
enum carom_contact_phase {
    CAROM_CONTACT_OPEN = 0,
    CAROM_CONTACT_STICKS = 1, /* or is closed and nothing rubs */
    CAROM_CONTACT_SLIPS = 2,
    CAROM_CONTACT_CUT = 3,   /* its law would pull and may not */
    CAROM_CONTACT_PULLS = 4, /* closed, but its friction has nothing to press on */
};

CAROM_END

#endif
