"""A bell: whoever rests is woken by it, from any thread or signal handler."""

import select
import socket


class Bell:
    def __init__(self) -> None:
        self._wake, self._alarm = socket.socketpair()

    def ring(self) -> None:
        self._alarm.send(b"!")

    def fileno(self) -> int:
        """For `select`."""
        return self._wake.fileno()

    def rung(self) -> bool:
        """Whether it was, since the last look."""
        if not select.select([self], [], [], 0)[0]:
            return False
        self._wake.recv(1024)
        return True

    def rest(self, seconds: float) -> bool:
        """Until it is rung, or the time has passed; gives whether it was rung."""
        select.select([self], [], [], max(0.0, seconds))
        return self.rung()

    def close(self) -> None:
        self._wake.close()
        self._alarm.close()
