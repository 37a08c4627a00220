"""`python -m skolemate` is the command `skolemate`."""

import sys

from skolemate.cli import main

sys.exit(main())
