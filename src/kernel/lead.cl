/* A plane box of one material that is driven is moved by forces that were kept as the processor moves it cell by cell:
 * the second kick of a step, the first kick and the drift of one, or one of the two; loads join the forces at first.
 * After push.cl and glide.cl. */
__kernel void lead(const ulong n, const double end, const double begin, const double still, const double still_turn,
                   const int holds, const int loads, __global const double4 *q0, __global double4 *q1,
                   __global double *v, __global const uchar *held, __global const int *first,
                   __global const struct push *push, __global const uint *sort, __global const struct sort *sorts,
                   __global double *force, __global int *wrong)
{
    const size_t i = get_global_id(0);
    double f[3];
    if (i >= n || get_global_id(1) > 0)
        return;
    for (int k = 0; k < 3; k++)
        f[k] = force[3 * i + k];
    if (loads)
        shove(i, 3, first, push, f);
    for (int k = 0; k < 3; k++)
        force[3 * i + k] = f[k];
    const struct stride stride = {0.5 * end, 0.5 * begin, begin, {still, still_turn}, holds};
    glide(stride, i, f, q0, q1, v, &sorts[sort[i]], held, wrong);
}
