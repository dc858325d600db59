/* Which of several impacts is the first: what it may be off by that contacts all but touch where others are struck. */
#include "scheme/rigid/event/event_bodies.h"

/* the rate of a contact whose bodies may not be in the cluster yet */
static double rate_now(const struct carom_event_bodies *w, const struct carom_contact_key *key,
                       const struct carom_meeting *m)
{
    const size_t nv = carom_bodies_nv(w->bodies), d = w->bodies->dimension;
    double rate = 0.0;
    for (size_t k = 0; k < d; k++)
        rate += m->normal[k] * (w->state->v[key->b * nv + k] - w->state->v[key->a * nv + k]);
    return rate;
}

void carom_event_order_note(struct carom_event_bodies *w, const struct carom_contact_key *key,
                            const struct carom_meeting *m)
{
    struct carom_event_touch *beside = &w->cluster.beside;
    if (m->gap < beside->meeting.gap && rate_now(w, key, m) <= carom_event_bodies_slow(w))
        *beside = (struct carom_event_touch){.key = *key, .meeting = *m};
}

/* Would the two have passed each other without touching, but for rounding? */
static bool grazes(const struct carom_event_bodies *w, const struct carom_event_touch *t)
{
    double v[3], a[3];
    carom_event_cluster_between(w, t, w->cluster.v, v);
    carom_event_cluster_between(w, t, w->cluster.a, a);
    const double bend = carom_event_meet_bend(w, &t->key, &t->meeting, v, a);
    return t->rate < 0.0 && t->rate * t->rate <= 2.0 * bend * carom_event_bodies_rounding(w);
}

/* Bodies that slide around each other part so slowly that, struck again at once, they are open by no more than
 * rounding, and would close once more a little later: normals have turned by then. */
static double error_of_opening(const struct carom_event_bodies *w)
{
    double fastest = 0.0;
    for (size_t i = 0; i < w->cluster.n; i++)
        fastest = fmax(fastest, -w->cluster.touch[i].rate);
    return fastest > 0.0 ? carom_event_bodies_rounding(w) * w->speed / (w->length * fastest) : 0.0;
}

/* Contacts that move and are open by less than counts as touching, but not by rounding alone, would have come a little
 * later: that their impacts are taken for one with others is an error, of velocities as large as their rates. So is
 * the impact of two that graze each other. */
double carom_event_order_error(const struct carom_event_bodies *w, const struct carom_contact_key *hit)
{
    double error = 0.0;
    for (size_t i = 0; hit && i < w->cluster.n; i++) {
        const struct carom_event_touch *t = &w->cluster.touch[i];
        const bool first = carom_list_order(&t->key, hit) == 0;
        if (t->was)
            continue;
        if (first ? grazes(w, t) : t->meeting.gap > carom_event_bodies_rounding(w))
            error += fabs(t->rate) / w->speed;
        else if (!first && t->rate > carom_event_bodies_slow(w))
            error += fmin(error_of_opening(w), t->rate / w->speed);
    }
    return error;
}

/* Impacts of contacts at right angles do not notice each other, nor those of different bodies. */
static bool matters(const struct carom_event_touch *a, const struct carom_event_touch *b)
{
    const bool same = a->key.a == b->key.a || a->key.a == b->key.b || a->key.b == b->key.a || a->key.b == b->key.b;
    return same && fabs(carom_vec_dot(a->meeting.normal, b->meeting.normal)) > 1e-9;
}

/* A contact beside those that were struck that was all but closed: had it been, all might have come out otherwise. */
void carom_event_order_nearest(struct carom_stepper *stepper)
{
    const struct carom_event_bodies *w = stepper->work;
    const struct carom_event_cluster *c = &w->cluster;
    const double gap = c->beside.meeting.gap / w->length;
    for (size_t i = 0; i < c->n; i++)
        if (c->touch[i].struck && matters(&c->touch[i], &c->beside) &&
            (stepper->nearest == 0.0 || gap < stepper->nearest))
            stepper->nearest = gap;
}
