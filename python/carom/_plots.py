"""One-liners of matplotlib for the usual pictures of a run; each returns its Axes."""


class Plots:
    """run.plot.force(), run.plot.velocity(), run.plot.ledger(), run.plot.map("v"): each draws on `ax`, or on new axes."""

    def __init__(self, run):
        self._run = run

    @staticmethod
    def _axes(ax):
        if ax is not None:
            return ax
        from matplotlib import pyplot

        return pyplot.subplots(layout="constrained")[1]

    def _time(self, axis):
        """An axis of times: "0.5 ms" rather than 0.00050, which would run into its neighbour."""
        from matplotlib import ticker

        if self._unit("kinetic"):
            axis.set_major_formatter(ticker.EngFormatter(unit="s"))
        axis.set_label_text("t")

    def _unit(self, name):
        unit = self._run.units.get(name, "")
        return "" if unit in ("", "1") else f" ({unit})"

    def lines(self, probe, which=None, ax=None, **style):
        """A curve over time for each body or contact, or for those whose indices are in `which`; in plane and space one
        for each axis."""
        ax, values, names = self._axes(ax), self._run[probe], self._run.names(probe)
        for i in range(values.shape[1]) if which is None else which:
            if values.ndim == 2:
                ax.plot(self._run.t, values[:, i], label=names[i], **style)
                continue
            for k in range(values.shape[2]):
                ax.plot(self._run.t, values[:, i, k], label=f"{names[i]} {self._axis(probe, k, values.shape[2])}", **style)
        self._time(ax.xaxis)
        ax.set_ylabel(probe + self._unit(probe))
        if len(ax.lines) <= 12:
            ax.legend()
        return ax

    @staticmethod
    def _axis(probe, k, count):
        """what number k of a body is: rotations in space are quaternions, tensors have six"""
        known = {2: "xy", 3: "xyz", 4: "wxyz", 6: ("xx", "yy", "zz", "yz", "xz", "xy")}.get(count)
        return known[k] if known and probe != "principal" else str(k + 1)

    def force(self, which=None, ax=None, **style):
        """Contact forces over time."""
        return self.lines("contact_force", which, ax, **style)

    def velocity(self, which=None, ax=None, **style):
        """Velocities over time."""
        return self.lines("v", which, ax, **style)

    def displacement(self, which=None, ax=None, **style):
        """Displacements over time."""
        return self.lines("u", which, ax, **style)

    def map(self, probe="v", ax=None, **style):
        """Space and time: bodies or contacts from left to right, time upwards, the probe as colour."""
        ax, values = self._axes(ax), self._run[probe]
        if values.ndim != 2:
            raise ValueError(f"'{probe}' has axes; choose one: run.plot.map draws rows x bodies")
        most = abs(values).max() or 1.0
        style = {"cmap": "RdBu_r", "vmin": -most, "vmax": most, "shading": "nearest", **style}
        image = ax.pcolormesh(range(1, values.shape[1] + 1), self._run.t, values, **style)
        ax.figure.colorbar(image, ax=ax, label=probe + self._unit(probe))
        names = self._run.names(probe)
        ax.set_xlabel("contact" if "contact" in probe else "body")
        self._time(ax.yaxis)
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.xaxis.set_major_formatter(lambda x, _: names[int(x) - 1] if x in range(1, len(names) + 1) else "")
        return ax

    def ledger(self, ax=None, **style):
        """The energies over time."""
        ax, ledger = self._axes(ax), self._run.ledger
        for name in ("kinetic", "stored", "dissipated", "work"):
            if abs(ledger[name]).max() > 0:
                ax.plot(self._run.t, ledger[name], label=name, **style)
        self._time(ax.xaxis)
        ax.set_ylabel("energy" + self._unit("kinetic"))
        ax.legend()
        return ax
