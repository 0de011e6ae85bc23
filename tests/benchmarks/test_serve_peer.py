"""The peer of the server's benchmark, with a stand-in for oTree's program."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.process_time import cpu_seconds
from benchmarks.serve_otree import peer_running
from studyapp.management.simulating.site import port_free

# Like oTree's, it leaves the serving to a process that it starts.
STAND_IN = f"""#!{sys.executable}
import json, subprocess, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Peer(BaseHTTPRequestHandler):
    def answer(self):
        self.send_response(200)
        self.end_headers()
        told = {{"code": "one", "participants": [{{"code": "abc"}}]}}
        self.wfile.write(json.dumps(told).encode())

    do_GET = do_POST = answer

if len(sys.argv) == 3:
    subprocess.run([sys.executable, __file__, *sys.argv[1:], "child"])
else:
    sum(range(5_000_000))
    HTTPServer(("127.0.0.1", int(sys.argv[2].split(":")[1])), Peer).serve_forever()
"""


def test_the_cpu_time_of_the_peer_counts_what_its_processes_use(tmp_path: Path) -> None:
    program, port = tmp_path / "otree", port_free()
    program.write_text(STAND_IN)
    program.chmod(0o755)
    (tmp_path / "peer").mkdir()

    with peer_running(program, tmp_path, port=port, database="", people=1) as (url, links):
        assert url == f"http://127.0.0.1:{port}"
        assert links == ["/InitializeParticipant/abc"]
        assert cpu_seconds(f"WEB_BIND=127.0.0.1:{port}") > 0.05
