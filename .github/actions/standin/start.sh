#!/usr/bin/env bash
# The steps of the action: install, start, wait. Its inputs are in INPUT_*; see action.yml.
set -euo pipefail

fail() {
  # Escaped as the runner's own toolkit does: an input may have several lines.
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=standin::%s\n' "${text//$'\n'/%0A}"
  exit 1
}

# Prints the address of the release's files.
release_url() {
  if [ -n "$INPUT_BASE_URL" ]; then
    printf '%s' "$INPUT_BASE_URL"
  elif [[ $INPUT_VERSION =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]]; then
    printf '%s/%s/releases/download/%s' "$GITHUB_SERVER_URL" "$ACTION_REPOSITORY" "$INPUT_VERSION"
  else
    fail "Cannot tell which release to install from \"$INPUT_VERSION\": set the input version to a tag such as v1.2.3"
  fi
}

# Prints an address of the first line that the program has printed.
address() {
  sed -n "1s|.*\"$1\":\"\\([^\"]*\\)\".*|\\1|p" "$state/greeting.json"
}

state=$RUNNER_TEMP/standin
mkdir -p "$state"

program=$INPUT_PROGRAM
if [ -z "$program" ]; then
  url=$(release_url) || { printf '%s\n' "$url"; exit 1; }
  # It checks the SHA-256 of what it fetches.
  STANDIN_BASE_URL=$url STANDIN_DIR=$state/bin sh "$ACTION_PATH/../../../scripts/release/install.sh"
  program=$state/bin/standin
fi
program=$(command -v "$program") || fail "Cannot start standin: there is no program $INPUT_PROGRAM"

args=()
while IFS= read -r line; do
  [ -z "$line" ] || args+=("$line")
done <<<"$INPUT_ARGS"

: >"$state/greeting.json"
nohup "$program" serve --log-format=json ${args[@]+"${args[@]}"} \
  </dev/null >"$state/greeting.json" 2>"$state/standin.log" &
pid=$!
printf '%s\n' "$pid" >"$state/pid"

# The first line says where it listens; the port may be any free one.
deadline=$((SECONDS + INPUT_TIMEOUT))
while [ -z "$(address api)" ]; do
  if ! kill -0 "$pid" 2>/dev/null; then
    cat "$state/standin.log"
    fail "Cannot start standin: it ended before it was ready; its log is above"
  fi
  if [ "$SECONDS" -ge "$deadline" ]; then
    kill "$pid"
    cat "$state/standin.log"
    fail "Cannot start standin: it said nothing for $INPUT_TIMEOUT seconds; its log is above"
  fi
  sleep 0.1
done
api=$(address api)
url=${api%/api/v1}
"$program" ready --wait --timeout "$INPUT_TIMEOUT" --url "$url" ||
  fail "Cannot use standin at $url: not every listener accepts connections after $INPUT_TIMEOUT seconds"

{
  printf 'url=%s\n' "$url"
  printf 'ingress=%s\n' "$(address ingress)"
  printf 'addresses=%s\n' "$(head -n 1 "$state/greeting.json")"
  printf 'program=%s\n' "$program"
} >>"$GITHUB_OUTPUT"
{
  printf 'STANDIN_URL=%s\n' "$url"
  printf 'STANDIN_PROGRAM=%s\n' "$program"
} >>"$GITHUB_ENV"
dirname "$program" >>"$GITHUB_PATH"
printf 'standin is ready at %s\n' "$url"
