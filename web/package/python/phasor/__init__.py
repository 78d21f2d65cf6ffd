"""Figures of position and attention in a notebook, computed by the WebAssembly core of Phasor.

Every function returns a `Figure`, a widget of anywidget: the last line of a cell shows it.
Bad input raises a ValueError of one sentence: the argument, its value, and what is expected.
"""

from ._attention import attention
from ._config import config
from ._figure import figure
from ._kinds import VERSION as __version__
from ._widget import Figure

__all__ = ["Figure", "__version__", "attention", "config", "figure"]
