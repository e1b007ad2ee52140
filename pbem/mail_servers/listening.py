"""Servers of our own, which listen in a thread and a loop of their own until they are stopped."""

import asyncio
import threading
from collections.abc import AsyncIterable


class Listening:
    """From the moment it is made, when all of them listen, until `stop`. Raises what opening them raises."""

    def __init__(self, name: str, opening: AsyncIterable[asyncio.Server]) -> None:
        self._loop, self._servers = asyncio.new_event_loop(), list[asyncio.Server]()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._begin(opening), self._loop).result()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _begin(self, opening: AsyncIterable[asyncio.Server]) -> None:
        async for server in opening:
            self._servers.append(server)

    async def _end(self) -> None:
        """Nobody is let in any more, and who is in is sent away."""
        for server in self._servers:
            server.close()
        talks = asyncio.all_tasks() - {asyncio.current_task()}
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)
