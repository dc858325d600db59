/* Rows of beads as kernels see them. Contacts are F = k (d^p + gamma d/dt d^b) with powers that products and roots
 * give. Most rows have few kinds of contacts, and then hardly anything but places and velocities goes through memory.
 */
#include "scheme/compliant/verlet_rows.h"

#include <stdio.h>
#include <string.h>

#include "carom/law.h"
#include "kernel/press.h"
#include "kernel/texts.h"

enum { GAP = CAROM_LAW_FORM, NUMBERS }; /* of a contact */

static void numbers_of(const struct carom_model *model, size_t j, double number[NUMBERS])
{
    const struct carom_group *g = carom_model_group(model, j);
    g->law->form((const double *const *)g->param, j - g->first, number);
    number[GAP] = model->gap[j];
}

/* what devices take, if they do not take these contacts */
static const char *lack_of_contacts(const struct carom_model *model)
{
    for (size_t g = 0; g < model->ngroups; g++)
        if (!model->group[g].law->form)
            return "laws hertz, kuwabara-kono, hunt-crossley, hertz-dashpot, linear-dashpot and power";
    for (size_t j = 0; j < model->nc; j++) {
        double number[NUMBERS];
        numbers_of(model, j, number);
        if (!carom_kernel_rooted_form(number[CAROM_LAW_P], number[CAROM_LAW_GAMMA], number[CAROM_LAW_B]))
            return "contacts whose exponents are 1, 5/4, 3/2, 2 or 5/2";
    }
    return NULL;
}

enum carom_status carom_verlet_rows_accept(const struct carom_model *model, struct carom_error *error)
{
    const struct carom_beads *beads = carom_model_chain(model);
    const char *lacks = !beads                             ? "rows of beads, and solids under rattle"
                        : model->nc == 0                   ? "rows with contacts"
                        : beads->loaded                    ? "rows without loads, drives and local forces"
                        : beads->spring                    ? "rows without local springs"
                        : model->clipped || model->latches ? "damped contacts with contact_end: gap"
                                                           : lack_of_contacts(model);
    return lacks ? carom_error_set(error, CAROM_E_REFUSED,
                                   "devices take %s under verlet; device: none runs this scene on the processor", lacks)
                 : CAROM_OK;
}

struct carom_verlet_kind carom_verlet_rows_kind(const struct carom_model *model)
{
    const struct carom_chain chain = carom_chain_of(model);
    struct carom_verlet_kind kind = {
        .left = chain.left_wall, .right = chain.right_wall, .hertz = true, .damped = model->damped, .alike = true};
    double usual[NUMBERS], number[NUMBERS];
    for (size_t g = 0; g < model->ngroups; g++)
        kind.hertz &= model->group[g].law == &carom_law_hertz;
    for (size_t j = 1; j + 1 < model->nc; j++) {
        numbers_of(model, j, j == 1 ? usual : number);
        kind.alike &= j == 1 || memcmp(usual, number, sizeof usual) == 0;
    }
    for (size_t i = 1; i < chain.n; i++)
        kind.alike &= chain.beads->inverse_mass[i] == chain.beads->inverse_mass[0];
    return kind;
}

struct carom_verlet_kind carom_verlet_rows_both(struct carom_verlet_kind a, struct carom_verlet_kind b)
{
    a.hertz &= b.hertz;
    a.damped |= b.damped;
    a.alike &= b.alike;
    return a;
}

/* kinds of contacts in a row: the first, those between, the last; or each */
static size_t kinds(const struct carom_verlet_kind *kind, size_t nc)
{
    return kind->alike ? 3 : nc;
}

size_t carom_verlet_rows_made(const struct carom_verlet_kind *kind, size_t nc)
{
    return (kind->hertz ? 2 : NUMBERS) * kinds(kind, nc);
}

size_t carom_verlet_rows_masses(const struct carom_verlet_kind *kind, size_t n)
{
    return kind->alike ? 1 : n;
}

void carom_verlet_rows_tell(const struct carom_verlet_kind *kind, const struct carom_model *model, size_t rows,
                            size_t c, double *made, double *inverse)
{
    static const int column[NUMBERS] = {CAROM_LAW_K, GAP, CAROM_LAW_P, CAROM_LAW_GAMMA, CAROM_LAW_B};
    const size_t count = kinds(kind, model->nc), columns = kind->hertz ? 2 : NUMBERS;
    const struct carom_beads *beads = carom_model_chain(model);
    for (size_t at = 0; at < count; at++) {
        double number[NUMBERS];
        const size_t j = !kind->alike || at == 0 ? at : at == 2 || model->nc < 3 ? model->nc - 1 : 1;
        numbers_of(model, j, number);
        for (size_t k = 0; k < columns; k++)
            made[(k * count + at) * rows + c] = number[column[k]];
    }
    for (size_t i = 0; i < carom_verlet_rows_masses(kind, beads->n); i++)
        inverse[i * rows + c] = beads->inverse_mass[i];
}

void carom_verlet_rows_head(const struct carom_verlet_kind *kind, char *text, size_t size)
{
    snprintf(
        text, size,
        "#define LEFT %d\n#define RIGHT %d\n#define HERTZ %d\n#define DAMPED %d\n#define ALIKE %d\n#define N %zu\n",
        kind->left, kind->right, kind->hertz, kind->damped, kind->alike, kind->n);
}

struct carom_device_program *carom_verlet_rows_compile(struct carom_device *device,
                                                       const struct carom_verlet_kind *kind, struct carom_error *error)
{
    char head[200];
    const char *const text[] = {carom_texts_lane, head, carom_texts_press, carom_texts_chain};
    carom_verlet_rows_head(kind, head, sizeof head);
    return carom_device_compile(device, "verlet", text, sizeof text / sizeof *text, error);
}
