"""Talks on the web page: its real objects, and NiceGUI's simulation in place of a browser."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any

from nicegui import Client, ui
from nicegui.element import Element
from nicegui.testing import UserInteraction, user_simulation
from nicegui.testing import User as Simulated

from adapters.turns import Turns
from adapters.web.composer import Composer
from adapters.web.info import WebInfo
from adapters.web.log import Log
from adapters.web.sidebar import Sidebar
from adapters.web.table import ResultTable
from adapters.web.talks import Talks
from adapters.web.view import ChatView
from bot.wiring import Bot, built
from router.cards import Chart, Field, Head, Series
from router.memory import User
from tests.parity.house import House, email, founded, person
from tests.parity.sheet import Sheet
from tests.settings_of import settings_of
