"""How the other player can reach this machine (SPEC.md, section "Reaching each other").

::

    addresses   what kind of address it is: only a public one reaches across the internet
    pcp         Port Control Protocol in bytes (RFC 6887)                                    pure
    natpmp      NAT Port Mapping Protocol in bytes (RFC 6886)                                pure
    ssdp        the search for a UPnP router in bytes                                        pure
    webpage     a request and an answer of HTTP/1.1 in bytes                                 pure
    xmltree     XML of a stranger: no DTD, no entities, little of everything                 pure
    igd         what a UPnP router describes and answers                                     pure
    outcome     what comes of asking a router                                                pure
    stun        how this machine looks from outside, in bytes (RFC 8489)                     pure
    probe       a knock at the other's router in bytes, and its answer                       pure
    tube        a stream of bytes over a way by UDP: segments, and the sliding window        pure
    knocking    which pings find a way by UDP, and when                                      pure
    candidates  where the other may call, best first, and why not elsewhere                  pure
    surroundings, hops, datagrams, routers, mapping    ask the system and the router
    crossing    call by TCP from a port at which nobody listens, both at once
    punching    the sockets of a way by UDP, and the calls over it
    seen        ask STUN servers how this machine looks from outside, by UDP and TCP
    lan         find a host in the same network without its invite
    onion, socks    an address in the Tor network, and how to call one

Whatever comes from the network here is a stranger's: it is bounded before it is read, and it is used only
when it fits what was asked.  Nothing here carries a secret, and what is learnt is no more than a proposal
where to call: who answers is known by the certificate and the handshake, never by the address.
"""

from protocol.errors import Failure


class ReachError(Failure):
    """A way to be reached that is not there.

    Attributes:
        code: a stable word, listed in SPEC.md.
        sentence: what was expected and what came.
        address: what a router is called in its provider's network (``shared``), where it has said so.
    """

    def __init__(self, code: str, sentence: str, address: str = "") -> None:
        super().__init__(code, sentence)
        self.address = address
