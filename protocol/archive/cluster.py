"""Chunks of logs on the workers of a Dask cluster (docs/archives.md, "Several machines").

Dask sends pickles, and whoever can send one runs programs where it is read.  So only a connection with certificates is
made, or one that does not leave this machine.
"""

import ipaddress
import warnings
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from protocol.archive.engines import Work, WorkerError
from protocol.system import files

SECONDS: Final = 10
"""How long a scheduler may take to answer at first."""


def check_address(address: str, certificate: Path | None) -> None:
    """Refuse a scheduler to which strangers could speak.

    Raises:
        WorkerError: ``insecure`` or ``certificate``.
    """
    try:
        parts = urlsplit(address)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError:
        scheme, host, port = "", "", None
    safe = certificate is not None if scheme == "tls" else scheme == "tcp" and _is_loopback(host)
    if port is None or not safe:
        raise WorkerError("insecure", address)
    if certificate is not None:
        try:
            files.read_file(certificate)
        except OSError as error:
            raise WorkerError("certificate", str(certificate)) from error


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class ClusterEngine:
    """The workers of a Dask scheduler."""

    trusted = False

    def __init__(self, address: str, certificate: Path | None, work: Work) -> None:
        """Connect.

        Args:
            address: ``tls://HOST:PORT``, or ``tcp://`` on loopback.
            certificate: a PEM file with a certificate, its key and the authority's certificate.
            work: what the workers do.

        Raises:
            WorkerError: ``insecure``, ``certificate``, ``missing``, ``unreachable`` or ``no-workers``.
        """
        check_address(address, certificate)
        try:
            distributed: Any = import_module("distributed")
        except ImportError as error:
            raise WorkerError("missing", "distributed") from error
        self._dask = distributed
        self._work = work
        self._futures: dict[Any, int] = {}
        security = None
        if certificate is not None:
            pem = str(certificate)
            try:
                security = distributed.Security(
                    tls_ca_file=pem, tls_client_cert=pem, tls_client_key=pem, require_encryption=True
                )
                security.get_connection_args("client")
            except (OSError, ValueError) as error:
                raise WorkerError("certificate", pem) from error
        try:
            self._client = distributed.Client(address, security=security, timeout=SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise WorkerError("unreachable", address) from error
        threads = sum(self._client.nthreads().values())
        self.width = 2 * threads
        if not threads:
            self.close()
            raise WorkerError("no-workers", address)
        self._address = address

    def submit(self, number: int, logs: Sequence[bytes]) -> None:
        """Hand out a chunk under a number."""
        try:
            with warnings.catch_warnings():
                # A chunk has as many bytes as its logs, and nobody who reads the advice can make it shorter.
                warnings.filterwarnings("ignore", message="Sending large graph")
                future = self._client.submit(self._work, list(logs), pure=False)
        except (OSError, RuntimeError) as error:
            raise WorkerError("lost", self._address) from error
        self._futures[future] = number

    def collect(self) -> tuple[int, list[bytes] | None]:
        """Wait for any chunk; None if it has killed as many workers as the scheduler allows."""
        try:
            with self._client.as_current():
                self._dask.wait(list(self._futures), return_when="FIRST_COMPLETED")
        except (OSError, CancelledError) as error:
            raise WorkerError("lost", self._address) from error
        future = min((one for one in self._futures if one.done()), key=self._futures.__getitem__)
        number = self._futures.pop(future)
        if future.status != "finished":
            if future.status != "error":
                raise WorkerError("lost", self._address)
            failure = future.exception()
            if isinstance(failure, (self._dask.scheduler.KilledWorker, MemoryError, RecursionError)):
                return number, None
            raise WorkerError("worker-failed", f"{type(failure).__name__}: {failure}")
        found: list[bytes] = future.result()
        return number, found

    def close(self) -> None:
        """Take back what is not done, and leave."""
        # A scheduler that is gone has nothing to take back.
        with suppress(OSError, CancelledError, RuntimeError):
            self._client.cancel(list(self._futures))
        self._futures.clear()
        with suppress(OSError, CancelledError, RuntimeError):
            self._client.close(timeout=1)
