/* The ranges of numbers that a step of an explicit method works on, one after the other (i = 0, 1, ...; false: there
 * are no more): what feeds back (q, v, history) of awake beads, what is only tallied (losses, works), and contacts. */
#ifndef CAROM_SCHEME_COMPLIANT_SPANS_H
#define CAROM_SCHEME_COMPLIANT_SPANS_H

#include "scheme/compliant/rates.h"

static inline bool carom_spans_feeding(const struct carom_rates *r, size_t i, size_t *from, size_t *to)
{
    if (!r->regular) {
        *from = 0;
        *to = r->nstate;
        return i == 0;
    }
    if (i == 2 * r->window.count) { /* history of laws with phases: as it stands */
        *from = 2 * r->chain.n;
        *to = r->nstate;
        return *to > *from;
    }
    if (i > 2 * r->window.count)
        return false;
    const struct carom_span *s = &r->window.span[i / 2];
    const size_t skip = i % 2 == 0 ? 0 : r->chain.n;
    *from = skip + s->first;
    *to = skip + s->last;
    return true;
}

static inline bool carom_spans_tallied(const struct carom_rates *r, size_t i, size_t *from, size_t *to)
{
    if (!r->regular) {
        *from = r->nstate;
        *to = r->nall;
        return i == 0;
    }
    const size_t kinds = r->cut ? 2 : r->nextra ? 1 : 0, count = kinds * r->window.count;
    if (r->chain.beads->loaded && i == count) { /* what dampers take and loads give */
        *from = r->nall - 2;
        *to = r->nall;
        return true;
    }
    if (i >= count)
        return false;
    const struct carom_span *s = &r->window.span[i / kinds];
    const size_t skip = r->nstate + (i % kinds) * r->chain.nc;
    *from = skip + s->inner;
    *to = skip + s->outer;
    return true;
}

static inline bool carom_spans_contacts(const struct carom_rates *r, size_t i, size_t *from, size_t *to)
{
    const struct carom_window *window = &r->window;
    const bool more = i < (r->regular ? window->count : 1);
    *from = more && r->regular ? window->span[i].inner : 0;
    *to = !more ? 0 : r->regular ? window->span[i].outer : r->model->nc;
    return more;
}

#endif
