# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
from typing import Any

from ._isotrope import Machine, Network
from ._isotrope import register_algorithm as register_algorithm

class Elements:
    def __init__(self, array: Any, count: int, type: int) -> None: ...
    @property
    def count(self) -> int: ...

class Communicator:
    def __init__(
        self, comm: int, network: Network | None, *, machine: Machine | None, check: bool, reproducible: bool,
        nodes: list[int] | None,
    ) -> None: ...
    @property
    def rank(self) -> int: ...
    @property
    def size(self) -> int: ...
    def run(
        self, collective: str, send: Elements | None, receive: Elements | None, *, root: int, operation: int,
        in_place: bool,
    ) -> None: ...
