/* Mesh files: one body, a cube with a prism on it, in every format; what is wrong with a file or a cell gets a sentence
 * with its line or cell; files that break off or are garbled get one too, whatever they hold. */
#include "mesh/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "check.h"

/* a cube 0..1 and on its face x = 1 half of a cube up to x = 2, a prism over the triangle below the diagonal */
static const char msh2[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 5 \"grip\"\n3 7 "
    "\"core\"\n$EndPhysicalNames\n$Nodes\n10\n"
    "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n9 2 0 0\n10 2 1 0\n$EndNodes\n"
    "$Elements\n3\n1 3 2 5 1 1 4 8 5\n2 5 2 7 1 1 2 3 4 5 6 7 8\n3 6 2 0 1 2 6 9 3 7 10\n$EndElements\n";
static const char msh4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 5 \"grip\"\n3 7 \"core\"\n$EndPhysicalNames\n"
    "$Entities\n1 0 1 2\n1 0 0 0 0\n1 0 0 0 0 1 1 1 5 0\n1 0 0 0 1 1 1 1 7 1 1\n2 1 0 0 2 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 10 1 10\n3 1 0 8\n1\n2\n3\n4\n5\n6\n7\n8\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
    "2 1 1 2\n9\n10\n2 0 0 .1 .2\n2 1 0 .3 .4\n$EndNodes\n"
    "$Elements\n3 3 1 3\n2 1 3 1\n1 1 4 8 5\n3 1 5 1\n2 1 2 3 4 5 6 7 8\n3 2 6 1\n3 2 6 9 3 7 10\n$EndElements\n"
    "$Other\nanything 1 2 3\n$EndOther\n";
static const char inp[] =
    "*HEADING\n two cells\n** a comment\n*NODE, NSET=all\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n"
    "4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n9, 2., 0.\n10, 2., 1.\n"
    "*Element, type=C3D8R, elset=core\n12, 1, 2, 3, 4,\n 5, 6, 7, 8\n*ELEMENT, TYPE=C3D6\n"
    "13, 2, 6, 9, 3, 7, 10\n*ELSET, ELSET=both, GENERATE\n12, 13, 1\n*SURFACE, TYPE=ELEMENT, "
    "NAME=grip\n12, S6\n*MATERIAL, NAME=steel\n*DENSITY\n7800.\n";
static const char vtk[] =
    "# vtk DataFile Version 2.0\ntwo cells\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 float\n"
    "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 2 0 0 2 1 0\nCELLS 2 34\n"
    "8 0 1 2 3 4 5 6 7\n24 5 3 1 5 8 3 2 9 6 4 1 8 9 2 4 1 2 6 5 4 8 5 6 9\nCELL_TYPES 2\n12\n42\n"
    "CELL_DATA 2\nSCALARS a float\n1 2\n";
static const char vtu[] =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
    "<UnstructuredGrid><Piece NumberOfPoints=\"12\" NumberOfCells=\"2\"><Points>\n"
    "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 "
    "1 1\n"
    "2 0 0 2 1 0 1 0 0 1 1 0</DataArray></Points><Cells>\n"
    "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 4 5 6 7 10 5 8 11 6 9</DataArray>\n"
    "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">8 14</DataArray>\n"
    "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">12 13</DataArray>\n"
    "</Cells></Piece></UnstructuredGrid></VTKFile>\n";

static const struct {
    const char *name, *text;
    bool named;
} good[] = {
    {"a.msh", msh2, true}, {"b.msh", msh4, true}, {"c.inp", inp, true}, {"d.vtk", vtk, false}, {"e.vtu", vtu, false}};

static struct carom_mesh *read(const char *name, const char *text, struct carom_error *error)
{
    *error = (struct carom_error){CAROM_OK, ""};
    return carom_read(name, text, strlen(text), 0.5, error);
}

static double area_of(const struct carom_mesh *m, uint32_t side)
{
    double sum = 0.0;
    for (size_t f = 0; f < m->nfaces; f++)
        sum += m->face[f].side == side ? m->face[f].facet.area : 0.0;
    return sum;
}

static void check_good(size_t i)
{
    struct carom_error error;
    struct carom_mesh *m = read(good[i].name, good[i].text, &error);
    if (!m)
        fprintf(stderr, "%s: %s\n", good[i].name, error.text);
    CHECK_OR_STOP(m != NULL);
    CHECK(m->n == 2 && m->nlinks == 1 && m->nfaces == 9); /* lengths are halved, as the unit is */
    CHECK_NEAR(m->cell[0].volume, 0.125, 1e-15);
    CHECK_NEAR(m->cell[1].volume, 0.0625, 1e-15);
    CHECK_NEAR(m->cell[1].centre[0], 2.0 / 3.0, 1e-15);
    CHECK_NEAR(m->link[0].facet.area, 0.25, 1e-15);
    CHECK_NEAR(m->link[0].facet.normal[0], 1.0, 1e-15);
    CHECK_NEAR(area_of(m, good[i].named ? CAROM_MESH_NAMED + 1 : 0), 0.25, 1e-15);
    CHECK_NEAR(area_of(m, CAROM_MESH_OUTSIDE), 0.25 * sqrt(2.0), 1e-15); /* the slanted one */
    CHECK_NEAR(area_of(m, 4), 0.5, 1e-15);
    if (good[i].named) {
        CHECK(m->nsurfaces == 1 && strcmp(m->surface[0], "grip") == 0);
        CHECK(m->nsets >= 1 && strcmp(m->set[0].name, "core") == 0 && m->set[0].count == 1 && m->set[0].cell[0] == 0);
    }
    if (strcmp(good[i].name, "c.inp") == 0)
        CHECK(m->nsets == 2 && strcmp(m->set[1].name, "both") == 0 && m->set[1].count == 2);
    CHECK(m->look.point[1] == 8 && m->look.point[2] == 14 && m->look.face[2] == 11);
    carom_mesh_free(m);
}

/* `from` replaced by `to` in a good file, and a part of the sentence */
static void check_wrong(size_t which, const char *from, const char *to, const char *sentence)
{
    struct carom_error error;
    char text[4000];
    const char *at = strstr(good[which].text, from);
    CHECK_OR_STOP(at != NULL && strlen(good[which].text) + strlen(to) < sizeof text);
    const size_t before = (size_t)(at - good[which].text);
    memcpy(text, good[which].text, before);
    strcpy(text + before, to);
    strcat(text, at + strlen(from));
    struct carom_mesh *m = read(good[which].name, text, &error);
    CHECK(m == NULL);
    CHECK_CONTAINS(error.text, sentence);
    carom_mesh_free(m);
}

static void check_sentences(void)
{
    check_wrong(0, "2.2 0 8", "2.2 1 8", "line 2: it is binary: save it as ASCII");
    check_wrong(0, "2.2 0 8", "3.7 0 8", "line 2: version 3.7 of Gmsh's files is not known");
    check_wrong(0, "2 1 0 0\n", "2 1 x 0\n", "line 12: a coordinate of a node should stand here, not 'x'");
    check_wrong(0, "1 2 3 4 5 6 7 8\n", "1 2 3 4 5 6 7 88\n", "line 25: element 2 has node 88, which does not exist");
    check_wrong(0, "1 2 3 4 5 6 7 8\n", "5 6 7 8 1 2 3 4\n", "line 25, cell 2: it is inverted, its volume is -0.125");
    check_wrong(0, "1 2 3 4 5 6 7 8\n", "1 2 3 4 1 2 3 4\n", "line 25, cell 2: it is flat");
    check_wrong(0, "7 1 1 1\n", "7 1 1 1.2\n", "line 25, cell 2: a face of it is bent: its corners lie up to");
    check_wrong(0, "3 6 2 0", "3 11 2 0", "line 26: elements of type 11 are not known");
    check_wrong(0, "3 6 2 0 1 2 6 9 3 7 10", "3 5 2 0 1 1 2 3 4 5 6 7 8",
                "lie on the same side of a face: they overlap");
    check_wrong(0, "$Elements\n3", "$Elements\n4",
                "line 27: the number of an element should stand here, not '$EndElements'");
    check_wrong(1, "4.1 0 8", "4.0 0 8", "line 2: version 4.0");
    check_wrong(1, "$EndNodes", "$EndNode", "$EndNodes should stand here, not '$EndNode'");
    check_wrong(1, "$Nodes\n2 10", "$Nodes\n2 11",
                "line 39: there should be 11 nodes before this line, and there are 10");
    check_wrong(1, "$Elements\n3 3", "$Elements\n3 2", "there should be 2 elements before this line, and there are 3");
    check_wrong(2, "*NODE, NSET=all", "*PART, NAME=a\n*NODE",
                "line 28: the file breaks off: there is no *END of 'PART'");
    check_wrong(2, "*MATERIAL, NAME=steel", "*PART, NAME=a\n*ASSEMBLY",
                "line 25: *END PART is missing before 'ASSEMBLY'");
    check_wrong(2, "*MATERIAL, NAME=steel", "*PART, NAME=a\n*END PART\n*ASSEMBLY\n*INSTANCE, NAME=i, PART=b",
                "line 27: there is no part before this line with the name 'b'");
    check_wrong(2, "*MATERIAL, NAME=steel", "*PART, NAME=a\n*End part\n*ASSEMBLY\n*INSTANCE, NAME=i, PART=A",
                "the file breaks off: there is no *END of 'INSTANCE'");
    check_wrong(3, "10 float", "10 quaternion", "line 5: the type of points, such as double, should stand here");
    check_wrong(2, "type=C3D8R", "type=C3D10", "line 15: elements C3D4, C3D5, C3D6 and C3D8 are known, not 'C3D10'");
    check_wrong(2, "12, S6", "12, S7", "line 23: an element or a set and its face, such as S1, should stand here");
    check_wrong(2, "12, 13, 1", "12, 1000000000, 1", "line 21: there is no element '14'");
    check_wrong(2, "12, S6", "14, S6", "line 23: there is no element '14'");
    check_wrong(2, "\n 5, 6, 7, 8", "", "an element breaks off before");
    check_wrong(2, "10, 2., 1.", "9, 2., 1.",
                "line 15: two nodes before this line, at different places, have the number '9'");
    check_wrong(2, "*MATERIAL, NAME=steel", "*NODE\n9, 2., 1.", /* behind the last element */
                "two nodes before this line, at different places, have the number '9'");
    check_wrong(2, "13, 2, 6", "12, 2, 6", "line 19: there is another element before this one with the number '12'");
    check_wrong(0, "3 6 2 0", "2 6 2 0", "line 26: there is another element before this one with the number '2'");
    check_wrong(1, "3 2 6 9 3", "2 2 6 9 3", "line 48: there is another element before this one with the number '2'");
    check_wrong(0, "2 1 0 0\n", "3 1 0 0\n", "two nodes before this line have the number 3");
    check_wrong(3, "float\n0 ", "float\n0x1p3 ", "line 6: a coordinate should stand here, not '0x1p3'");
    check_wrong(3, "ASCII", "BINARY", "line 3: ASCII should stand here, not 'BINARY'");
    check_wrong(3, "8 0 1 2 3 4 5 6 7\n", "8 0 1 2 3 4 5 6 77\n", "cell 0 has node 77, and they count from 0 to 9");
    check_wrong(3, "24 5 3 1 5 8", "24 6 3 1 5 8", "the faces of polyhedron 1 do not fit its list");
    check_wrong(3, "\n12\n42", "\n12\n25", "cell 1 is of type 25");
    check_wrong(4, "ascii\">8 14", "ascii\">8 19", "offsets rise from 0 to 14, cell 1 has 19");
    check_wrong(4, "format=\"ascii\">8 14", "format=\"binary\">8 14", "offsets breaks off, or is not in base64");
    struct carom_error error;
    CHECK(read("x.stl", "solid", &error) == NULL);
    CHECK_CONTAINS(error.text, "a mesh is a file .msh (Gmsh), .inp (Abaqus), .vtk or .vtu (VTK)");
}

/* two unit cubes whose second begins at x, with nodes of their own */
static void check_apart(double x, const char *sentence)
{
    struct carom_draft d = {.loose = false};
    struct carom_error error = {CAROM_OK, ""};
    uint32_t node[8];
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < 8; i++) {
            const double at[3] = {(i % 4 == 1 || i % 4 == 2 ? 1.0 : 0.0) + (c == 1 ? x : 0.0), i % 4 > 1 ? 1.0 : 0.0,
                                  i > 3 ? 1.0 : 0.0};
            CHECK(carom_draft_add_node(&d, at));
            node[i] = 8 * c + i;
        }
        CHECK(carom_draft_add_cell(&d, CAROM_DRAFT_HEXAHEDRON, node, c + 1, 0));
    }
    struct carom_mesh *m = carom_assemble(&d, &error);
    CHECK((m == NULL) == (sentence != NULL));
    if (sentence)
        CHECK_CONTAINS(error.text, sentence);
    carom_mesh_free(m);
    carom_draft_free(&d);
}

