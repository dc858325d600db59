/* Arrays of VTK's XML files (.vtu, .vtp) of one piece: numbers in ASCII, or as bytes, raw or in base64, in place or
 * appended, or made smaller by zlib. */
#ifndef CAROM_MESH_VTK_XML_H
#define CAROM_MESH_VTK_XML_H

#include "mesh/source.h"

enum carom_vtk_xml_of { CAROM_VTK_XML_LIST, CAROM_VTK_XML_POINTS, CAROM_VTK_XML_CELLS };

/* An array that is wanted, and what the file has of it. */
struct carom_vtk_xml_array {
    const char *parent, *name; /* where it stands, such as CellData; name NULL: whatever it is called */
    size_t components;
    enum carom_vtk_xml_of of; /* what has so many numbers each; lists have as many as they like */
    double *value;            /* of the caller, to be freed, also after an error; NULL: it is not there */
    size_t count;             /* whole numbers up to 2^53 are exact */
};

/* Reads n arrays; polydata: of surfaces too, not of unstructured grids alone. False and the sentence. */
bool carom_vtk_xml(struct carom_source *source, bool polydata, size_t n, struct carom_vtk_xml_array *array);

#endif
