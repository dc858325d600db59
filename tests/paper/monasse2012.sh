# Forces, conservation, orders, waves, moduli, beam, cylinder and Lamb's problem of Monasse and Mariotti 2012 come out,
# within the distances the rows allow. Rows that measure the same on a finer body or with another nu are left to
# monasse2012_long.
. "$SOURCE/tests/paper.sh"
carom_rows monasse2012 gradient momentum drift way-back order-box order-plate order-voronoi waves young-nu poisson-nu \
    voronoi-nu0.25 turn-bound beam-mode cylinder lamb-surface struck bars-equal bars-wall fracture-plate fracture-strip
