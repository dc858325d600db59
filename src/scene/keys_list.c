/* Every section of a scene that has a table of keys, in the order in which the reference shows them. */
#include "scene/keys.h"
#include "scene/keys_solid.h"
#include "scene/keys_space.h"
#include "scene/keys_voronoi.h"

const struct carom_kind *const carom_keys_list[] = {
    &carom_keys_scene.kind,          &carom_keys_material.kind,
    &carom_keys_chain.kind,          &carom_keys_pattern.kind,
    &carom_keys_taper.kind,          &carom_keys_disorder.kind,
    &carom_keys_decorate.kind,       &carom_keys_impurity.kind,
    &carom_keys_bead.kind,           &carom_keys_striker.kind,
    &carom_keys_wall.kind,           &carom_keys_contacts.kind,
    &carom_keys_restitution.kind,    &carom_keys_start.kind,
    &carom_keys_strings.kind,        &carom_keys_load.kind,
    &carom_keys_signal.kind,         &carom_keys_run.kind,
    &carom_keys_record.kind,         &carom_keys_solid.kind,
    &carom_keys_solid_box.kind,      &carom_keys_solid_cylinder.kind,
    &carom_keys_voronoi_mesh.kind,   &carom_keys_voronoi.kind,
    &carom_keys_voronoi_box.kind,    &carom_keys_voronoi_cylinder.kind,
    &carom_keys_voronoi_sphere.kind, &carom_keys_voronoi_plane.kind,
    &carom_keys_voronoi_fine.kind,   &carom_keys_solid_cells.kind,
    &carom_keys_solid_recorded.kind, &carom_keys_solid_region.kind,
    &carom_keys_solid_damping.kind,  &carom_keys_solid_fracture.kind,
    &carom_keys_solid_crack.kind,    &carom_keys_solid_clamp.kind,
    &carom_keys_solid_drive.kind,    &carom_keys_solid_load.kind,
    &carom_keys_solid_start.kind,    &carom_keys_solid_ball.kind,
    &carom_keys_solid_plane.kind,    &carom_keys_solid_contacts.kind,
    &carom_keys_solid_tie.kind,      &carom_keys_sensor.kind,
    &carom_keys_space_disc.kind,     &carom_keys_space_sphere.kind,
    &carom_keys_space_lattice.kind,  &carom_keys_space_intruder.kind,
    &carom_keys_space_packing.kind,  &carom_keys_space_file.kind,
    &carom_keys_space_run.kind,      &carom_keys_space_plane.kind,
    &carom_keys_space_box.kind,      &carom_keys_space_cylinder.kind,
    &carom_keys_space_polygon.kind,  &carom_keys_space_polyhedron.kind,
    &carom_keys_space_capsule.kind,  &carom_keys_space_compound.kind,
    &carom_keys_space_lead.kind,     &carom_keys_space_meeting.kind,
    &carom_keys_space_friction.kind, &carom_keys_space_start.kind,
    &carom_keys_space_velocity.kind, &carom_keys_space_load.kind,
    &carom_keys_space_joint.kind,    NULL,
};
