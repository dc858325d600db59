"""The solitary wave of a Hertz chain against the exact one. With m = k = 1 and speed 1 the overlap phi between neighbours
satisfies phi = Lambda * phi^(3/2), Lambda the tent of half-width 1 (English and Pego 2005); it is solved here by Fourier
transforms and Petviashvili's iteration. A wave of speed c (contacts per time) has the force c^6 phi(c t)^(3/2). Then the
speed is ~ F^(1/6) and the fitted width the same number of diameters for all forces."""
import csv
import glob
import os
import subprocess

import numpy

from checks import near, end

CAROM = os.environ["CAROM"]
for old in glob.glob("*.h5"):
    os.remove(old)


def soliton(n, half):
    x = (numpy.arange(n) - n // 2) * (2.0 * half / n)
    tent = numpy.sinc(numpy.fft.fftfreq(n, 2.0 * half / n)) ** 2
    phi = numpy.where(abs(x) < 2.5, numpy.cos(numpy.clip(x * numpy.pi / 5.0, -numpy.pi / 2, numpy.pi / 2)) ** 4, 0.0)
    for _ in range(500):
        image = numpy.fft.ifft(numpy.fft.fft(numpy.maximum(phi, 0.0) ** 1.5) * tent).real
        new = ((phi * phi).sum() / (phi * image).sum()) ** 3 * image
        change, phi = abs(new - phi).max(), new
        if change < 2e-15:
            break
    return x, numpy.maximum(phi, 0.0) ** 1.5


def fit(x, f):
    """tau by least squares over the front, found by trying ever smaller steps"""
    front = (x <= 0.0) & (f >= 0.01 * f.max())

    def off(tau):
        z = x[front] / tau
        return ((f[front] / f.max() - numpy.where(abs(z) < numpy.pi / 2, numpy.cos(z) ** 6, 0.0)) ** 2).mean()
    tau, step = 1.5, 0.1
    while step > 1e-9:
        if off(tau + step) < off(tau):
            tau += step
        elif off(tau - step) < off(tau):
            tau -= step
        else:
            step /= 2.0
    return tau, off(tau) ** 0.5


x, force = soliton(4096, 16.0)
tau, misfit = fit(x, force)
print(f"exact: force {force.max():.10f} at speed 1, tau {tau:.6f}, length {numpy.pi * tau:.5f}, misfit {misfit:.5f}")
near((1.0 / force.max()) ** (1.0 / 6.0), 2.0 / 5.0 ** 0.5, 0.012, "Nesterenko's long waves: 2 / sqrt 5")

speeds, peaks = [], []
for velocity in (0.1, 1.0, 10.0):
    with open("soliton.yaml", "w") as file:
        file.write(f"units: none\nbodies: [{{chain: {{count: 60}}}}]\nstart: [{{body: 1, velocity: {velocity}}}]\n"
                   f"contacts: {{law: hertz, k: 3}}\nrun: {{until: {70.0 / velocity ** 0.2}, tol: 1e-10}}\n"
                   f"record: {{every: {0.04 / velocity ** 0.2}, probes: [contact_force]}}\n")
    subprocess.run([CAROM, "run", "-q", "soliton.yaml", "-o", "soliton.h5"], check=True)
    subprocess.run([CAROM, "pulse", "-q", "soliton.h5", "--no-keep", "--contact", "49,50", "--csv", "soliton.csv"], check=True)
    row = {key: float(value) for key, value in list(csv.DictReader(open("soliton.csv")))[1].items()
           if key not in ("place", "kind")}
    near(row["speed"] / (3.0 ** 0.5 * (row["peak"] / (3.0 * force.max())) ** (1.0 / 6.0)), 1.0, 2e-6, velocity, "speed")
    near(row["length"], numpy.pi * tau, 2e-4, velocity, "length")
    near(row["misfit"], misfit, 2e-4, velocity, "misfit")
    # the wave is symmetric: all of its impulse is twice that of its front up to the peak
    near((row["front"] + row["tail"]) * row["speed"] / row["peak"], force.sum() * (x[1] - x[0]) / force.max(), 2e-4,
         velocity, "impulse")
    speeds.append(row["speed"])
    peaks.append(row["peak"])
for i in (1, 2):
    near(numpy.log(speeds[i] / speeds[0]) / numpy.log(peaks[i] / peaks[0]), 1.0 / 6.0, 1e-6, "the exponent 1/6")
end()
