#!/bin/sh
# Installs the Debian packages of utils/debian-packages.txt that are not there
# yet, as root or through sudo. Does nothing, quickly, when all are there.
set -eu

list="$(dirname "$0")/debian-packages.txt"
python="${PYTHON:-python3}"

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

is_installed() {
  dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

wanted="$(grep -v '^#' "$list")"
# A Python that is not Debian's brings venv with it; Debian's keeps it apart.
"$python" -c 'import ensurepip' 2>/dev/null || wanted="$wanted python3-venv"

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  fail "this set-up installs Debian packages, and neither apt-get nor dpkg is here." \
    "Install the counterparts of these by hand, then run" \
    "'make SKIP_DEBIAN=1 ...':" $wanted

missing=""
for package in $wanted; do
  is_installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root="env"
elif command -v sudo >/dev/null; then
  as_root="sudo"
else
  fail "these Debian packages are missing and need root to install:$missing." \
    "Run as root: apt-get update && apt-get install$missing"
fi

echo "Installing Debian packages:$missing"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT

run_apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 \
    -o Acquire::Retries=3 "$@" >"$log" 2>&1
}

run_apt update || { tail -n 20 "$log" >&2; fail "apt-get update failed (see above): is the network there?"; }

unknown=""
for package in $missing; do
  apt-cache show --no-all-versions "$package" >/dev/null 2>&1 || unknown="$unknown $package"
done
[ -z "$unknown" ] || fail "Debian's package lists do not have:$unknown." \
  "LLVM 22 is in Debian 12 (main, with its updates and security suites)" \
  "and later: check the suites that apt reads."

run_apt install --yes --no-install-recommends $missing ||
  { tail -n 20 "$log" >&2; fail "apt-get install failed (see above) for:$missing"; }
