# Sourced by run and release, which consist of steps that run one after the other: nothing runs beside what measures or waits.
# The first step that fails ends the run. At the end, also an early one, a table of the steps and the number of tests are printed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

results=$(mktemp -d)
rows=()
running=
since=0

row() { rows+=("$(printf '%6d s  %-6s  %s' $((SECONDS - since)) "$1" "$running")"); }

step() {
  running=$1
  since=$SECONDS
  echo "== $running, after $((SECONDS / 60)) min $((SECONDS % 60)) s"
  "${@:2}" || { row failed; running=; exit 1; }
  row ok
  running=
}

ended() {
  [ -z "$running" ] || row ended
  printf '\n'
  printf '%s\n' "${rows[@]}"
  # A step that ended without results has failed as well.
  case "${rows[*]}" in *' failed '* | *' ended '*) undone=1 ;; *) undone=0 ;; esac
  printf '%6d s  in all\n\n' "$SECONDS"
  node -e '
    const fs = require("fs");
    const sum = { passed: 0, failed: 0, skipped: 0 };
    for (const file of fs.readdirSync(process.argv[1])) {
      const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(fs.readFileSync(`${process.argv[1]}/${file}`));
      sum.passed += numPassedTests;
      sum.failed += numFailedTests || numFailedTestSuites;
      sum.skipped += numPendingTests;
    }
    sum.failed ||= Number(process.argv[2]);
    console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
  ' "$results" "$undone"
  rm -rf "$results"
}
trap ended EXIT
trap 'exit 143' TERM INT

# Runs the tests of a Jest configuration. Nothing is repeated: what fails at times is as wrong as what fails always.
tests() {
  node --max-semi-space-size=64 node_modules/jest/bin/jest.js --ci --config "jest.$1config.cjs" --json \
    --outputFile="$results/$(printf '%02d' ${#rows[@]}).json" "${@:2}"
}

# A run of a seed for some minutes: passed or failed, with what it found.
seed() {
  local passed=1
  timeout 900 npm run --silent "$1" -- --seed 1 --minutes "${@:2}" || passed=0
  echo "{\"numPassedTests\":$passed,\"numFailedTests\":$((1 - passed)),\"numFailedTestSuites\":0,\"numPendingTests\":0}" >"$results/seeds.${#rows[@]}.json"
  [ "$passed" = 1 ]
}

# Debian's packages, for the tests that want them; without them, these say that they were skipped.
packages() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
  local wanted=()
  command -v redis-server >/dev/null || wanted+=(redis-server)
  command -v chromium >/dev/null || wanted+=(chromium)
  command -v mypy >/dev/null || wanted+=(mypy)
  [ -e "/usr/lib/$(uname -m)-linux-gnu/faketime/libfaketime.so.1" ] || wanted+=(libfaketime)
  # Its programs only: no server that starts by itself. Citus needs the newest release.
  mkdir -p /etc/postgresql-common/createcluster.d
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.d/startline.conf
  wanted+=(postgresql-15)
  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}") >"$results.apt" 2>&1 ||
    { tail -n 3 "$results.apt"; echo "not all of ${wanted[*]} could be installed"; }
  rm -f "$results.apt"
  # The files of Citus for Debian's PostgreSQL 15, as an archive of paths from /.
  local archive
  for archive in "${CITUS_ARCHIVE:-}" ../shared/citus/*-pg15-*.tar.xz; do
    [ ! -f "$archive" ] || [ ! -x /usr/lib/postgresql/15/bin/initdb ] || { tar xf "$archive" -C /; break; }
  done
}

installation() { npm ci --no-audit --no-fund && npm run --silent build; }

# What `npm run check` checks, in two processes at a time: nothing of it measures or waits.
checks() {
  node -p 'Object.keys(require("./package.json").scripts).filter((name) => name.startsWith("check:")).join("\n")' |
    xargs -P 2 -I % npm run --silent % && npm run --silent sbom
}

# Runs tests on Citus, where it is installed.
on_citus() {
  [ -e /usr/lib/postgresql/15/lib/citus.so ] || { echo 'Citus is not installed, and CITUS_ARCHIVE names no archive of it: no test ran on it'; return 0; }
  tests citus. "$@"
}
