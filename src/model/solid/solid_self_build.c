/* The faces of all cells of a body that can meet itself, and the points in which they feel others. */
#include "base/memory.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_skin.h"

enum { SIDES = CAROM_SKIN_SIDES };

static void add_point(struct carom_solid_self *self, struct carom_self_face *face, const double *a, const double *b,
                      const double *c, double area)
{
    struct carom_self_point *p = &self->point[face->first + face->count++];
    p->area = area;
    for (int k = 0; k < 3; k++)
        p->arm[k] = c ? (a[k] + b[k] + c[k]) / 3.0 : 0.5 * (a[k] + b[k]);
}

/* Through its pieces: of general cells faces may be tilted against their links. */
static void turn_to(const double (*arm)[3], size_t n, double normal[3])
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t i = 1; i + 1 < n; i++) {
        double across[3];
        carom_vec_triangle(arm[0], arm[i], arm[i + 1], across);
        for (int k = 0; k < 3; k++)
            sum[k] += across[k];
    }
    const double size = carom_vec_norm(sum), sign = carom_vec_dot(sum, normal) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; size > 0.0 && k < 3; k++)
        normal[k] = sign * sum[k] / size;
}

static void add_face(const struct carom_solid *s, struct carom_solid_self *self, const struct carom_solid_face *from,
                     uint32_t link, struct carom_self_face *face)
{
    const struct carom_solid_sort *sort = carom_solid_sort_of(s, from->cell);
    const struct carom_solid_material *m = &s->material[sort->material];
    double arm[SIDES][3], through = 0.0;
    const size_t n = carom_solid_skin_outline(s, from, arm);
    for (int k = 0; k < 3; k++)
        face->normal[k] = from->normal[k];
    if (s->cells)
        turn_to((const double(*)[3])arm, n, face->normal);
    face->offset = carom_vec_dot(face->normal, from->arm);
    face->link = link;
    for (int k = 0; k < 3; k++) /* of a cell that is cut through its centre what was behind it */
        through += 0.5 * sort->edge[k] * fabs(face->normal[k]);
    face->deep = face->offset > 0.01 * through ? face->offset : through;
    face->soft = face->deep * (1.0 + m->poisson) / m->young;
    for (size_t i = 0; i < n; i++) {
        const double *a = arm[i], *b = arm[(i + 1) % n];
        double to[2][3], across[3];
        for (int k = 0; k < 3; k++) {
            to[0][k] = a[k] - from->arm[k];
            to[1][k] = b[k] - from->arm[k];
        }
        carom_vec_cross(to[0], to[1], across);
        self->reach[from->cell] = fmax(self->reach[from->cell], carom_vec_norm(a));
        if (s->dimension == 3)
            add_point(self, face, from->arm, a, b, 0.5 * carom_vec_norm(across));
        else
            add_point(self, face, from->arm, a, NULL, s->depth * carom_vec_norm(to[0]));
    }
}

/* Faces by cells, those of links too: they bound the cell. `points` NULL: they are only counted. */
static size_t go_through(const struct carom_solid *s, struct carom_solid_self *self, uint32_t *next)
{
    double arm[SIDES][3];
    size_t points = 0;
    for (size_t i = 0; i < s->nfaces + 2 * s->nlinks; i++) {
        const size_t l = i < s->nfaces ? 0 : (i - s->nfaces) / 2;
        const struct carom_solid_face face =
            i < s->nfaces ? s->face[i] : carom_solid_skin_side(s, l, (i - s->nfaces) % 2);
        if (next) {
            struct carom_self_face *to = &self->face[next[face.cell]++];
            to->first = (uint32_t)points;
            add_face(s, self, &face, i < s->nfaces ? CAROM_SELF_FREE : (uint32_t)l, to);
            points += to->count;
        } else {
            points += carom_solid_skin_outline(s, &face, arm);
            self->begin[face.cell + 1]++;
        }
    }
    return points;
}

bool carom_solid_self_build(const struct carom_solid *s, struct carom_solid_self *self)
{
    self->begin = carom_memory_zeroed(s->n + 1, sizeof *self->begin);
    self->face = carom_memory_zeroed(s->nfaces + 2 * s->nlinks, sizeof *self->face);
    self->reach = carom_memory_zeroed(s->n, sizeof *self->reach);
    self->ease = carom_memory_zeroed(s->n, sizeof *self->ease);
    uint32_t *next = carom_memory_zeroed(s->n, sizeof *next);
    bool good = self->begin && self->face && self->reach && self->ease && next;
    const size_t points = good ? go_through(s, self, NULL) : 0;
    self->point = good ? carom_memory_zeroed(points, sizeof *self->point) : NULL;
    good = good && self->point;
    for (size_t i = 0; good && i < s->n; i++) {
        self->begin[i + 1] += self->begin[i];
        next[i] = self->begin[i];
    }
    if (good)
        go_through(s, self, next);
    carom_memory_free(next);
    for (size_t i = 0; good && i < s->n; i++)
        self->wide = fmax(self->wide, 2.0 * self->reach[i]);
    for (self->slots = 1; self->slots < s->n; self->slots *= 2)
        continue;
    return good;
}