/* no part of a file passes for a whole one but where only what is passed over is gone, and nothing crashes */
static void check_broken(struct carom_random *random)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const size_t length = strlen(good[i].text);
        char *text = carom_memory_zeroed(length + 1, 1);
        CHECK_OR_STOP(text != NULL);
        for (size_t cut = 0; cut < length; cut++) {
            struct carom_error error = {CAROM_OK, ""};
            memcpy(text, good[i].text, cut);
            struct carom_mesh *m = carom_read(good[i].name, text, cut, 1.0, &error);
            CHECK(m != NULL || error.text[0] != '\0');
            carom_mesh_free(m);
        }
        for (int trial = 0; trial < 3000; trial++) {
            struct carom_error error = {CAROM_OK, ""};
            memcpy(text, good[i].text, length);
            for (uint64_t k = 0; k <= carom_random_below(random, 4); k++)
                text[carom_random_below(random, length)] = " \n0123456789.-e$*<>\"x\0,"[carom_random_below(random, 23)];
            struct carom_mesh *m = carom_read(good[i].name, text, length, 1.0, &error);
            CHECK(m != NULL || error.text[0] != '\0');
            carom_mesh_free(m);
        }
        carom_memory_free(text);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        check_good(i);
    check_sentences();
    check_apart(1.0, "cell 1 and cell 2 touch or overlap but share no face");
    check_apart(1.0005, "cell 1 and cell 2 touch or overlap but share no face");
    check_apart(0.9, "cell 1 and cell 2 touch or overlap but share no face");
    check_apart(0.3, "cell 1 and cell 2 overlap");
    check_apart(1.1, NULL);
    check_broken(&random);
    return check_end();
}
