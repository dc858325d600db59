# Debian packages of the last commit, built twice in different folders: the same bytes, lintian clean; installed in a fresh
# Debian they run, are found by pkg-config and imported by Python. Needs what `tools/setup deb` installs.
set -eu
for tool in dpkg-buildpackage lintian dh_python3 mmdebstrap; do
    if ! git -C "$SOURCE" rev-parse HEAD >/dev/null 2>&1 || ! command -v $tool >/dev/null; then
        echo "skipped: needs a clone and the packages of tools/setup deb"
        exit 77
    fi
done
rm -rf clone one another dist
git clone -q "$SOURCE" clone # whose last commit stays what it is
for folder in one another/deeper; do
    clone/tools/make-deb "$folder"
done
packages=0
for name in carom libcarom0 libcarom-dev python3-carom carom-doc; do
    ls one/"${name}"_*.deb >/dev/null && packages=$((packages + 1))
done
for file in one/*.deb one/carom_*.dsc one/carom_*.tar.xz; do
    cmp "$file" "another/deeper/$(basename "$file")"
done
clone/tools/make-tarball dist >/dev/null
cmp dist/carom-*.tar.xz one/carom_*.orig.tar.xz
(cd dist && sha256sum --check --quiet SHA256SUMS)
echo "$packages packages and their sources, twice the same bytes"

if [ "$(id -u)" -ne 0 ]; then
    echo "skipped: not installed, since only root may make a fresh Debian"
    exit 77
fi
cat >inside.sh <<'INSIDE'
set -eu
carom --version
carom run /usr/share/carom/scenes/steel-chain.yaml -o /tmp/steel.h5 --quiet
carom verify chung2011 >/dev/null
python3 -c "import carom; assert carom.run('/usr/share/carom/scenes/steel-chain.yaml').force.max() > 100"
cc -std=c17 -o /tmp/stepping /usr/share/doc/libcarom-dev/examples/stepping.c $(pkg-config --cflags --libs carom) -lm
cd /usr/share/carom && /tmp/stepping >/dev/null
test -e /usr/share/doc/carom/docs/first-steps.md && man -w carom
INSIDE
mmdebstrap --variant=apt --include=gcc,libc6-dev,pkgconf,man-db bookworm fresh.tar >mmdebstrap.log 2>&1 || {
    tail -n 5 mmdebstrap.log
    echo "skipped: not installed, since no fresh Debian could be made"
    exit 77
}
rm -rf fresh && mkdir fresh && tar -C fresh -xf fresh.tar
mount -t proc proc fresh/proc # where the program finds itself, and so its papers
trap 'umount fresh/proc; rm -rf fresh fresh.tar' EXIT
cp one/*.deb inside.sh fresh/tmp/
cp /etc/resolv.conf fresh/etc/ 2>/dev/null || true
chroot fresh sh -c 'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get install -q -y /tmp/*.deb' >install.log 2>&1 || {
    tail -n 20 install.log
    exit 1
}
chroot fresh sh /tmp/inside.sh
echo "installed in a fresh Debian"
