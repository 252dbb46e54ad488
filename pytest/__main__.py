"""What ``uv run pytest`` starts: pytest, with the group of packages that only the tests need.

uv takes the name of a folder with a ``__main__`` for a command. So ``uv run dropqa`` installs what running needs, and
the command that everybody knows still runs the tests.
"""

import os
import sys

uv = os.environ.get("UV", "uv")  # the one that started this
os.execvp(uv, [uv, "run", "--quiet", "--group", "dev", "python", "-m", "pytest", *sys.argv[1:]])
