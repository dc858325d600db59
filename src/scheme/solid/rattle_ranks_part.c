/* Who has which cells of a body with slices or bonds. Its cells go in portions of a few, which turn together: in
 * layers, as they are numbered or, where there is a partitioner and it does better, so that little has to be told. Rank
 * 0 says it to all. Which it is changes no bit. */
#include "base/memory.h"
#include "scheme/solid/rattle_ranks_share.h"

size_t carom_rattle_ranks_part_owner(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                     size_t cell)
{
    if (s->owner)
        return s->owner[cell / CAROM_TURN_PORTION];
    size_t k = 0;
    while (k + 1 < r->count && cell >= s->first[k + 1])
        k++;
    return k;
}

bool carom_rattle_ranks_part_list(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s,
                                  const uint8_t *mark, size_t wide, struct carom_rattle_tour *tour)
{
    const size_t n = s->body->solid->n;
    tour->first = carom_memory_zeroed(r->count + 2, sizeof *tour->first);
    for (size_t i = 0; tour->first && i < n; i++)
        if (mark[i])
            tour->first[carom_rattle_ranks_part_owner(r, s, i) + 2]++;
    for (size_t k = 0; tour->first && k < r->count; k++)
        tour->first[k + 2] += tour->first[k + 1];
    tour->cell = tour->first ? carom_memory_zeroed(tour->first[r->count + 1], sizeof *tour->cell) : NULL;
    tour->row = tour->first ? carom_memory_zeroed(tour->first[r->count + 1] * wide, sizeof *tour->row) : NULL;
    for (size_t i = 0; tour->cell && i < n; i++)
        if (mark[i])
            tour->cell[tour->first[carom_rattle_ranks_part_owner(r, s, i) + 1]++] = (uint32_t)i;
    return tour->cell && tour->row;
}

/* --- owners ------------------------------------------------------------------------------------------------------- */

/* cells that the rank which is told most is told of */
static size_t most_told(const struct carom_rattle_ranks *r, const struct carom_solid *solid, const uint32_t *owner,
                        uint8_t *look)
{
    size_t most = 0;
    for (size_t k = 0; k < r->count; k++) {
        size_t told = 0;
        carom_solid_piece_look(solid, owner, (uint32_t)k, look);
        for (size_t i = 0; i < solid->n; i++)
            told += look[i] != CAROM_LOOK_AWAY && look[i] != CAROM_LOOK_OWN;
        most = told > most ? told : most;
    }
    return most;
}

/* the two portions of a link; false: it is inside of one */
static bool joins(const struct carom_solid_link *link, int portion[2])
{
    for (size_t k = 0; k < 2; k++)
        portion[k] = (int)(link->cell[k] / CAROM_TURN_PORTION);
    return portion[0] != portion[1];
}

/* links of every portion to others, each as often as it is there */
static void list_links(const struct carom_solid *s, const struct carom_rank_graph *g, int *next)
{
    int portion[2];
    for (size_t l = 0; l < s->nlinks; l++)
        for (size_t k = 0; k < 2 && joins(&s->link[l], portion); k++)
            g->begin[portion[k] + 1]++;
    for (int i = 0; i < g->n; i++) {
        g->begin[i + 1] += g->begin[i];
        next[i] = g->begin[i];
    }
    for (size_t l = 0; l < s->nlinks; l++)
        for (size_t k = 0; k < 2 && joins(&s->link[l], portion); k++)
            g->other[next[portion[k]]++] = portion[1 - k];
}

/* ... then once, with how often; `place` is where one was put, + 1 */
static void merge_links(struct carom_rank_graph *g, int *place)
{
    int count = 0;
    memset(place, 0, (size_t)g->n * sizeof *place);
    for (int i = 0, from = 0; i < g->n; i++) {
        const int first = count, to = g->begin[i + 1];
        for (int k = from; k < to; k++) {
            const int other = g->other[k];
            if (place[other] <= first) {
                g->other[count] = other;
                g->apart[count] = 0;
                place[other] = ++count;
            }
            g->apart[place[other] - 1]++;
        }
        g->begin[i] = first;
        from = to;
    }
    g->begin[g->n] = count;
}

static void free_graph(struct carom_rank_graph *g)
{
    carom_memory_free_all(g->begin, g->other, g->apart, g->weight);
}

static bool make_graph(const struct carom_solid *s, struct carom_rank_graph *g, int *room)
{
    const size_t n = carom_solid_piece_portions(s);
    g->n = (int)n;
    g->begin = carom_memory_zeroed(n + 1, sizeof *g->begin);
    g->weight = carom_memory_zeroed(n, sizeof *g->weight);
    g->other = carom_memory_zeroed(2 * s->nlinks, sizeof *g->other);
    g->apart = carom_memory_zeroed(2 * s->nlinks, sizeof *g->apart);
    if (!g->begin || !g->weight || !g->other || !g->apart)
        return false;
    list_links(s, g, room);
    merge_links(g, room);
    for (size_t i = 0; i < s->n; i++)
        g->weight[i / CAROM_TURN_PORTION]++;
    return true;
}

/* the partitioner's owners, if there is one and it does better than layers; false: out of memory */
static bool ask_partitioner(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, uint8_t *look)
{
    const struct carom_solid *solid = s->body->solid;
    const size_t n = carom_solid_piece_portions(solid);
    struct carom_rank_graph graph = {0};
    uint32_t *owner = carom_memory_zeroed(n, sizeof *owner);
    int *part = carom_memory_zeroed(n, sizeof *part);
    const bool good = owner && part && solid->nlinks < INT32_MAX / 2 && make_graph(solid, &graph, part);
    if (good && carom_rank_partition(r->ranks, &graph, part)) {
        for (size_t i = 0; i < n; i++)
            owner[i] = (uint32_t)part[i];
        if (most_told(r, solid, owner, look) < most_told(r, solid, s->owner, look))
            memcpy(s->owner, owner, n * sizeof *owner);
    }
    free_graph(&graph);
    carom_memory_free_all(owner, part);
    return good;
}

