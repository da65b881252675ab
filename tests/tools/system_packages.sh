#!/usr/bin/env bash
# Installs the system packages of the browser and window tests; without the rights, names them.
set -u
declare -A needed=([chromium-headless-shell]=chromium-headless-shell [Xvfb]=xvfb
  [pdftoppm]=poppler-utils [cupsd]=cups-daemon [lpstat]=cups-client [tinyproxy]=tinyproxy-bin
  [microsocks]=microsocks [desktop-file-validate]=desktop-file-utils [dpkg-shlibdeps]=dpkg-dev
  [readelf]=binutils [nginx]=nginx-light
  [gnome-keyring-daemon]=gnome-keyring [dbus-daemon]=dbus-daemon)
PATH=$PATH:/usr/sbin
libraries=(libegl1 libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0
  libxcb-image0 libxcb-render-util0 libxcb-xinerama0 libnss3 libasound2 libxcomposite1 libxdamage1
  libxrandr2 libxtst6 libxkbfile1 libdbus-1-3 libopengl0 libgl1)
missing=()
for program in "${!needed[@]}"; do
  command -v "$program" >/dev/null || missing+=("${needed[$program]}")
done
if command -v dpkg-query >/dev/null; then
  for library in "${libraries[@]}"; do
    dpkg-query -W -f='${Status}' "$library" 2>/dev/null | grep -q 'ok installed' || missing+=("$library")
  done
fi
[ ${#missing[@]} -eq 0 ] && exit 0
become=()
if [ "$(id -u)" -ne 0 ]; then
  if sudo -n true 2>/dev/null; then become=(sudo -n); else
    echo "The tests need these packages: ${missing[*]}"
    echo "Install them (Debian: sudo apt-get install ${missing[*]}) and run make test again."
    exit 1
  fi
fi
if ! command -v apt-get >/dev/null; then
  echo "The tests need chromium-headless-shell, Xvfb, pdftoppm, cupsd, tinyproxy, microsocks, nginx,"
  echo "gnome-keyring and dbus-daemon."
  exit 1
fi
echo "  Installing ${missing[*]} ..."
"${become[@]}" apt-get update -qq >/dev/null 2>&1
DEBIAN_FRONTEND=noninteractive "${become[@]}" apt-get install -y -qq "${missing[@]}" >/tmp/portal-test-packages.log 2>&1 || {
  tail -5 /tmp/portal-test-packages.log
  exit 1
}
