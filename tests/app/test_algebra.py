"""`suffice merge` and `suffice forget`: what the library promises, with files."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from suffice import load
from suffice.testing.sameness import differences
from tests.app.conftest import Cli
from tests.app.tables import PLAY, write, write_rows