static bool find_owners(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, uint8_t *look)
{
    const size_t n = carom_solid_piece_portions(s->body->solid);
    for (size_t i = 0; i < n; i++)
        s->owner[i] = (uint32_t)(r->count * i / n);
    const bool good = r->own > 0 || ask_partitioner(r, s, look);
    carom_rank_broadcast(r->ranks, s->owner, n * sizeof *s->owner);
    return good;
}

/* --- jobs and tours ----------------------------------------------------------------------------------------------- */

static bool is_told(uint8_t look)
{
    return look == CAROM_LOOK_PLACE || look == CAROM_LOOK_PRESSURE;
}

/* cells of rank `from` that rank `to` looks at as `look` says: counted, and noted if there is room; `end` marks their
 * portions */
static size_t list_tour(const struct carom_rattle_share *s, uint32_t from, const uint8_t *look, uint32_t *cell,
                        uint8_t *end)
{
    size_t count = 0;
    for (size_t i = 0; i < s->body->solid->n; i++) {
        if (!is_told(look[i]) || s->owner[i / CAROM_TURN_PORTION] != from)
            continue;
        if (cell)
            cell[count] = (uint32_t)i;
        if (end)
            end[i / CAROM_TURN_PORTION] = 1;
        count++;
    }
    return count;
}

static bool make_tour(const struct carom_rattle_ranks *r, const struct carom_rattle_share *s, bool comes, uint8_t *look,
                      uint8_t *end, struct carom_rattle_tour *tour)
{
    const struct carom_solid *solid = s->body->solid;
    tour->first = carom_memory_zeroed(r->count + 1, sizeof *tour->first);
    for (int fill = 0; fill < 2 && tour->first; fill++) {
        for (size_t k = 0; k < r->count; k++) {
            carom_solid_piece_look(solid, s->owner, (uint32_t)(comes ? r->own : k), look);
            const size_t count = list_tour(s, (uint32_t)(comes ? k : r->own), look,
                                           fill ? tour->cell + tour->first[k] : NULL, comes ? NULL : end);
            tour->first[k + 1] = tour->first[k] + count;
        }
        if (fill == 1)
            return true;
        tour->cell = carom_memory_zeroed(tour->first[r->count], sizeof *tour->cell);
        tour->row = carom_memory_zeroed(tour->first[r->count] * solid->wide, sizeof *tour->row);
        if (!tour->cell || !tour->row)
            return false;
    }
    return false;
}

/* own portions that follow each other go together, up to a block; first those that others look at */
static bool list_jobs(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, const uint8_t *end)
{
    const size_t n = carom_solid_piece_portions(s->body->solid);
    size_t own = 0;
    for (size_t i = 0; i < n; i++)
        own += s->owner[i] == r->own;
    s->job = carom_memory_zeroed(own, sizeof *s->job);
    for (uint8_t ends = 2; s->job && ends-- > 0;) {
        for (size_t i = 0; i < n; i++) {
            const size_t first = i * CAROM_TURN_PORTION, left = s->body->solid->n - first;
            if (s->owner[i] != r->own || end[i] != ends)
                continue;
            const size_t since = ends == 1 ? 0 : s->nends;
            struct carom_rattle_job *job = s->njobs > since ? &s->job[s->njobs - 1] : NULL;
            if (!job || job->last != first || first - job->first >= CAROM_RATTLE_BLOCK)
                (job = &s->job[s->njobs++])->first = first;
            job->last = first + (left < CAROM_TURN_PORTION ? left : CAROM_TURN_PORTION);
        }
        s->nends = ends == 1 ? s->njobs : s->nends;
    }
    return s->job != NULL;
}

static bool make_lists(const struct carom_rattle_ranks *r, struct carom_rattle_share *s, uint8_t *look, uint8_t *end)
{
    const struct carom_solid *solid = s->body->solid;
    if (!make_tour(r, s, false, look, end, &s->out) || !make_tour(r, s, true, look, NULL, &s->in) ||
        !list_jobs(r, s, end))
        return false;
    size_t cells = 0;
    for (size_t i = 0; i < solid->n; i++)
        cells += (s->owner[i / CAROM_TURN_PORTION] == r->own) == (r->own > 0);
    s->whole = carom_memory_zeroed(cells * carom_rattle_share_numbers(s), sizeof *s->whole);
    carom_solid_piece_look(solid, s->owner, (uint32_t)r->own, look);
    s->piece = carom_solid_piece_create(solid, look, carom_threads_count(r->stepper->threads));
    return s->whole && s->piece;
}

bool carom_rattle_ranks_part(struct carom_rattle_ranks *r, struct carom_rattle_share *s)
{
    const struct carom_solid *solid = s->body->solid;
    uint8_t *look = carom_memory_zeroed(solid->n, sizeof *look);
    uint8_t *end = carom_memory_zeroed(carom_solid_piece_portions(solid), sizeof *end);
    s->owner = carom_memory_zeroed(carom_solid_piece_portions(solid), sizeof *s->owner);
    const bool good = look && end && s->owner && find_owners(r, s, look) && make_lists(r, s, look, end);
    carom_memory_free_all(look, end);
    return good;
}

void carom_rattle_ranks_part_free(struct carom_rattle_share *s)
{
    carom_solid_piece_free(s->piece);
    carom_memory_free_all(s->owner, s->whole, s->out.first, s->out.cell, s->out.row, s->in.first, s->in.cell,
                          s->in.row);
}
