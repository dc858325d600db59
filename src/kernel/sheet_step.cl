/* Steps of plane boxes of one material, for sheet.cl and sheet_blocks.cl. After sheet.h. */

/* constants of the body and sizes of the step that ends and of the one that begins */
struct step {
    struct carom_sheet_axis axis[2];
    double weight[2];
    double end[3], begin[3]; /* arm a step by mass, and for the turn by 1 */
    double still[2];         /* velocities, angular momenta below which cells are at rest */
    double h, rate;          /* of the step that begins; rate: h / inertia */
    ulong nx, ny;
    int ends, begins, holds, loads, keeps, pad; /* keeps: forces, without those of loads */
};
