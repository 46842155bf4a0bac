"""Ending tasks: cancelled, and waited for."""

import asyncio
from typing import Any


async def stop(*tasks: asyncio.Task[Any] | None) -> None:
    """Cancel tasks and wait until they have ended, however they do; None stands for a task that never began."""
    begun = [task for task in tasks if task is not None]
    for task in begun:
        task.cancel()
    await asyncio.gather(*begun, return_exceptions=True)
