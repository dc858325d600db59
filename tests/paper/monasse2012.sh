# Forces, conservation, orders, waves, moduli, beam, cylinder and Lamb's problem of Monasse and Mariotti 2012 come out,
# within the distances the rows allow. Rows that take long are left out.
exec "$CAROM" verify monasse2012 --papers "$SOURCE/papers"
