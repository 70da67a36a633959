#!/bin/sh
# Makes the virtual environment .venv with the exact packages of requirements/
# and puts this source tree's package in it (editable: edits take effect at once).
#
# usage: install-python-packages.sh VENV
set -eu

root="$(cd "$(dirname "$0")/.." && pwd)"
venv="$1"
python="${PYTHON:-python3}"

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Bytecode is made when a module is first imported, not for every file at once.
install() {
  "$venv/bin/python" -m pip install --quiet --no-deps --no-compile --progress-bar off \
    --disable-pip-version-check "$@"
}

command -v "$python" >/dev/null || fail "no '$python': install Python 3.11 or name one with 'make PYTHON=...'"
"$python" -c 'import sys; sys.exit(sys.version_info[:2] < (3, 11))' ||
  fail "$("$python" --version) is too old: Python 3.11 or later is needed ('make PYTHON=...')"

echo "Installing Python packages into $venv"
"$python" -m venv "$venv" || fail "could not make the virtual environment $venv"
for requirements in run development; do
  install --requirement "$root/requirements/$requirements.txt" ||
    fail "pip could not install requirements/$requirements.txt (its message is above)." \
      "A version that the package index no longer has must be replaced there;" \
      "anything else is the network or the disk ($(df -h --output=avail "$root" | tail -n 1 | tr -d ' ') free, 7 GB needed)"
done
install --no-build-isolation --config-settings wheel.cmake=false --config-settings editable.mode=inplace \
  --editable "$root" || fail "pip could not install this source tree into $venv (its message is above)"
