"""Measured data for `gerotor estimate`: the four-bar runs, three noisy sensors watch it, some samples are lost.

Shows: a run from a table of commands, a start in balance, data as `gerotor estimate` reads them. Then
gerotor estimate measured.csv --machine four-bar --config estimate/four-bar.yaml
finds the valve's curve, which is 0.06, 0.16, 0.52, 0.85 at its four inner points.
"""

from pathlib import Path

import numpy as np

from gerotor import Layout, Simulation, Table, load_machine

STEP, ROWS = 1e-3, 5001
SENSORS = {"crank.geometry.l": ("rod [mm]", 1e3, 0.0, 0.112), "crank.pump_line.p": ("gauge_p [bar]", 1e-5, 1.0, 0.15),
           "crank.side_1.p": ("gauge_1 [bar]", 1e-5, 1.0, 0.15)}  # column, from SI, zero, noise


def main(file: Path = Path("measured.csv")) -> None:
    machine = load_machine("four-bar").assemble()
    time = np.arange(ROWS) * STEP
    command = Table("command", STEP, np.sin(0.4 * np.pi * time)[:, None], Layout.of(**{"crank.u": "1"}))
    simulation = Simulation(machine.ode(), tables=[command], method="trapezoid")
    run = simulation.run(
        time[-1], STEP, start=machine.balance(given={"crank.side_1.p": 1e6}), record=list(SENSORS), record_period=STEP
    )
    noise = np.random.default_rng(0)
    columns = [run[name] * scale - zero + std * noise.normal(size=ROWS) for name, (_, scale, zero, std) in SENSORS.items()]
    columns[0][noise.random(ROWS) < 0.2] = np.nan  # a fifth of the rod's samples is lost
    header = ["time [s]", "command", *(s[0] for s in SENSORS.values())]
    rows = np.column_stack([time, command.rows, *columns])
    lines = [",".join("" if np.isnan(v) else f"{v:.9g}" for v in row) for row in rows]
    file.write_text("\n".join([",".join(header), *lines]) + "\n")
    print(f"{file}: {ROWS} samples of {', '.join(header[1:])}")


if __name__ == "__main__":
    main()
