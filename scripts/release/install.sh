#!/bin/sh
# Installs the standin program of one release: fetches it, checks its SHA-256 and puts it into a folder.
#   STANDIN_BASE_URL  where the files of the release are; known already in the copy that comes with a release
#   STANDIN_DIR       folder to install into; $HOME/.local/bin unless given
set -eu

baked='@STANDIN_BASE_URL@'

fail() {
  printf 'Cannot install standin: %s\n' "$1" >&2
  exit 1
}

base_url() {
  case "${STANDIN_BASE_URL:-$baked}" in
    @*) fail 'the address of the release is unknown; set STANDIN_BASE_URL to the address of its files' ;;
    *) printf '%s' "${STANDIN_BASE_URL:-$baked}" ;;
  esac
}

platform() {
  case "$(uname -s)" in
    Linux) os=linux ;;
    Darwin) os=macos ;;
    *) fail "there is no program for $(uname -s); on Windows use install.ps1" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no program for $(uname -m); there are x64 and arm64" ;;
  esac
  printf '%s-%s' "$os" "$arch"
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    # What begins encrypted stays so, wherever it is sent on to.
    case "$1" in https:*) proto='=https' ;; *) proto='=http,https' ;; esac
    curl --fail --silent --show-error --location --proto "$proto" --output "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1"
  else
    fail 'neither curl nor wget is installed'
  fi || fail "could not fetch $1"
}

sha256_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  else
    fail 'neither sha256sum, shasum nor openssl is installed to check the file with'
  fi
}

# All of it is in a function, so that a script that is cut short on its way does nothing.
main() {
  url=$(base_url)
  url=${url%/}
  name="standin-$(platform)"
  dir=${STANDIN_DIR:-${HOME:?set HOME or STANDIN_DIR}/.local/bin}
  mkdir -p "$dir"
  # In the folder itself, so that the last step is a rename and the program is whole at any moment.
  part=$(mktemp -d "$dir/.standin.XXXXXX")
  trap 'rm -rf "$part"' EXIT
  trap 'exit 1' HUP INT TERM

  fetch "$url/SHA256SUMS" "$part/SHA256SUMS"
  wanted=$(awk -v name="$name" '$2 == name { print $1 }' "$part/SHA256SUMS")
  [ -n "$wanted" ] || fail "the release has no $name"
  fetch "$url/$name" "$part/standin"
  found=$(sha256_of "$part/standin")
  [ "$found" = "$wanted" ] ||
    fail "the SHA-256 of $name is $found, and that of the release is $wanted; nothing was installed"
  chmod 755 "$part/standin"
  mv -f "$part/standin" "$dir/standin"

  printf 'Installed %s\n' "$dir/standin"
  case ":${PATH:-}:" in
    *":$dir:"*) printf 'Start it: standin serve\n' ;;
    *) printf 'Start it: %s/standin serve; or add %s to PATH\n' "$dir" "$dir" ;;
  esac
}

main
