# Part of the StreamTensor project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The charts of the page: the roofline of a design, its time at other clocks, cycles over the memory of its FIFOs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import plotly.graph_objects

_INK, _GRID = "#52514e", "#e4e7eb"
_ROOF, _OWN, _POINT = "#1b1f24", "#8a94a0", "#d8442f"
# The simulator's strategies of sizing FIFOs, as the page names them.
SIZINGS = {
    "search": "search",
    "highwater": "high-water marks",
    "lp": "linear program",
    "lp-conservative": "linear program, conservative",
}
_STRATEGIES = dict(zip(SIZINGS, (_POINT, "#2a78d6", "#1b9e77", "#7570b3"), strict=True))
_DECADES = 10  # of intensity on either side of what matters
_CONFIG = {"displaylogo": False, "responsive": True, "displayModeBar": False}


def library() -> str:
    """The plotting library itself, for a page without a network."""
    from plotly.offline import get_plotlyjs

    return get_plotlyjs()


def roofline(roof: dict, achieved: float, clock_hz: float, name: str) -> str | None:
    """HTML of a log-log chart: multiply-adds a second over multiply-adds a byte; None where there is nothing to draw.

    `roof` is the simulator's `roofline`, `achieved` its multiply-adds a second.
    """
    if not roof["multiply_adds"] or not roof["external_bytes"]:
        return None
    figure = _figure("multiply-adds per byte of external memory", "multiply-adds per second")
    intensity = roof["multiply_adds"] / roof["external_bytes"]
    own = roof["lanes"] * clock_hz, roof["used_bytes_per_second"]
    lanes = roof.get("placeable_lanes")
    card = (lanes * clock_hz if lanes else own[0], roof["bytes_per_second"])
    ridges = [peak / rate for peak, rate in (own, card)]
    span = min(intensity, *ridges) / _DECADES, max(intensity, *ridges) * _DECADES
    _add_roof(figure, span, *card, "the card: placeable units, all channels", {"color": _ROOF, "width": 2.5})
    _add_roof(figure, span, *own, "the design: its units, its channels", {"color": _OWN, "width": 1.5, "dash": "dash"})
    figure.add_scatter(
        x=[intensity],
        y=[achieved],
        mode="markers+text",
        marker={"size": 13, "color": _POINT},
        text=[f"{name}: {spell_rate(achieved)}"],
        textposition="bottom right",
        name="achieved",
        hovertemplate="%{x:.3g} multiply-adds/byte<br>%{y:.4s} multiply-adds/s<extra></extra>",
    )
    figure.update_xaxes(type="log", dtick=1, exponentformat="none", minor={"showgrid": True, "dtick": "D1"})
    figure.update_yaxes(type="log", dtick=1, exponentformat="SI", minor={"showgrid": True, "dtick": "D1"})
    return _to_html(figure, f"roofline-{name}")


def _add_roof(
    figure: plotly.graph_objects.Figure, span: tuple, peak: float, rate: float, name: str, line: dict
) -> None:
    ridge = peak / rate
    points = [span[0], ridge, span[1]]
    figure.add_scatter(
        x=points,
        y=[min(peak, rate * x) for x in points],
        mode="lines",
        line=line,
        name=f"{name} ({spell_rate(peak)}, {rate / 1e9:,.1f} GB/s)",
        hovertemplate="%{x:.3g} multiply-adds/byte<br>%{y:.4s} multiply-adds/s",
    )


def clocks(runs: list[dict], stated_mhz: float) -> str:
    """HTML of time over clocks, beside what it would be if cycles stayed the same."""
    figure = _figure("clock, MHz", "time of a launch, ms")
    base = next(run for run in runs if run["clock_mhz"] == stated_mhz)
    mhz = [run["clock_mhz"] for run in runs]
    figure.add_scatter(
        x=mhz,
        y=[base["seconds"] * stated_mhz / each * 1e3 for each in mhz],
        mode="lines",
        line={"color": _OWN, "dash": "dash", "width": 1.5},
        name="the cycles of the stated clock",
    )
    figure.add_scatter(
        x=mhz,
        y=[run["seconds"] * 1e3 for run in runs],
        mode="lines+markers",
        marker={"size": 9},
        line={"color": "#2a78d6", "width": 2.5},
        name="simulated",
        hovertemplate="%{x} MHz: %{y:.4g} ms<extra></extra>",
    )
    return _to_html(figure, "clocks")


def fifo_front(sizings: list[dict], name: str) -> str | None:
    """HTML of cycles over the memory of FIFOs, a point for each sizing that ends; None where none does.

    The line goes through those that end whatever the timing and that no other such sizing beats.
    """
    ended = [sizing for sizing in sizings if sizing["cycles"] is not None]
    if not ended:
        return None
    figure = _figure("memory of FIFOs, % of the card", "cycles of a launch")
    front = sorted((sizing for sizing in ended if sizing["on_front"]), key=lambda sizing: sizing["share"])
    figure.add_scatter(
        x=[100 * sizing["share"] for sizing in front],
        y=[sizing["cycles"] for sizing in front],
        mode="lines",
        line={"color": _OWN, "dash": "dash", "width": 1.5, "shape": "hv"},
        name="no other is both smaller and faster",
        hoverinfo="skip",
    )
    for strategy, colour in _STRATEGIES.items():
        points = [sizing for sizing in ended if sizing["strategy"] == strategy]
        if not points:
            continue
        figure.add_scatter(
            x=[100 * sizing["share"] for sizing in points],
            y=[sizing["cycles"] for sizing in points],
            mode="markers",
            marker={"size": 10, "color": colour},
            name=SIZINGS[strategy],
            text=[f"{spell_sizing(sizing)}: {sizing['bits'] / 8192:,.1f} KiB" for sizing in points],
            hovertemplate="%{text}<br>%{x:.3g} %<br>%{y:,} cycles<extra></extra>",
        )
    return _to_html(figure, f"fifo-front-{name}")


def spell_sizing(sizing: dict) -> str:
    """`search` with what it was allowed."""
    name = SIZINGS[sizing["strategy"]]
    return f"{name}, {100 * sizing['loss']:g} % slower allowed" if "loss" in sizing else name


def spell_rate(rate: float) -> str:
    """Multiply-adds a second."""
    for size, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if rate >= size:
            return f"{rate / size:,.2f} {unit}MAC/s"
    return f"{rate:,.0f} MAC/s"


def _figure(x: str, y: str) -> plotly.graph_objects.Figure:
    import plotly.graph_objects as go

    axis = {"gridcolor": _GRID, "linecolor": _GRID, "zeroline": False, "ticks": "outside", "tickcolor": _GRID}
    return go.Figure(
        layout={
            "height": 380,
            "margin": {"l": 70, "r": 20, "t": 10, "b": 50},
            "plot_bgcolor": "#fff",
            "font": {"family": "system-ui, sans-serif", "size": 12, "color": _INK},
            "xaxis": {**axis, "title": {"text": x}},
            "yaxis": {**axis, "title": {"text": y}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "hovermode": "closest",
        }
    )


def _to_html(figure: plotly.graph_objects.Figure, name: str) -> str:
    return figure.to_html(full_html=False, include_plotlyjs=False, div_id=name, config=_CONFIG)
