/* Sines and arcs for everything whose bits must not depend on the C library, as power.h has it. */
#ifndef CAROM_BASE_ANGLE_H
#define CAROM_BASE_ANGLE_H

#define CAROM_ANGLE_PI 3.14159265358979323846

double carom_angle_sin(double x);
double carom_angle_cos(double x);
void carom_angle_both(double x, double *sin, double *cos); /* the same two, for less */
double carom_angle_atan(double x);
double carom_angle_atan2(double y, double x);

/* the rotation by a vector, its axis times the angle, as a quaternion */
void carom_angle_turn(const double vector[3], double turn[4]);

#endif
