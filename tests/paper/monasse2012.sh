# Forces, conservation, orders, waves, moduli, beam and cylinder of Monasse and Mariotti 2012 come out, within the distances
# the rows allow. Rows that measure the same on a finer body or with another nu, the long run and Lamb's problem (which
# unit.study_lamb has, too) are left to monasse2012_long.
. "$SOURCE/tests/paper.sh"
carom_rows monasse2012 gradient momentum way-back order-box order-plate order-voronoi waves young-nu poisson-nu \
    voronoi-nu0.25 turn-bound beam-mode cylinder struck bars-wall fracture-strip
