# A separate Debian system with compilers that this machine may not have. Sourced by scripts that need one: they need root on a
# Debian or Ubuntu, debootstrap, and the registries of Debian and crates.io. No rustup target is needed.

step() { printf '\n=== %s (%ss)\n' "$1" "$SECONDS"; }

# debian_system FOLDER PACKAGE…: a system in FOLDER with these packages, ready for `inside`.
debian_system() {
  system=$1
  shift
  [ "$(id -u)" = 0 ] || {
    echo "this needs root: it installs a system into $system" >&2
    exit 2
  }
  if [ ! -e "$system/root/ready" ]; then
    step "a system in $system"
    mkdir -p "$system"
    [ -e "$system/usr" ] || debootstrap --variant=minbase --include=ca-certificates sid "$system"
    # This machine's certificates, because it may reach registries through a proxy.
    cp -L /usr/local/share/ca-certificates/*.crt "$system/usr/local/share/ca-certificates/" 2>/dev/null || true
    cp -L /etc/resolv.conf "$system/etc/"
    # Mirrors may be out of date.
    echo 'Acquire::Check-Valid-Until "false";' >"$system/etc/apt/apt.conf.d/99cross"
    chroot "$system" update-ca-certificates >/dev/null
    touch "$system/root/ready"
  fi
  if ! chroot "$system" dpkg -s "$@" >/dev/null 2>&1; then
    step "packages"
    chroot "$system" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$system" apt-get install -y -qq --no-install-recommends "$@"
  fi
  mkdir -p "$system/work" "$system/target"
  for part in proc dev; do
    mountpoint -q "$system/$part" || mount --bind "/$part" "$system/$part"
  done
  trap 'umount "$system/proc" "$system/dev"' EXIT
  echo 'export CARGO_TARGET_DIR=/target CARGO_INCREMENTAL=0 SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt' >"$system/root/environment"
}

# The repository's files, as they are now, in /work of the system.
copy_sources() {
  step "the sources as they are in this folder"
  find "$system/work" -mindepth 1 -delete
  git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf - | tar -C "$system/work" -xf -
}

# inside COMMAND…: runs a command in /work of the system.
inside() {
  chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin:/root/.cargo/bin HOME=/root bash -c ". /root/environment && cd /work && $*"
}
