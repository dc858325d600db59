// A square plate with a round hole, for scenes/solid-plate.yaml: prisms over nearly equal triangles, whose centres see each
// other squarely through their sides. Made into plate.msh by:  gmsh -3 -format msh41 -o plate.msh plate.geo
L = 40; R = 10; T = 4; h = 4; // half the plate, the hole, the thickness, the length of sides in mm
Mesh.Algorithm = 6; // frontal
Mesh.Binary = 0;
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Point(1) = {-L, -L, 0};
Point(2) = {L, -L, 0};
Point(3) = {L, L, 0};
Point(4) = {-L, L, 0};
Point(5) = {0, 0, 0};
Point(6) = {R, 0, 0};
Point(7) = {0, R, 0};
Point(8) = {-R, 0, 0};
Point(9) = {0, -R, 0};
For i In {1 : 4}
    Line(i) = {i, i % 4 + 1};
    Circle(4 + i) = {5 + i, 5, 6 + i % 4};
EndFor
Curve Loop(1) = {1 : 4};
Curve Loop(2) = {5 : 8};
Plane Surface(1) = {1, 2};
out[] = Extrude {0, 0, T} { Surface{1}; Layers{2}; Recombine; };
Physical Volume("plate") = {out[1]};
Physical Surface("right-grip") = {out[3]};
Physical Surface("left-grip") = {out[5]};
Physical Surface("hole") = {out[6] : out[9]};
