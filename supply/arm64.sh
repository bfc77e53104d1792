#!/usr/bin/env bash
# Makes a Debian for 64-bit ARM, emulated by qemu, installs the wheel of Kongbox in it and tries it there.
# Run by `make arm64`, as root. Suite and mirror are those from which this system takes its packages.
# With a folder as argument the system is kept there, and a system that is there already is used.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=.venv/bin/python

fail() { echo "$*" >&2; exit 1; }
timed() { # timed WHAT COMMAND...
    local what=$1 begun=$SECONDS
    shift
    "$@" >"$log" 2>&1 || { tail -n 30 "$log" >&2; fail "$what did not work."; }
    printf '%-40s %5d s\n' "$what" $((SECONDS - begun))
}

[[ $EUID == 0 ]] || fail "Only root can start another system: sudo make arm64"
for needed in debootstrap qemu-aarch64-static update-binfmts; do
    command -v "$needed" >/dev/null ||
        fail "$needed is missing: sudo apt-get install debootstrap qemu-user-static binfmt-support"
done
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" | head -n 1)
[[ -n $mirror ]] || fail "apt names no place to take $suite from: sudo apt-get update"

root=${1:-$(mktemp -d)}
log=$(mktemp)
leave() {
    rm -f "$log"
    ! mountpoint -q "$root/proc" || umount "$root/proc"
    [[ $kept ]] || rm -rf --one-file-system "$root"
}
kept=${1:-}
trap leave EXIT

# The kernel is told which program runs ARM's programs, in the other system too.
[[ -e /proc/sys/fs/binfmt_misc/register ]] ||
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
update-binfmts --enable qemu-aarch64

within() { env -i "$(command -v chroot)" "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
packages=python3,python3-venv,libgl1,libglib2.0-0
if [[ ! -e $root/usr/bin/python3 || -e $root/debootstrap ]]; then
    timed "Debian, taken from the mirror" debootstrap --foreign --arch=arm64 --variant=minbase \
        --include="$packages" "$suite" "$root" "$mirror"
    timed "Debian, set up" within DEBIAN_FRONTEND=noninteractive /debootstrap/debootstrap --second-stage
fi
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
[[ $(within uname -m) == aarch64 ]] || fail "The system in $root is not for 64-bit ARM."

rm -rf "$root/srv/kongbox" "$root/opt/kongbox"
mkdir -p "$root/srv/kongbox/tree"
git ls-files -z | tar --create --null --files-from - | tar --extract -C "$root/srv/kongbox/tree"
timed "The wheel, built" "$python" -m pip wheel --no-deps --no-build-isolation \
    --wheel-dir "$root/srv/kongbox" "$root/srv/kongbox/tree"
cp requirements/runtime.txt webapp/static/samples/*.jpg "$root/srv/kongbox/"
version=$(within python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
timed "What it needs, taken from the index" "$python" -m pip download --no-deps --require-hashes \
    --only-binary :all: --python-version "$version" \
    --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
    --dest "$root/srv/kongbox/wheels" -r requirements/runtime.txt
timed "An environment for it" within python3 -m venv /opt/kongbox
pip=(within HOME=/root /opt/kongbox/bin/pip --disable-pip-version-check install --no-compile --no-index)
timed "What it needs, installed" "${pip[@]}" --find-links /srv/kongbox/wheels --only-binary :all: \
    --require-hashes -r /srv/kongbox/runtime.txt
wheel=$(basename "$root"/srv/kongbox/kongbox-*.whl)
timed "The wheel, installed" "${pip[@]}" --no-deps "/srv/kongbox/$wheel"
"$python" -m supply.arm64 "$root"
