/* The keys of solids of general cells: Voronoi bodies and meshes out of files. */
#ifndef CAROM_SCENE_KEYS_KEYS_VORONOI_H
#define CAROM_SCENE_KEYS_KEYS_VORONOI_H

#include "scene/keys/keys.h"

struct carom_keys_voronoi {
    long cells, seed, relax;
};

struct carom_keys_voronoi_cylinder {
    double radius, height;
    int axis;
};

struct carom_keys_voronoi_sphere {
    double radius;
};

struct carom_keys_voronoi_fine {
    double within, times;
};

struct carom_keys_voronoi_mesh {
    double unit;
};

extern const struct carom_section carom_keys_voronoi_mesh, carom_keys_voronoi, carom_keys_voronoi_box,
    carom_keys_voronoi_cylinder, carom_keys_voronoi_sphere, carom_keys_voronoi_plane, carom_keys_voronoi_fine;

#endif
