#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables and plots of docs/rivals.md from the measured cells, and adds cells to them.

    rivals_page.py docs/rivals.csv docs/rivals.md [RUN...]

The cells are a line each: Isotrope's time, that of the fastest rival, and its name. A RUN is a CSV of judge.py. Its cells with
Isotrope and all rivals are added or take the place of older ones; where it has Isotrope alone, the rival of an older cell stays,
as its messages do not change.

The tables replace what stands between the markers in the page. Every network has a plot of the allreduce,
docs/pictures/rivals-NETWORK.svg: time over size, both axes logarithmic, without overhead on the left and with 1 us per
message on the right.
"""

import collections
import csv
import math
import pathlib
import sys

from judge import RIVAL, fastest, is_rival, read_known, size_text

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
BEHIND = 1.005  # ratios above count as behind

Cell = collections.namedtuple("Cell", "network overhead_s collective bytes isotrope_us rival_us rival")


def read_cells(path):
    """By network, overhead, collective and bytes."""
    with open(path, newline="", encoding="utf-8") as file:
        cells = [Cell(**{**row, "bytes": int(row["bytes"]), "isotrope_us": float(row["isotrope_us"]),
                         "rival_us": float(row["rival_us"])}) for row in csv.DictReader(file)]
    return {cell[:4]: cell for cell in cells}


def write_cells(path, cells):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Cell._fields)
        writer.writerows([*cell[:4], f"{cell.isotrope_us:.2f}", f"{cell.rival_us:.2f}", cell.rival] for cell in cells)


def add_run(path, cells):
    groups, rivals = collections.defaultdict(list), collections.defaultdict(set)
    for line in read_known(path):
        groups[line.network, line.overhead, line.collective, line.bytes].append(line)
        if is_rival(line.contestant):
            rivals[line.collective].add(line.contestant)
    for key, lines in groups.items():
        right = [line for line in lines if not line.note]
        ours = fastest(line for line in right if line.contestant == "isotrope")
        rival = fastest(line for line in right if is_rival(line.contestant))
        has_all = rival and rivals[key[2]] <= {line.contestant for line in lines}
        if ours and has_all:
            cells[key] = Cell(*key, ours.us, rival.us, rival.contestant[len(RIVAL):])
        elif ours and key in cells:
            cells[key] = cells[key]._replace(isotrope_us=ours.us)


def overhead_us(cell):
    return float(cell.overhead_s) * 1e6


def row(cell):
    ratio = cell.isotrope_us / cell.rival_us
    shown = f"**{ratio:.2f}**" if ratio > BEHIND else f"{ratio:.2f}"
    return (f"| {size_text(cell.bytes)} | {overhead_us(cell):g} | {cell.isotrope_us:.2f} | {cell.rival_us:.2f} "
            f"| {cell.rival} | {shown} |")


def table(cells):
    head = "| size | overhead, us | Isotrope, us | best rival, us | which | ratio |\n|-|-|-|-|-|-|"
    return "\n".join([head, *(row(cell) for cell in sorted(cells, key=lambda cell: (overhead_us(cell), cell.bytes)))])


def behind_table(cells):
    worst = sorted((cell for cell in cells if cell.isotrope_us > BEHIND * cell.rival_us),
                   key=lambda cell: cell.rival_us / cell.isotrope_us)
    if not worst:
        return "None."
    head = "| network | collective | size | overhead, us | Isotrope, us | best rival, us | which | ratio |"
    rows = [f"| {cell.network} | {cell.collective} {row(cell)}" for cell in worst]
    return "\n".join([head, "|-|-|-|-|-|-|-|-|", *rows])


def summary(cells):
    rows = ["| collective | cells | ahead | equal | behind | least ratio | greatest ratio |", "|-|-|-|-|-|-|-|"]
    for collective in sorted({cell.collective for cell in cells}):
        ratios = [cell.isotrope_us / cell.rival_us for cell in cells if cell.collective == collective]
        ahead, behind = sum(each < 2 - BEHIND for each in ratios), sum(each > BEHIND for each in ratios)
        rows.append(f"| {collective} | {len(ratios)} | {ahead} | {len(ratios) - ahead - behind} | {behind} "
                    f"| {min(ratios):.2f} | {max(ratios):.2f} |")
    return "\n".join(rows)


class Plot:
    """Panels side by side, with logarithmic axes."""

    width, height, left, top, bottom, gap = 330, 260, 60, 40, 45, 60

    def __init__(self, title, cells):
        self.title, self.cells = title, cells
        times = [time for cell in cells for time in (cell.isotrope_us, cell.rival_us)]
        self.x_range = self.decades([cell.bytes for cell in cells], 4)
        self.y_range = self.decades(times, 10)

    @staticmethod
    def decades(values, base):
        low = math.floor(math.log(min(values), base) + 1e-9)
        return base, low, max(math.ceil(math.log(max(values), base) - 1e-9), low + 1)

    @staticmethod
    def share(value, scale):
        base, low, high = scale
        return (math.log(value, base) - low) / (high - low)

    def x(self, panel, size):
        return self.left + panel * (self.width + self.gap) + self.share(size, self.x_range) * self.width

    def y(self, us):
        return self.top + (1 - self.share(us, self.y_range)) * self.height

    def grid(self, panel):
        base, low, high = self.y_range
        first, last = self.x(panel, self.x_range[0] ** self.x_range[1]), self.x(panel, self.x_range[0] ** self.x_range[2])
        for power in range(low, high + 1):
            height = self.y(base ** power)
            yield f'<path d="M{first:.1f} {height:.1f}H{last:.1f}" stroke="#ddd"/>'
            if panel == 0:
                yield f'<text x="{first - 6:.1f}" y="{height + 4:.1f}" text-anchor="end">{base ** power:g}</text>'
        base, low, high = self.x_range
        for power in range(low, high + 1, 2):
            place, size = self.x(panel, base ** power), base ** power
            yield f'<path d="M{place:.1f} {self.top}v{self.height}" stroke="#ddd"/>'
            yield f'<text x="{place:.1f}" y="{self.top + self.height + 16}" text-anchor="middle">{size_text(size)}</text>'

    def curve(self, panel, points, style, label):
        path = " ".join(f"{self.x(panel, size):.1f},{self.y(us):.1f}" for size, us in points)
        yield f'<polyline points="{path}" fill="none" stroke-width="2" {style}/>'
        for size, us in points:
            yield f'<circle cx="{self.x(panel, size):.1f}" cy="{self.y(us):.1f}" r="3" fill="none" {style}/>'
        place = self.left + panel * (self.width + self.gap) + 10
        height = self.top + (16 if label == "Isotrope" else 32)
        yield f'<path d="M{place} {height - 4}h24" stroke-width="2" {style}/>'
        yield f'<text x="{place + 30}" y="{height}">{label}</text>'

    def panel(self, number, overhead):
        cells = sorted((cell for cell in self.cells if cell.overhead_s == overhead), key=lambda cell: cell.bytes)
        middle = self.left + number * (self.width + self.gap) + self.width / 2
        what = f"overhead {float(overhead) * 1e6:g} us per message"
        yield f'<text x="{middle:.1f}" y="{self.top - 8}" text-anchor="middle">{what}</text>'
        yield from self.grid(number)
        yield from self.curve(number, [(cell.bytes, cell.rival_us) for cell in cells],
                              'stroke="#c2410c" stroke-dasharray="6 3"', "best rival")
        yield from self.curve(number, [(cell.bytes, cell.isotrope_us) for cell in cells], 'stroke="#1d4ed8"', "Isotrope")

    def svg(self):
        overheads = sorted({cell.overhead_s for cell in self.cells}, key=float)
        width = self.left + len(overheads) * (self.width + self.gap)
        height = self.top + self.height + self.bottom
        yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
               f'font-size="12"><rect width="100%" height="100%" fill="white"/>')
        yield f'<text x="{width / 2}" y="16" text-anchor="middle" font-weight="bold">{self.title}</text>'
        yield (f'<text x="14" y="{self.top + self.height / 2}" text-anchor="middle" '
               f'transform="rotate(-90 14 {self.top + self.height / 2})">time, us</text>')
        for number, overhead in enumerate(overheads):
            yield from self.panel(number, overhead)
        yield "</svg>"


def section(network, cells, pictures):
    parts = [f"### {network}"]
    allreduces = [cell for cell in cells if cell.collective == "allreduce"]
    if allreduces:
        name = f"rivals-{network.replace(':', '-').replace(',', '-')}.svg"
        (pictures / name).write_text("\n".join(Plot(f"allreduce, {network}", allreduces).svg()) + "\n", encoding="utf-8")
        parts.append(f"![allreduce on {network}: time over size](pictures/{name})")
    for collective in sorted({cell.collective for cell in cells}):
        parts += [f"**{collective}**", table([cell for cell in cells if cell.collective == collective])]
    return "\n\n".join(parts)


def main():
    source, page, *runs = map(pathlib.Path, sys.argv[1:])
    known = read_cells(source)
    for run in runs:
        add_run(run, known)
    cells = [known[key] for key in sorted(known, key=lambda key: (key[0], float(key[1]), *key[2:]))]
    if runs:
        write_cells(source, cells)
    text = page.read_text(encoding="utf-8")
    before, after = text[:text.index(BEGIN) + len(BEGIN)], text[text.index(END):]
    networks = list(dict.fromkeys(cell.network for cell in cells))
    parts = [f"{len(cells)} cells on {len(networks)} networks.", summary(cells), "### Cells where Isotrope is behind",
             behind_table(cells)]
    for network in networks:
        parts.append(section(network, [cell for cell in cells if cell.network == network], page.parent / "pictures"))
    page.write_text("\n\n".join([before, *parts, after]), encoding="utf-8")


if __name__ == "__main__":
    main()
