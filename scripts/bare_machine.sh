#!/usr/bin/env bash
# `make run` and `make test` on a machine that has Python, make and git and nothing else: a Debian made for this, in a
# folder that is removed at the end. As root, with debootstrap:
#
#   scripts/bare_machine.sh                                  # make run, then the whole of make test
#   TESTS="tests/trace" scripts/bare_machine.sh              # only these tests
#   TARGETS=run scripts/bare_machine.sh                      # only make run
#   MOUNTED=1 scripts/bare_machine.sh                        # with /proc, /sys and /dev, which are missing otherwise
#   KEEP=/some/folder scripts/bare_machine.sh                # keep the machine there, and use it again
#
# What pip here is told about where packages come from, it is told there too, so this works behind a mirror as well.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(id -u)" = 0 ] || { echo "making a machine needs root: sudo $0" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "install debootstrap first: apt-get install debootstrap" >&2; exit 2; }
if [ -z "${MOUNTS_ARE_OURS:-}" ]; then # mounts that vanish with this script, however it ends
  MOUNTS_ARE_OURS=1 exec unshare --mount --propagation private "$0" "$@"
fi

suite=${SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")}
root=${KEEP:-$(mktemp -d)}
[ -n "${KEEP:-}" ] || trap 'rm -rf --one-file-system "$root"' EXIT

if [ ! -x "$root/usr/bin/make" ]; then
  echo "making a bare $suite in $root"
  debootstrap --variant=minbase --include=python3,make,git "$suite" "$root" >"$root.log" ||
    { tail -5 "$root.log" >&2; exit 1; }
  rm -f "$root.log"
fi
# debootstrap may leave its own mounted
for system in proc sys dev; do
  mountpoint -q "$root/$system" && umount -l "$root/$system"
  [ -z "${MOUNTED:-}" ] || mount --rbind "/$system" "$root/$system"
done
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"

# a file or folder of this machine under the same name there: files are copied, folders mounted to be read only
lend() {
  if [ -d "$1" ]; then
    mkdir -p "$root$1" && mount --bind -o ro "$1" "$root$1"
  elif [ -f "$1" ]; then
    mkdir -p "$root$(dirname "$1")" && cp "$1" "$root$1"
  fi
}
while IFS= read -r path; do lend "$path"; done < <(
  {
    python3 -m pip config debug 2>/dev/null | sed -n 's/^ *\(\/.*\), exists: True$/\1/p'
    python3 -m pip config list 2>/dev/null | grep -v "cert=" | grep -oE "(/[[:alnum:]._+-]+)+"
  } | sed -E 's#/simple/?$##' | sort -u # the files of an index lie beside its pages
)
passed=$(env | grep -E '^(PIP_|https?_proxy=|HTTPS?_PROXY=)' || true)
# under a name of its own, since installing packages there writes the usual one anew
if [ -f "${SSL_CERT_FILE:-}" ]; then
  cp "$SSL_CERT_FILE" "$root/root/trusted.crt"
  for name in PIP_CERT SSL_CERT_FILE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS; do
    passed+=$'\n'"$name=/root/trusted.crt"
  done
fi

if [ -d "$root/regard" ]; then # kept: what was installed there stays
  git -C "$root/regard" fetch --quiet "$PWD" HEAD
  git -C "$root/regard" reset --quiet --hard FETCH_HEAD
else
  git clone --quiet --no-hardlinks . "$root/regard"
fi
mapfile -t given < <(grep . <<<"$passed" || true)
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    "${given[@]}" bash -c "cd /regard && $1"
}
failed=0
for target in ${TARGETS:-run test}; do
  began=$SECONDS
  inside "make $target TESTS='${TESTS:-}'" || failed=1
  echo "make $target: $((SECONDS - began)) s"
done
exit $failed
