/* Voronoi cells against those of voro++ (Rycroft 2009), which finds them by another way: who is a neighbour of whom,
 * areas, volumes and centres of points in a box, as drawn and relaxed. Built where voro++ and a C++ compiler are. */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include <voro++/voro++.hh>

extern "C" {
#include "base/random.h"
#include "mesh/voronoi.h"
}

namespace
{

int failures = 0;

void check(bool good, const char *what, double off)
{
    if (!good && ++failures < 20)
        std::fprintf(stderr, "%s: off by %g\n", what, off);
}

/* faces that are a rounding apart may be there for one and not for the other */
void compare(const std::vector<double> &place, double tiny)
{
    const size_t n = place.size() / 3;
    const double size[3] = {2.0, 1.0, 0.5};
    carom_outline_shape box = {};
    box.kind = CAROM_OUTLINE_BOX;
    std::copy(size, size + 3, box.size);
    carom_outline region = {};
    region.nshapes = 1;
    region.shape = &box;
    carom_mesh *mesh =
        carom_voronoi_of_points(n, reinterpret_cast<const double(*)[3]>(place.data()), &region, nullptr, nullptr);
    check(mesh != nullptr, "no mesh", 0.0);
    if (mesh == nullptr)
        return;
    std::map<std::pair<size_t, size_t>, double> area;
    for (size_t l = 0; l < mesh->nlinks; l++)
        area[{mesh->link[l].cell[0], mesh->link[l].cell[1]}] = mesh->link[l].facet.area;
    voro::container all(0.0, size[0], 0.0, size[1], 0.0, size[2], 12, 6, 3, false, false, false, 8);
    for (size_t i = 0; i < n; i++)
        all.put(static_cast<int>(i), place[3 * i], place[3 * i + 1], place[3 * i + 2]);
    voro::c_loop_all loop(all);
    voro::voronoicell_neighbor cell;
    std::vector<int> who;
    std::vector<double> faces;
    size_t links = 0;
    if (loop.start())
        do {
            if (!all.compute_cell(cell, loop))
                continue;
            const size_t i = static_cast<size_t>(loop.pid());
            double centre[3];
            cell.centroid(centre[0], centre[1], centre[2]);
            const double volume = cell.volume();
            check(std::fabs(volume - mesh->cell[i].volume) < 1e-12 * volume + 1e-15, "volume",
                  volume - mesh->cell[i].volume);
            for (size_t k = 0; k < 3; k++) {
                const double off = place[3 * i + k] + centre[k] - mesh->cell[i].centre[k];
                check(std::fabs(off) < 1e-12, "centre", off);
            }
            cell.neighbors(who);
            cell.face_areas(faces);
            for (size_t f = 0; f < who.size(); f++) {
                if (who[f] < static_cast<int>(i))
                    continue;
                const auto found = area.find({i, static_cast<size_t>(who[f])});
                const double ours = found != area.end() ? found->second : 0.0;
                check(std::fabs(ours - faces[f]) < 1e-11, "area", ours - faces[f]);
                links += faces[f] > tiny ? 1 : 0;
            }
        } while (loop.inc());
    size_t own = 0;
    for (const auto &one : area)
        own += one.second > tiny ? 1 : 0;
    check(links == own, "number of links", static_cast<double>(links) - static_cast<double>(own));
    std::printf("%zu cells, %zu links\n", n, own);
    carom_mesh_free(mesh);
}

} // namespace

int main()
{
    carom_random random;
    carom_random_start(&random, 5);
    std::vector<double> place;
    for (size_t i = 0; i < 1500; i++)
        for (double edge : {2.0, 1.0, 0.5})
            place.push_back(edge * carom_random_uniform(&random));
    compare(place, 1e-9);
    place.clear(); /* nearly a lattice: corners where eight cells meet, but for a little */
    for (size_t i = 0; i < 16 * 8 * 4; i++) {
        const size_t at[3] = {i % 16, i / 16 % 8, i / 128};
        for (size_t j : at)
            place.push_back(0.125 * (static_cast<double>(j) + 0.5) + 1e-4 * carom_random_uniform(&random));
    }
    compare(place, 1e-9);
    if (failures > 0)
        std::fprintf(stderr, "%d checks failed\n", failures);
    return failures > 0 ? 1 : 0;
}
