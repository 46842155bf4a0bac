"""What comes of asking a router for a port."""

from dataclasses import dataclass

from protocol.reach import ReachError


@dataclass(frozen=True, slots=True)
class Mapped:
    """A port of the router that leads to this machine."""

    address: str
    """Outside; always a public one."""
    port: int
    """Outside."""
    lease: int
    """Seconds after which the router forgets it."""
    restarted: bool = False
    """Whether the router had lost it before this answer."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one way."""

    name: str
    """``PCP``, ``NAT-PMP``, ``UPnP`` or ``PCP6``."""
    mapped: Mapped | None = None
    problem: ReachError | None = None
    """Why there is no mapping."""
    seconds: float = 0.0
    """How long it took."""
