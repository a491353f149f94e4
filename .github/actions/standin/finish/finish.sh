#!/usr/bin/env bash
# The steps of the action: export, summary, checks, stop. Its inputs are in INPUT_*; see action.yml.
set -euo pipefail

fail() {
  # Escaped as the runner's own toolkit does: an input may have several lines.
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=standin::%s\n' "${text//$'\n'/%0A}"
  exit 1
}

# What was captured is text of others, so none of it is markdown here.
escaped() {
  sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'
}

# Writes the summary by the program's own report, or its findings alone if it has no report yet.
summary() {
  case $("$STANDIN_PROGRAM" help) in
    *'
  report '*)
      "$STANDIN_PROGRAM" report --url "$STANDIN_URL"
      return
      ;;
  esac
  printf '## Captured by standin: %s\n\n' "$events"
  local findings
  findings=$("$STANDIN_PROGRAM" check --level warning --url "$STANDIN_URL" 2>&1) || true
  printf '<pre>\n%s\n</pre>\n' "$(printf '%s' "$findings" | escaped)"
}

# Runs a command whose output holds captured text: the runner takes no line of it for a command of a workflow.
# https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#stopping-and-starting-workflow-commands
inert() {
  local status=0 token
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$token"
  "$@" || status=$?
  printf '\n::%s::\n' "$token"
  return "$status"
}

# Stops the program, and waits until it has written its last line.
stop() {
  local pid deadline=$((SECONDS + 10))
  pid=$(cat "$state/pid")
  kill "$pid" 2>/dev/null || return 0
  while kill -0 "$pid" 2>/dev/null; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      kill -9 "$pid" 2>/dev/null || true
      return 0
    fi
    sleep 0.1
  done
}

state=$RUNNER_TEMP/standin
if [ -z "${STANDIN_URL:-}" ] || [ ! -f "$state/pid" ]; then
  fail "Cannot finish standin: nothing was started; use the action beside this one first"
fi
case $INPUT_CHECK in
  '' | error | warning | info) ;;
  *) fail "Cannot check for \"$INPUT_CHECK\": expected error, warning or info" ;;
esac
trap stop EXIT

"$STANDIN_PROGRAM" export "$INPUT_FILE" --url "$STANDIN_URL" ||
  fail "Cannot export what was captured: see its log in $state/standin.log"
events=$(curl --fail --silent --show-error --noproxy '*' "$STANDIN_URL/api/v1/health" |
  sed -n 's/.*"events":\([0-9][0-9]*\).*/\1/p')
{
  printf 'events=%s\n' "$events"
  printf 'file=%s\n' "$INPUT_FILE"
} >>"$GITHUB_OUTPUT"
summary >>"$GITHUB_STEP_SUMMARY"
printf 'standin has captured %s, saved in %s\n' "$events" "$INPUT_FILE"

[ -z "$INPUT_CHECK" ] || inert "$STANDIN_PROGRAM" check --level "$INPUT_CHECK" --url "$STANDIN_URL" ||
  fail "The checks have findings of level $INPUT_CHECK or worse"
