"""Clicks on the full screen, as a terminal sends them."""

from __future__ import annotations

import helpers_tui as tui

from cli.console.render.screen import render


def click(column: int, row: int) -> str:
    """Return what a terminal sends for a click on a cell, counted from 0."""
    return f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m"


def cell(region: int) -> tuple[int, int]:
    """Return a cell of a region, for a window of 80 columns."""
    for zone in render(tui.asked(tui.EXAMPLE)).zones:
        if zone.what == f"hex {region}":
            return zone.left + 3, zone.row
    raise AssertionError(region)
