/* Facets of contacts, see event_facets.h. */
#include "scheme/rigid/event/event_facets.h"

#include <string.h>

#include "base/memory.h"
#include "model/bodies/linkage_places.h"
#include "scheme/rigid/event/event_corners.h"

bool carom_event_facets_open(struct carom_event_smooth *s, const struct carom_model *model)
{
    if (!carom_linkage_places_facets(model))
        return true;
    s->facet = carom_memory_zeroed(model->nc, sizeof *s->facet);
    return s->facet != NULL;
}

void carom_event_facets_keep(struct carom_event_work *w, const double *q, bool all)
{
    struct carom_event_smooth *s = &w->smooth;
    s->flying = !all;
    if (!s->facet)
        return;
    memset(s->facet, 0, w->model->nc * sizeof *s->facet);
    for (size_t k = 0; k < (all ? w->model->nc : s->nheld); k++) {
        const size_t j = all ? k : s->held[k];
        s->facet[j] = carom_linkage_places_facet(w->model, j, q);
    }
    carom_linkage_places_keep(w->model, s->facet);
}

void carom_event_facets_free(struct carom_event_work *w)
{
    w->smooth.flying = false;
    if (w->smooth.facet)
        carom_linkage_places_keep(w->model, NULL);
}

double carom_event_facets_left(const struct carom_event_work *w, size_t i, const double *q)
{
    const struct carom_event_smooth *s = &w->smooth;
    const size_t j = s->held[i];
    return carom_linkage_places_left(w->model, j, s->facet[j], q) + carom_event_corners_slack(w, j, q);
}
