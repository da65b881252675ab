#!/usr/bin/env bash
# Installs the Debian packages that `make package` needs, or lists them if it may not install them.
# The app is linked to these libraries, so its own package depends on theirs.
exec bash "$(dirname "$0")/../../tests/tools/install_packages.sh" \
  binutils dpkg-dev xz-utils libasound2 libcups2 libdbus-1-3 libegl1 libfontconfig1 libgbm1 \
  libgl1 libglib2.0-0 libgssapi-krb5-2 libnss3 libudev1 libwayland-client0 libwayland-cursor0 \
  libwayland-egl1 libxcb-cursor0 libxcb-dri3-0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 \
  libxcb-render-util0 libxcb-shape0 libxcb-util1 libxcb-xkb1 libxcomposite1 libxdamage1 \
  libxkbcommon-x11-0 libxkbfile1 libxrandr2 libxtst6
