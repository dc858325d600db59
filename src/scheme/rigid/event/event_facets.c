/* Facets of contacts, see event_facets.h. */
#include "scheme/rigid/event/event_facets.h"

#include <string.h>

#include "base/memory.h"
#include "model/bodies/linkage_places.h"
#include "scheme/rigid/event/event_corners.h"

bool carom_event_facets_open(struct carom_stepper *stepper)
{
    struct carom_event_work *w = stepper->work;
    if (!carom_linkage_places_facets(stepper->model))
        return true;
    w->smooth.facet = carom_memory_zeroed(stepper->model->nc, sizeof *w->smooth.facet);
    w->view = carom_memory_zeroed(1, sizeof *w->view);
    if (!w->smooth.facet || !w->view)
        return false;
    carom_linkage_places_view(stepper->model, w->view);
    stepper->model = w->model = &w->view->model;
    return true;
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
    carom_linkage_places_keep(w->view, s->facet);
}

void carom_event_facets_free(struct carom_event_work *w)
{
    w->smooth.flying = false;
    if (w->smooth.facet)
        carom_linkage_places_keep(w->view, NULL);
}

double carom_event_facets_left(const struct carom_event_work *w, size_t i, const double *q)
{
    const struct carom_event_smooth *s = &w->smooth;
    const size_t j = s->held[i];
    return carom_linkage_places_left(w->model, j, s->facet[j], q) + carom_event_corners_slack(w, j, q);
}
