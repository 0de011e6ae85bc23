#!/bin/sh
# Print the Python that `make` builds the environment with, or say what to install.
#
#   sh tools/python.sh TASK ENVIRONMENT [PYTHON]
#
# PYTHON, where it is given, is taken or refused. Otherwise the environment's own Python is kept if
# it fits, else the first fitting one on the PATH is taken.
task=$1 environment=$2 wanted=$3

fits() { # from 3.11, the oldest that Django's and our types are checked on, to 3.14
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null
}
version() {
    "$1" -c 'import sys; sys.stdout.write("Python %d.%d.%d" % sys.version_info[:3])' 2>/dev/null ||
        printf 'not a Python that runs'
}
# The private Redis of the tests comes as a wheel for Python 3.11 and 3.12 only.
suits() {
    fits "$1" || return 1
    [ "$task" = test ] || return 0
    [ -n "$CELERY_BROKER_URL" ] && return 0
    command -v redis-server >/dev/null 2>&1 && return 0
    "$1" -c 'import sys; sys.exit(sys.version_info[:2] > (3, 12))' 2>/dev/null
}
refuse() {
    printf 'make %s: %s\n' "$task" "$1" >&2
    exit 2
}

if [ -n "$wanted" ]; then
    fits "$wanted" || refuse "PYTHON=$wanted is $(version "$wanted"); Python 3.11 to 3.14 is needed.
Name another one: make $task PYTHON=/path/to/python3.11"
    suits "$wanted" || refuse "the tests need a Redis, whose wheel exists for Python 3.11 and 3.12 only; $wanted is $(version "$wanted").
Install redis-server (Debian: sudo apt-get install redis-server), set CELERY_BROKER_URL, or: make test PYTHON=python3.11"
    command -v "$wanted"
    exit
fi

kept=
[ -x "$environment/bin/pip" ] && kept="$environment/bin/python"
for candidate in $kept python3 python3.12 python3.11 python3.13 python3.14; do
    if suits "$candidate"; then
        command -v "$candidate"
        exit
    fi
done

if command -v python3 >/dev/null 2>&1; then
    found="python3 is $(version python3)"
else
    found="there is no python3 on the PATH"
fi
if [ "$task" = test ] && fits python3; then
    refuse "the tests need a Redis, whose wheel exists for Python 3.11 and 3.12 only; $found.
Install redis-server (Debian: sudo apt-get install redis-server), set CELERY_BROKER_URL, or name another Python: make test PYTHON=/path/to/python3.11"
fi
refuse "Python 3.11 to 3.14 is needed; $found.
Install one (Debian, Ubuntu: sudo apt-get install python3 python3-venv) or name one: make $task PYTHON=/path/to/python3.11"
