/* carom: impacts of beads, mechanisms and elastic solids. Include this one header. */
#ifndef CAROM_H
#define CAROM_H

#include "carom/bodies.h"
#include "carom/contact.h"
#include "carom/error.h"
#include "carom/friction.h"
#include "carom/impact.h"
#include "carom/law.h"
#include "carom/mechanism.h"
#include "carom/model.h"
#include "carom/param.h"
#include "carom/record.h"
#include "carom/run.h"
#include "carom/scene.h"
#include "carom/scheme.h"
#include "carom/signal.h"
#include "carom/sim.h"
#include "carom/solid.h"
#include "carom/state.h"

#define CAROM_VERSION "0.2.0"

#endif
