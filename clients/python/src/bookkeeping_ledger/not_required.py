"""`NotRequired` of typing, which Python 3.10 lacks."""

import sys
from typing import TYPE_CHECKING

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired
else:
    # Only type checkers read the annotations.
    from typing import Optional as NotRequired

__all__ = ["NotRequired"]
