#!/usr/bin/env bash
# Signs a program in place: sign.sh FILE. SIGNING_CERTIFICATE and SIGNING_KEY are PEM files;
# SIGNING_TIME_SERVER is optional, and without its stamp the signature expires with the certificate.
set -euo pipefail
stamp=()
[ -n "${SIGNING_TIME_SERVER:-}" ] && stamp=(-ts "$SIGNING_TIME_SERVER")
osslsigncode sign -h sha256 -n "Lab Portal" "${stamp[@]}" \
  -certs "$SIGNING_CERTIFICATE" -key "$SIGNING_KEY" -in "$1" -out "$1.signed" >/dev/null
mv "$1.signed" "$1"
