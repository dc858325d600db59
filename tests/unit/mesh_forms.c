/* Forms of mesh files that are not plain: .vtu with numbers appended as raw bytes, of all types, with polyhedra; .inp
 * with flat elements, sets of sets and surfaces of sets; and the sentence for all that is not read. */
#include "mesh/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static struct carom_mesh *read(const char *name, const char *text, size_t length, struct carom_error *error)
{
    *error = (struct carom_error){CAROM_OK, ""};
    return carom_read(name, text, length, 1.0, error);
}

static double area_of(const struct carom_mesh *m, uint32_t side)
{
    double sum = 0.0;
    for (size_t f = 0; f < m->nfaces; f++)
        sum += m->face[f].side == side ? m->face[f].facet.area : 0.0;
    return sum;
}

/* `from` replaced by `to`; the sentence says this */
static void check_wrong(const char *name, const char *text, size_t length, const char *from, const char *to,
                        const char *sentence)
{
    struct carom_error error;
    char other[6000];
    const size_t old = strlen(from), new = strlen(to);
    size_t at = 0;
    while (at + old <= length && memcmp(text + at, from, old) != 0)
        at++;
    CHECK_OR_STOP(at + old <= length && length + new < sizeof other);
    memcpy(other, text, at);
    memcpy(other + at, to, new);
    memcpy(other + at + new, text + at + old, length - at - old);
    struct carom_mesh *m = read(name, other, length - old + new, &error);
    CHECK(m == NULL && error.status == CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, sentence);
    carom_mesh_free(m);
}

/* --- .vtu with raw bytes ---------------------------------------------------------------------------------------- */

struct raw {
    char text[4000], bytes[3000];
    size_t length, size, header;
};

static void tag(struct raw *r, const char *name, const char *type)
{
    r->length += (size_t)snprintf(r->text + r->length, sizeof r->text - r->length,
                                  "<DataArray type=\"%s\" Name=\"%s\" format=\"appended\" offset=\"%zu\"/>\n", type,
                                  name, r->size);
}

static void begin_array(struct raw *r, size_t bytes)
{
    const uint64_t large = bytes;
    const uint32_t small = (uint32_t)bytes;
    memcpy(r->bytes + r->size, r->header == 8 ? (const void *)&large : (const void *)&small, r->header);
    r->size += r->header;
}

/* writes the numbers as `type` */
static void array(struct raw *r, const char *name, const char *type, const double *value, size_t count)
{
    tag(r, name, type);
#define AS(word, kind)                                                         \
    if (strcmp(type, word) == 0) {                                             \
        begin_array(r, count * sizeof(kind));                                  \
        for (size_t i = 0; i < count; i++, r->size += sizeof(kind))            \
            memcpy(r->bytes + r->size, &(kind){(kind)value[i]}, sizeof(kind)); \
    }
    AS("Float64", double)
    AS("Float32", float)
    AS("Int64", int64_t)
    AS("UInt64", uint64_t)
    AS("Int32", int32_t)
    AS("UInt32", uint32_t)
    AS("Int8", int8_t)
    AS("UInt8", uint8_t)
#undef AS
}

static void say(struct raw *r, const char *text)
{
    r->length += (size_t)snprintf(r->text + r->length, sizeof r->text - r->length, "%s", text);
}

