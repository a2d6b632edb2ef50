#!/bin/sh
# Installs muxue_rag for the current user: downloads the release for this system, verifies its checksum, and copies the
# executable to a folder. Changes nothing else, and needs no administrator rights.
#
#     sh install.sh [--version VERSION] [--to FOLDER] [--from ADDRESS|FOLDER] [--launcher] [--dry-run]
#
# VERSION is by default the latest release, and FOLDER is ~/.local/bin. --from names the address or the folder of the files
# of a release, if they are not on GitHub.
#
# The script of a clone installs the clone: it builds the executable of this system, or, if that is not possible or with
# --launcher, writes a small script that starts the clone by Deno.
set -eu

repository="OWNER/REPO"
version=
from=
folder="${HOME:-}/.local/bin"
dry_run=
launcher=
deno_version=2.9.6

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

usage() {
  echo "usage: sh install.sh [--version VERSION] [--to FOLDER] [--from ADDRESS|FOLDER] [--launcher] [--dry-run]"
}

while [ $# -gt 0 ]; do
  case "$1" in
    --version | --to | --from)
      if [ $# -lt 2 ] || [ -z "$2" ]; then fail "$1 needs a value"; fi
      case "$1" in
        --version) version="${2#v}" ;;
        --to) folder="$2" ;;
        --from) from="${2%/}" ;;
      esac
      shift 2
      ;;
    --launcher) launcher=yes && shift ;;
    --dry-run) dry_run=yes && shift ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && fail "unknown option: $1" ;;
  esac
