"""What a web process loads: all its pages, and none of the packages that compute statistics."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SCRIPT = """
import sys
from studyapp.wsgi import application
from django.test import Client
for address in ("/", "/login/", "/studies/", "/studies/any/report/", "/studies/any/report/1/pdf/"):
    assert Client().get(address).status_code in (200, 302), address
heavy = {"pandas", "pingouin", "statsmodels", "scipy", "numpy", "matplotlib", "fpdf"}
print(sorted(heavy & set(sys.modules)), "studyapp.tasks" in sys.modules)
"""


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_it_loads_every_page_and_no_statistics() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[] True"