/* a cube as a polyhedron and a prism on its face x = 1 that has points of its own there */
static void make_raw(struct raw *r, size_t header, const char *real, const char *whole)
{
    static const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1,
                                    1, 1, 1, 0, 1, 1, 2, 0, 0, 2, 1, 0, 1, 0, 0, 1, 1, 0};
    static const double connectivity[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 5, 8, 11, 6, 9}, offsets[] = {8, 14},
                        types[] = {42, 13}, faceoffsets[] = {31, 31};
    static const double faces[] = {6, 4, 0, 3, 2, 1, 4, 4, 5, 6, 7, 4, 0, 1, 5, 4,
                                   4, 1, 2, 6, 5, 4, 2, 3, 7, 6, 4, 3, 0, 4, 7};
    *r = (struct raw){.header = header};
    say(r, "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"");
    say(r, header == 8 ? " header_type=\"UInt64\">\n" : " header_type=\"UInt32\">\n");
    say(r, "<UnstructuredGrid><Piece><PointData>\n<DataArray type=\"Float32\" Name=\"heat\" format=\"ascii\">1 2"
           "</DataArray></PointData>\n<Points>");
    array(r, "place", real, points, 36);
    say(r, "</Points><Cells>");
    array(r, "connectivity", whole, connectivity, 14);
    array(r, "offsets", whole, offsets, 2);
    array(r, "types", "UInt8", types, 2);
    array(r, "faces", whole, faces, 31);
    array(r, "faceoffsets", whole, faceoffsets, 2);
    say(r, "</Cells></Piece></UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
    memcpy(r->text + r->length, r->bytes, r->size);
    r->length += r->size;
    say(r, "\n</AppendedData></VTKFile>\n");
}

static void check_raw(size_t header, const char *real, const char *whole)
{
    struct carom_error error;
    struct raw r;
    make_raw(&r, header, real, whole);
    struct carom_mesh *m = read("a.vtu", r.text, r.length, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(m != NULL);
    CHECK(m->n == 2 && m->nlinks == 1 && m->nfaces == 9);
    CHECK_NEAR(m->cell[0].volume, 1.0, 1e-15);
    CHECK_NEAR(m->cell[1].volume, 0.5, 1e-15);
    CHECK_NEAR(m->cell[1].centre[0], 4.0 / 3.0, 1e-15);
    CHECK_NEAR(area_of(m, CAROM_MESH_OUTSIDE), sqrt(2.0), 1e-15);
    carom_mesh_free(m);
}

static void check_raw_wrong(void)
{
    struct raw r;
    make_raw(&r, 8, "Float64", "Int64");
    static const struct {
        const char *from, *to, *sentence;
    } wrong[] = {
        {"type=\"UnstructuredGrid\"", "type=\"PolyData\"", "the file holds no UnstructuredGrid"},
        {"<VTKFile type=\"UnstructuredGrid\"", "<VTKFile kind=\"1\"", "the file holds no UnstructuredGrid"},
        {"<VTKFile", "<SomeFile", "the file is not a VTKFile"},
        {"byte_order=\"LittleEndian\"", "byte_order=\"BigEndian\"", "in the order LittleEndian, not BigEndian"},
        {"byte_order=\"LittleEndian\"", "compressor=\"vtkLZ4\"", "the file is compressed by vtkLZ4: save it without"},
        {"encoding=\"raw\"", "encoding=\"base64\"", "Points breaks off, or is not in base64"},
        {"encoding=\"raw\"", "encoding=\"hex\"", "appended numbers are read raw or in base64, not in 'hex'"},
        {" encoding=\"raw\"", "", "appended numbers are read raw or in base64, not in ''"},
        {"<AppendedData", "<AppendedDatum", "is appended, but there is no AppendedData"},
        {"<Points>", "</Piece><Piece><Points>", "the file has several pieces: one is read"},
        {"type=\"Float64\"", "type=\"Float16\"", "numbers of type Float16 are not read"},
        {"Name=\"offsets\"", "Name=\"beginnings\"", "the file breaks off, or has no offsets"},
        {"Name=\"faceoffsets\"", "Name=\"others\"", "faceoffsets: number 0 should be a whole one from 0 on"},
        {"offset=\"0\"", "offset=\"99999\"", "Points begins beyond the end of the file: it breaks off"},
        {"offset=\"0\"", "offset=\"8\"", "there are cells, but no points"}, /* a length of 0.0 */
        {"offset=\"0\"", "offset=\"37\"", "Points breaks off"},
        {"type=\"Int64\" Name=\"connectivity\"", "type=\"Float64\" Name=\"connectivity\"",
         "connectivity: number 8 should be a whole"},
        {"type=\"Int64\" Name=\"offsets\"", "type=\"Float64\" Name=\"offsets\"", "offsets: number 0 should be a whole"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_wrong("a.vtu", r.text, r.length, wrong[i].from, wrong[i].to, wrong[i].sentence);
    const double none = nan("");
    char *at = r.text + r.length - r.size - strlen("\n</AppendedData></VTKFile>\n") + 8;
    memcpy(at, &none, sizeof none);
    check_wrong("a.vtu", r.text, r.length, "VTKFile", "VTKFile", "number 0 of Points is not finite");
}

static const char words[] =
    "<VTKFile type=\"UnstructuredGrid\"><Points><DataArray format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 "
    "1</DataArray></Points>"
    "<Cells><DataArray Name=\"connectivity\">0 1 2 3</DataArray><DataArray Name=\"offsets\">4</DataArray>"
    "<DataArray Name=\"types\">10</DataArray></Cells></VTKFile>";

static void check_words(void)
{
    struct carom_error error;
    struct carom_mesh *m = read("b.vtu", words, strlen(words), &error);
    CHECK_OR_STOP(m != NULL);
    CHECK(m->n == 1 && m->nlinks == 0 && m->nfaces == 4);
    CHECK_NEAR(m->cell[0].volume, 1.0 / 6.0, 1e-16);
    carom_mesh_free(m);
    static const struct {
        const char *from, *to, *sentence;
    } wrong[] = {
        {"0 0 1<", "0 0 one<", "a number of Points should stand here, not 'one'"},
        {"0 0 1<", "0 0 1e999<", "a number of Points should stand here, not '1e999'"},
        {"<Cells>", "<Cells><DataArray Name=\"types\">12</DataArray>", "types stands twice in the file"},
        {"<Points>", "<Piece NumberOfPoints=\"5\"><Points>",
         "Points has 12 numbers, and NumberOfPoints=\"5\" asks for 3"},
        {"<Cells>", "<Piece NumberOfCells=\"2\"><Cells>", "offsets has 1 numbers, and NumberOfCells=\"2\" asks for 1"},
        {"<Cells>", "<Piece NumberOfCells=\"-1\"><Cells>",
         "NumberOfCells should be a whole number from 0 on, not '-1'"},
        {"<Cells>", "<!-- <Cells>", "this comment is never closed"},
        {"</VTKFile>", "", "the file breaks off: it does not end with </VTKFile>"},
        {"Name=\"types\">10<", "Name=\"types\" type=\"UInt8\">300<", "300 of types is not a number of type UInt8"},
        {"Name=\"types\"", "Name=\"types\" NumberOfComponents=\"3\"",
         "types has NumberOfComponents=\"3\", it should have 1"},
        {"0 0 1<", "0 1<", "points have three coordinates each"},
        {">4<", ">3.5<", "offsets: number 0 should be a whole one from 0 on"},
        {">4<", "><", "offsets: number 0 should be a whole one from 0 on"},
        {">4<", ">-1<", "offsets: number 0 should be a whole one from 0 on"},
        {"0 1 2 3<", "0 1 2 4<", "node 4"},
        {">10<", ">42<", "faceoffsets: number 0 should be a whole one from 0 on"},
        {">10<", ">42</DataArray><DataArray Name=\"faceoffsets\">7<", "faceoffsets rise from 0 to 0, cell 0 has 7"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_wrong("b.vtu", words, strlen(words), wrong[i].from, wrong[i].to, wrong[i].sentence);
}

/* made smaller by zlib, points in two blocks, in base64, as VTK and others write it unless they are asked not to */
static void check_zlib(void)
{
    static const char text[] =
        "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\"><Points><DataArray type=\"Float64\" "
        "format=\"binary\">\n AgAAAEAAAAAgAAAAEQAAAA4AAAA=eNpjYMAHPtgzEJAHACpeAl942mNgwAc+2AMAAj8BMA==\n"
        "</DataArray></Points><Cells><DataArray Name=\"connectivity\" type=\"Int64\" format=\"binary\">"
        "AQAAACAAAAAAAAAAEwAAAA==eNpjYIAARijNBKWZoTQAAHAABw==</DataArray>"
        "<DataArray Name=\"offsets\" type=\"Int64\" format=\"binary\">AQAAAAgAAAAAAAAACwAAAA==eNpjYYAAAAAoAAU="
        "</DataArray><DataArray Name=\"types\" type=\"UInt8\" format=\"binary\">AQAAAAEAAAAAAAAACQAAAA==eNrjAgAACwAL"
        "</DataArray></Cells></VTKFile>";
    struct carom_error error;
    struct carom_mesh *m = read("c.vtu", text, strlen(text), &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(m != NULL && m->n == 1);
    CHECK_NEAR(m->cell[0].volume, 1.0 / 6.0, 1e-16);
    carom_mesh_free(m);
    static const struct {
        const char *from, *to, *sentence;
    } wrong[] = {
        {"8BMA==", "8BNA==", "line 1: Points breaks off, or is not in base64, or is not what zlib makes"}, /* its sum */
        {"AgAAAEAAAAAg", "AgAAAEAAAAAh", "Points breaks off"},
        {"AgAAAEAA", "//8/AEAA", "Points breaks off"},
        {"AgAAAEAAAAAg", "AgAAAEAA/38g", "Points breaks off"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_wrong("c.vtu", text, strlen(text), wrong[i].from, wrong[i].to, wrong[i].sentence);
}

/* --- .inp ------------------------------------------------------------------------------------------------------- */

/* a unit cube (11) with a pyramid (12) on top of it and tetrahedra (13, 14) on two of its sides; sheets name faces */
static const char inp[] =
    "*NODE, SYSTEM = R\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, "
    "1\n"
    "9, .5, .5, 2\n10, 3, 0\n11, 3, 1\n12, 3, 0, 1\n13, 4, 0\n*ELEMENT, TYPE=T3D2\n90, 1, 2\n"
    "*ELEMENT, TYPE=C3D8, ELSET=low\n11, 1, 2, 3, 4, 5, 6, 7, 8,\n*ELEMENT, TYPE=C3D5\n12, 5, 6, 7, 8, 9\n"
    "*ELEMENT, TYPE=C3D4\n13, 10, 13, 11, 12\n*ELEMENT, TYPE=CPS4R\n21, 1, 4, 3, 2\n*ELEMENT, TYPE=S3\n"
    "22, 5, 6, 9\n23, 6, 7, 9\n*ELSET, ELSET=floor\n21,\n*ELSET, ELSET=roof, GENERATE\n22, 23\n"
    "*ELSET, ELSET=all\nlow, 12\n13\n*ELSET, ELSET=odd, GENERATE\n11, 13, 2\n*ELSET, ELSET=every\nall, low\n"
    "*SURFACE, NAME=south\nlow, S3\n*SURFACE, NAME=knots, TYPE=NODE\n1, 2\n";

static size_t members(const struct carom_mesh *m, const char *name)
{
    for (size_t i = 0; i < m->nsets; i++)
        if (strcmp(m->set[i].name, name) == 0)
            return m->set[i].count;
    return SIZE_MAX;
}

static double named_area(const struct carom_mesh *m, const char *name)
{
    for (size_t i = 0; i < m->nsurfaces; i++)
        if (strcmp(m->surface[i], name) == 0)
            return area_of(m, CAROM_MESH_NAMED + (uint32_t)i + 1);
    return nan("");
}

static void check_inp(void)
{
    struct carom_error error;
    struct carom_mesh *m = read("c.inp", inp, strlen(inp), &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(m != NULL);
    CHECK(m->n == 3 && m->nlinks == 1 && m->nfaces == 5 + 4 + 4);
    CHECK_NEAR(m->cell[1].volume, 1.0 / 3.0, 1e-15);
    CHECK_NEAR(m->cell[2].volume, 1.0 / 6.0, 1e-15);
    CHECK(members(m, "low") == 1 && members(m, "all") == 3 && members(m, "odd") == 2 && members(m, "every") == 3);
    CHECK_NEAR(named_area(m, "roof"), 2.0 * 0.5 * sqrt(1.25), 1e-15);
    CHECK_NEAR(named_area(m, "floor"), 1.0, 1e-15);
    CHECK_NEAR(named_area(m, "south"), 1.0, 1e-15);
    carom_mesh_free(m);
}

/* as Abaqus' own program writes it: a part, an instance where it stands, what is said of it by set and surface there;
 * keywords that go on in the next line, names in quotes and of any case, Fortran's doubles */
static void check_inp_assembly(void)
{
    static const char text[] =
        "*Heading\n** Job name: a\n*Part, name=Bar\n*Node\n1, 0.D+00, 0., 0.\n2, 1.d0, 0., 0.\n"
        "3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., "
        "1.\n*Element, type=C3D8R,\n  elset=\"the core\"\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
        "*Nset, nset=Set-1, generate\n1, 8, 1\n*Solid Section, elset=\"the core\", material=a\n,\n"
        "*End Part\n*Assembly, name=Assembly\n*Instance, name=Bar-1, part=Bar\n0., 0., 0.\n"
        "*End Instance\n*Elset, elset=_Tip_S4, internal, instance=Bar-1,\n1,\n"
        "*Surface, type=ELEMENT, name=tip\n_TIP_S4, S4\n*End Assembly\n*Step, name=one\n";
    struct carom_error error;
    struct carom_mesh *m = read("d.inp", text, strlen(text), &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(m != NULL);
    CHECK(m->n == 1 && members(m, "the core") == 1 && members(m, "_Tip_S4") == 1);
    CHECK_NEAR(m->cell[0].centre[0], 0.5, 1e-15);
    CHECK_NEAR(named_area(m, "tip"), 1.0, 1e-15);
    carom_mesh_free(m);
}

static void check_inp_wrong(void)
{
    static const struct {
        const char *from, *to, *sentence;
    } wrong[] = {
        {"SYSTEM = R", "SYSTEM=C", "line 1: nodes are read in rectangular coordinates, not SYSTEM= 'C'"},
        {"1, 0, 0, 0", "1", "line 2: a node has a number and coordinates, not '1'"},
        {"1, 0, 0, 0", "1.5, 0, 0, 0", "line 2: a whole number should stand here, not '1.5'"},
        {"1, 0, 0, 0", "-1, 0, 0, 0", "line 2: a whole number should stand here, not '-1'"},
        {"1, 0, 0, 0", "1, 0, zero, 0", "line 2: a coordinate should stand here, not 'zero'"},
        {"1, 0, 0, 0", "1, 0, 0m, 0", "line 2: a coordinate should stand here, not '0m'"},
        {"1, 0, 0, 0", "1, 0, 1e999, 0", "line 2: a coordinate should stand here, not '1e999'"},
        {"1, 0, 0, 0", "1, 0, 0x1p3, 0", "line 2: a coordinate should stand here, not '0x1p3'"},
        {"1, 0, 0, 0", "0x1, 0, 0, 0", "line 2: a whole number should stand here, not '0x1'"},
        {"1, 0, 0, 0", "1, 0, 1e308, 0", "a coordinate of it is too large, its volume is more than a number can hold"},
        {"*ELEMENT, TYPE=C3D8,", "*ELEMENT,", "line 17: TYPE= is missing in '*ELEMENT'"},
        {"*ELSET, ELSET=floor", "*ELSET", "line 28: ELSET= is missing in '*ELSET'"},
        {"*SURFACE, NAME=south", "*SURFACE", "line 39: NAME= is missing in '*SURFACE'"},
        {"*SURFACE, NAME=south\nlow, S3", "*INSTANCE, NAME=a\n0., 5.,",
         "line 40: an instance is read where its part "
         "stands, not moved by '5.'"},
        {"*SURFACE, NAME=south\nlow, S3", "*PART, NAME=a\n*PART, NAME=b",
         "line 40: one part and one instance of it are "
         "read"},
        {"*SURFACE, NAME=south\nlow, S3", "*INSTANCE\n*Instance", "not with a second 'INSTANCE'"},
        {"*SURFACE, NAME=south", "*NGEN, NAME=a", "made by 'NGEN'"},
        {"ELSET=low", "ELSET=a-name-that-is-much-too-long-for-it", "a name has at most 31 letters"},
        {"8,\n*ELEMENT, TYPE=C3D5", "8, 9\n*ELEMENT, TYPE=C3D5", "line 18: this element has too many nodes: '9'"},
        {"8,\n*ELEMENT, TYPE=C3D5", "88\n*ELEMENT, TYPE=C3D5", "line 18: there is no node '88'"},
        {"8,\n*ELEMENT, TYPE=C3D5", "x\n*ELEMENT, TYPE=C3D5", "line 18: a whole number should stand here, not 'x'"},
        {"TYPE=C3D5", "TYPE=C3D55", "elements C3D4, C3D5, C3D6 and C3D8 are known, not 'C3D55'"},
        {"22, 23", "23, 22", "line 31: first, last and a step of at least 1 should stand here"},
        {"11, 13, 2", "11, 13, 0", "first, last and a step of at least 1 should stand here"},
        {"11, 13, 2", "11, x, 2", "a whole number should stand here, not 'x'"},
        {"11, 13, 2", "11, 1000000000, 2", "line 36: there is no element '15'"},
        {"low, 12", "all, 12", "line 33: a set does not name itself: 'all'"},
        {"low, 12", "high, 12", "line 33: there is no element set 'high'"},
        {"low, 12", "low, 17", "line 33: there is no element '17'"},
        {"low, 12", "low, 12a", "line 33: a whole number should stand here, not '12a'"},
        {"low, S3", "high, S1", "line 40: there is no element set 'high'"},
        {"low, S3", "12, S6", "line 40: an element has no such face: 'S6'"},
        {"low, S3", "1x, S1", "line 40: a whole number should stand here, not '1x'"},
        {"low, S3", "low", "an element or a set and its face, such as S1, should stand here"},
        {"low, S3", "low, S1", "a face belongs to floor and to south: surfaces must not share faces"},
        {"low, S3", "low, F1", "an element or a set and its face, such as S1, should stand here"},
        {"low, S3", "low, S0", "an element or a set and its face, such as S1, should stand here"},
        {"low, S3", "low, S12", "an element or a set and its face, such as S1, should stand here"},
        {"*SURFACE, NAME=knots, TYPE=NODE", "*ELEMENT, TYPE=C3D4", "the file breaks off in an element of '*ELEMENT'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_wrong("c.inp", inp, strlen(inp), wrong[i].from, wrong[i].to, wrong[i].sentence);
}

int main(void)
{
    static const char *const wholes[] = {"Int64", "UInt64", "Int32", "UInt32", "Int8", "UInt8"};
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++)
        check_raw(i % 2 == 0 ? 8 : 4, i < 3 ? "Float64" : "Float32", wholes[i]);
    check_raw_wrong();
    check_words();
    check_zlib();
    check_inp();
    check_inp_assembly();
    check_inp_wrong();
    return check_end();
}