done
case "$folder" in
  /.local/bin) fail "HOME is not set; name the folder with --to FOLDER" ;;
  /*) ;;
  # PATH and MCP clients need the full path.
  *) folder="$PWD/$folder" ;;
esac

# --- find out the system

case "$(uname -s)" in
  Linux) os=linux ;;
  Darwin) os=macos ;;
  *) fail "there is no release for $(uname -s); on Windows use install.ps1" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) arch=x64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no release for the processor $(uname -m)" ;;
esac
# A shell that runs under Rosetta reports x86_64 on an Apple processor.
if [ "$os-$arch" = macos-x64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then arch=arm64; fi
# The executable, the packages on npm and Deno are built for glibc. On another system the loader would only say that a file or a version
# is not found.
if [ "$os" = linux ]; then
  # "glibc 2.36", "ldd (Debian GLIBC 2.36-9+deb12u10) 2.36" or "musl libc (x86_64)"
  libc="$(getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>&1 | head -n 1)"
  case "$libc" in
    *[Gg][Ll][Ii][Bb][Cc]* | *"GNU libc"*)
      minor="${libc##* 2.}"
      case "${minor%%[!0-9]*}" in
        [0-9] | 1[0-9] | 2[0-6]) other="glibc ${libc##* }" ;;
        *) other= ;;
      esac
      ;;
    *musl*) other=musl ;;
    *) if [ -e /lib64/ld-linux-x86-64.so.2 ] || [ -e /lib/ld-linux-aarch64.so.1 ]; then other=; else other="another C library"; fi ;;
  esac
  [ -z "$other" ] || fail "muxue_rag and its npm packages need glibc 2.27 or newer, and this system has $other; run it in Docker, for which the release has a Dockerfile"
fi

# --- put the program into its folder

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Installs the file $1, which starts on this system, and says whether the folder is in PATH.
put() {
  # mv would move the program into it.
  [ ! -d "$folder/muxue_rag" ] || fail "$folder/muxue_rag is a folder; name another folder with --to"
  mkdir -p "$folder" || fail "cannot make the folder $folder"
  # A rename replaces a running program. A rename across disks is not atomic, so the program is first copied to the folder.
  if ! cp "$1" "$folder/.muxue_rag.new" || ! mv -f "$folder/.muxue_rag.new" "$folder/muxue_rag"; then
    rm -f "$folder/.muxue_rag.new"
    fail "cannot write to $folder; name another folder with --to"
  fi
  echo "Installed $folder/muxue_rag"
  case ":${PATH:-}:" in
    *":$folder:"*) ;;
    *)
      echo "$folder is not in PATH. For this terminal:"
      echo "    export PATH=\"$folder:\$PATH\""
      echo "Add that line to your shell's profile, or give your MCP client the full path"
      ;;
  esac
  echo "Next: muxue_rag setup --dir FOLDER, which connects your AI assistants to a folder"
}

# --- install from a clone

# Writes a text as one word of a shell script.
quoted() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# Writes a script that starts the clone by Deno. Deno's own path is faster than npx, but npm may remove it.
write_launcher() {
  run="task -q --config $(quoted "$clone/deno.json") start \"\$@\""
  path="$(cd "$work" && deno eval --no-config 'console.log(Deno.execPath())')" || fail "cannot start Deno by npx"
  cat > "$work/muxue_rag" << EOF
#!/bin/sh
# Starts muxue_rag from a clone. Written by install.sh of the clone.
INIT_CWD="\$PWD" && export INIT_CWD
deno=$(quoted "$path")
if [ -x "\$deno" ]; then exec "\$deno" $run; fi
exec npx -y deno@$deno_version $run
EOF
  chmod 755 "$work/muxue_rag"
}

install_clone() {
  # The system's Deno may have another version, whose lock file and flags differ.
  command -v npx >/dev/null 2>&1 || fail "npx is needed, a part of Node.js"
  deno() { npx -y "deno@$deno_version" "$@"; }
  if [ -n "$dry_run" ]; then
    [ -n "$launcher" ] || echo "would build    the executable for $os $arch; if that fails:"
    echo "would write    a script that starts $clone"
    echo "would install  $folder/muxue_rag"
    exit 0
  fi
  if [ -z "$launcher" ]; then
    case "$os" in
      linux) target=unknown-linux-gnu ;;
      macos) target=apple-darwin ;;
    esac
    case "$arch" in
      x64) target="x86_64-$target" ;;
      arm64) target="aarch64-$target" ;;
    esac
    echo "Building muxue_rag for $os $arch"
    if (cd "$clone" && deno task -q compile --target "$target" --out "$work/bin") > "$work/log" 2>&1; then
      mv "$work"/bin/muxue_rag-* "$work/muxue_rag"
    else
      echo "The executable cannot be built here, so a script that starts $clone is installed. The reason:"
      tail -n 3 "$work/log" | sed 's/^/  /'
      launcher=yes
    fi
  fi
  [ -z "$launcher" ] || write_launcher
  "$work/muxue_rag" --version >/dev/null || fail "the program does not start on this system, so nothing was installed"
  put "$work/muxue_rag"
}

clone="$(CDPATH="" cd -- "$(dirname -- "$0")/.." 2>/dev/null && pwd)" || clone=
if [ "$repository" = "OWNER/""REPO" ] && [ -z "$from$version" ] && [ -f "$clone/main.ts" ] && [ -f "$clone/deno.json" ]; then
  install_clone
  exit 0
fi

# --- choose the tools to download and verify

[ -z "$launcher" ] || fail "--launcher is for the script of a clone, without --from and --version"
# A server that sends nothing for so many seconds is given up.
patience=30
if [ -d "$from" ]; then
  from="$(CDPATH="" cd -- "$from" && pwd)"
  download() { cp "$1" "$2"; }
elif command -v curl >/dev/null 2>&1; then
  download() {
    curl --fail --silent --show-error --location --retry 3 --connect-timeout "$patience" --speed-limit 1 --speed-time "$patience" \
      --output "$2" "$1"
  }
elif command -v wget >/dev/null 2>&1; then
  download() { wget -q -t 4 -T "$patience" -O "$2" "$1"; }
else
  fail "curl or wget is needed"
fi
if command -v sha256sum >/dev/null 2>&1; then
  digest() { sha256sum "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null 2>&1; then
  digest() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
else
  fail "sha256sum or shasum is needed to verify the download"
fi

if [ -n "$from" ]; then
  case "$from" in
    /* | *://*) ;;
    *) fail "--from $from is neither a folder nor an address such as http://127.0.0.1:8000" ;;
  esac
  [ -d "$from" ] || [ "${from#/}" = "$from" ] || fail "there is no folder $from"
  base="$from"
elif [ "$repository" = "OWNER/""REPO" ]; then
  fail "this script names no repository; use the script of a release, or name the address or folder of its files with --from"
elif [ -n "$version" ]; then
  base="https://github.com/$repository/releases/download/v$version"
else
  base="https://github.com/$repository/releases/latest/download"
fi

# --- download, verify, install

download "$base/SHA256SUMS" "$work/SHA256SUMS" || fail "cannot download $base/SHA256SUMS"
grep -Eq '^[0-9a-f]{64}  ' "$work/SHA256SUMS" || fail "$base/SHA256SUMS is no list of checksums; is that the address of a release?"
# The list names every file of the release, so it also shows the latest version.
archive="$(awk -v pattern="^muxue_rag-[0-9][^/]*-${os}-${arch}[.]tar[.]gz\$" '$2 ~ pattern { print $2; exit }' "$work/SHA256SUMS")"
[ -n "$archive" ] || fail "the release has nothing for $os $arch"
found="${archive#muxue_rag-}"
found="${found%-"$os-$arch".tar.gz}"
[ -z "$version" ] || [ "$version" = "$found" ] || fail "asked for version $version, found $found"
expected="$(awk -v name="$archive" '$2 == name { print $1; exit }' "$work/SHA256SUMS")"

if [ -n "$dry_run" ]; then
  echo "would download $base/$archive"
  echo "would verify   sha256 $expected"
  echo "would install  $folder/muxue_rag ($found)"
  exit 0
fi

echo "Downloading muxue_rag $found for $os $arch"
download "$base/$archive" "$work/$archive" || fail "cannot download $base/$archive to $work"
actual="$(digest "$work/$archive")"
[ "$actual" = "$expected" ] || fail "$archive has the wrong checksum, so nothing was installed
  expected $expected
  found    $actual"
tar -xzf "$work/$archive" -C "$work" muxue_rag || fail "cannot unpack $archive"
chmod 755 "$work/muxue_rag"
"$work/muxue_rag" --version >/dev/null || fail "the program does not start on this system, so nothing was installed"

put "$work/muxue_rag"
