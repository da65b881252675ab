#!/usr/bin/env bash
# Installs what `make package` needs of Debian, where it may; else names it. The libraries are those
# that the app is linked to: their packages become its dependencies.
set -u
packages=(binutils dpkg-dev xz-utils libasound2 libcups2 libdbus-1-3 libegl1 libfontconfig1 libgbm1
  libgl1 libglib2.0-0 libgssapi-krb5-2 libnss3 libudev1 libwayland-client0 libwayland-cursor0
  libwayland-egl1 libxcb-cursor0 libxcb-dri3-0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1
  libxcb-render-util0 libxcb-shape0 libxcb-util1 libxcb-xkb1 libxcomposite1 libxdamage1
  libxkbcommon-x11-0 libxkbfile1 libxrandr2 libxtst6)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
  echo "The package needs: sudo apt-get install ${missing[*]}"
  exit 1
fi
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}"
