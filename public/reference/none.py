"""No positional encoding (NoPE): attention sees a set of tokens."""

from encoding import Encoding


class NoEncoding(Encoding):
    """Enters nowhere."""
