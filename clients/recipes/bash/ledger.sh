#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bookkeeping Ledger API with bash 4.4, curl and jq: push a CSV or NDJSON file, list entries, list sources.
#
#   export LEDGER_URL=https://ledger.example LEDGER_API_KEY=ledger_live_...
#   ./ledger.sh sources
#   ./ledger.sh push SOURCE_ID entries.csv > outcomes.csv
#   ./ledger.sh list SOURCE_ID [FROM [TO]] > books.ndjson
#
# A CSV file has the columns date (YYYY-MM-DD), amount (in pounds), type and reference, and optionally category and description. A column
# whose name begins with "note" is not read, and any other one is refused. The type of each row is income or expense. An amount has no sign: a
# minus may be money out or money back. An NDJSON file has one entry of the API on each line, with an externalRef. Every entry needs a
# reference of its own: so pushing a file again creates nothing twice.
set -euo pipefail
ENTRIES_MAX=500 PAGE_MAX=200 FAILURES_MAX=8

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Sends one request, and again after 429, 5xx and broken connections. Sets `status`, and `response` to a file.
# usage: request PATH [FILE WITH THE BODY | QUERY ARGUMENTS OF CURL ...]
request() {
  local path=$1 failures=0 wait code; shift
  while true; do
    # The key is in no argument, where other users of the machine would see it.
    status=$(curl -sS --max-time 60 -o "$response" -D "$tmp/headers" -w '%{http_code}' "${direct[@]}" "$@" \
      --config <(printf 'header = "Authorization: Bearer %s"\n' "$LEDGER_API_KEY") \
      "$LEDGER_URL/api/v1$path" 2> "$tmp/failure") || status=000
    if [[ $status == 20[01] ]]; then
      # The lists that the API responds with: sources, the known entries of a push, or the entries of a page.
      jq -ne 'input | .sources, .existing, (select(has("nextCursor")) | .transactions) | arrays' "$response" > "$tmp/lists" 2>&1 \
        || status+=' and other content'
      return 0
    fi
    code=
    [[ $status == 000 ]] || code=$(jq -r '.error.code?' "$response" 2> /dev/null || true)
    [[ $status == 000 || $status == 408 || $status == 5?? || $code == rate_limited ]] || return 0
    [[ $code == rate_limited ]] || failures=$((failures + 1))
    if ((failures > FAILURES_MAX)); then
      [[ $status == 000 ]] && fail "The service cannot be reached: $(< "$tmp/failure")"
      return 0
    fi
    wait=$((failures > 0 ? 1 << (failures - 1) : 1))
    if [[ $status != 000 ]]; then
      local after; after=$(awk 'tolower($1) == "retry-after:" { after = int($2) } END { print after + 0 }' "$tmp/headers")
      ((after <= wait)) || wait=$after
    fi
    sleep "$wait"
  done
}

# Ends with the API's message. The paths of issues become lines of the file.
refused() {
  local message
  message=$(jq -r --args '
    def where: (capture("^/(?<index>[0-9]+)/?(?<field>.*)") | "line \($ARGS.positional[.index | tonumber]) \(.field)") // .;
    .error | (.message | strings), (.issues[]? | "\(.path | where): \(.message)"),
      (.validCategories // empty | "accepted categories: \(join(", "))")' "$@" < "$response" 2> /dev/null) || message=
  printf 'error: %s\n' "${message:-The response with status $status is not one of the API: check LEDGER_URL}" >&2
}

# For CSV and NDJSON.
CHECKS='
  def check_date: if . < "2000" or . > (now + 7 * 86400 | strftime("%Y-%m-%d"))
    then error("the date \(.) is before 2000 or more than a week ahead") else . end;
  def check_text: if test("\ufffd") then error("the line has a broken character: save the file as UTF-8") else . end;'

# Prints `LINE <tab> ENTRY` for each row of a CSV file, or `LINE <tab> ! PROBLEM`. Amounts are computed from their digits.
read_csv() {
  jq -nRr --arg tail "$(tail -c 1 "$1" | tr '\r' '\n')" "$CHECKS"'
    def fields: . as $text | [. + "," | match("(?:\"((?:[^\"]|\"\")*)\"\\s*|([^\",]*)),"; "g")]
      | if (map(.length) | add) != ($text | length) + 1 then error("a quote in a text must be doubled, and the text in quotes") else . end
      | map(.captures | .[0].string // .[1].string | gsub("\"\""; "\"") | gsub("^\\s+|\\s+$"; ""));
    # An unknown column may change the meaning of the amount.
    def columns: check_text | ascii_downcase | fields | until(.[-1:] != [""]; .[:-1])
      | (map(select(IN("date", "amount", "type", "category", "description", "reference") or startswith("note") | not)) | .[0]) as $other
      | if $other then error("the column \"\($other)\" is not known: remove it, or let its name begin with \"note\"")
        elif (unique | length) < length then error("two columns have one name")
        elif contains(["date", "amount", "type"]) | not then error("the first line must name the columns date, amount and type") else . end;
    def pence: . as $text
      | (capture("^£?(?<pounds>[0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.](?<pence>[0-9]{1,2}))?$") // null)
      | if . == null then error("\"\($text)\" is not an amount in pounds without a sign and with at most two decimals") else . end
      | .pounds + (.pence // "" | . + "00" | .[:2]) | gsub(","; "") | sub("^0+"; "")
      | if . == "" then error("the amount is zero") elif length > 15 then error("\($text) is too large") else . end;
    def is_total: test("^(grand |sub-?)?totals?(:?$|:? (for|of|in|out|income|rents?|expenses?|[0-9q]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
      + "|\\b(opening|closing|starting|ending) balance\\b|\\bbalance (brought|carried|[bc]/)"; "i");
    def entry: (.amount | pence) as $digits | (.type | ascii_downcase) as $type
      | if .reference == "" then error("there is no reference")
        elif (.date | test("^[0-9]{4}-[0-9]{2}-[0-9]{2}$") | not) then error("\"\(.date)\" is not a date such as 2026-04-06")
        elif (.description | is_total) then error("\"\(.description)\" seems to be a total or a balance: remove the row")
        elif ($type | IN("income", "expense") | not) then error("type must be income or expense")
        else {date: (.date | check_date), type: $type, amountPence: ($digits | tonumber), externalRef: .reference, category, description} | with_entries(select(.value != "")) end;
    def row($names): check_text | fields
      | if length < ($names | length) or any(.[($names | length):][]; . != "")
        then error("\(length) cells, and \($names | length) columns: put a text with a comma in quotes")
        elif any(.[]; test("[\r\n]\\W*[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]"))
        then error("a quoted text has lines that look like rows: double a quote that is part of it")
        elif .[($names | index("amount")):] | join("\t") | test("^£?[0-9]{1,3}\t[0-9]{3}[.][0-9]{2}(\t|$)")
        then error("a comma seems to cut the amount in two: put it in quotes") else . end
      | [$names, .] | transpose | map(select(.[0]) | {(.[0]): .[1]})
      | {category: "", description: "", reference: ""} + add | entry | tojson;
    # A quoted field may contain line breaks: lines are joined until the quotes are even. A cut file ends with fewer decimals than before.
    foreach ((inputs | rtrimstr("\r")), null) as $text ({line: 0, before: [], decimals: null};
        .output = null
        | if $text == null then
            if .rest then .output = "! a quote is not closed"
            elif $tail != "" and .names[-1:] == ["amount"] and .decimals and .before and .decimals < .before
            then .output = "! the file seems to be cut within the amount: download it again" else . end
          else .line += 1 | .rest = (if .rest then "\(.rest)\n\($text)" else $text end)
            | if (.rest | split("\"") | length) % 2 == 0 then .
              else .rest as $record | .names as $names | .rest = null
                | if $names == null then .names = ($record | ltrimstr("\ufeff") | try columns catch "! \(.)")
                    | if .names | type == "string" then .output = .names | .names = [] else . end
                  elif $names != [] and ($record | test("[^, ]")) then
                    .output = ($record | try row($names) catch "! \(.)")
                    | .before = ([.before, .decimals] | map(select(. != null and . != [])) | min)
                    | .decimals = ($record | split(".") | .[1:] | last // "" | gsub("[^0-9]"; "") | length)
                  else . end end end;
        select(.output) | "\(.line)\t\(.output | gsub("[\t\r\n]"; " "))")' < "$1"
}

# The same for NDJSON. The text of an entry stays as it is: jq would turn 450.00 into 450, and the API would not refuse it.
read_ndjson() {
  jq -nRr "$CHECKS"'foreach inputs as $text (0; . + 1; select($text | test("\\S")) | "\(.)\t" + ($text
    | try (check_text | fromjson | if type != "object" then error("this is not one JSON object")
        elif .externalRef | type != "string" then error("there is no externalRef")
        else (.date | strings | check_date | empty), $text end) catch "! \(.)" | gsub("[\t\r]"; " ")))' < "$1"
}

push() {
  local source=$1 file=$2 start=0 size=$ENTRIES_MAX count
  [[ -r $file ]] || fail "$file cannot be read"
  if [[ $file == *.csv ]]; then read_csv "$file"; else read_ndjson "$file"; fi > "$tmp/rows"
  local repeated
  repeated=$(cut -f 2- "$tmp/rows" | jq -rR 'fromjson? | .externalRef' | sort | uniq -d)
  if grep -q $'\t!' "$tmp/rows" || [[ $repeated ]]; then
    sed -n $'s/^\\([0-9]*\\)\t! /line \\1: /p' "$tmp/rows" >&2
    [[ -z $repeated ]] || printf 'more than one row has the reference %s\n' "$repeated" >&2
    fail 'Nothing was sent.'
  fi
  local lines entries
  mapfile -t lines < <(cut -f 1 "$tmp/rows")
  mapfile -t entries < <(cut -f 2- "$tmp/rows")
  echo 'line,status,id,reference,differs'
  while ((start < ${#entries[@]})); do
    count=$((size < ${#entries[@]} - start ? size : ${#entries[@]} - start))
    (IFS=,; printf '[%s]' "${entries[*]:start:count}") > "$tmp/batch"
    request "/sources/$source/transactions" -H 'Content-Type: application/json' --data-binary "@$tmp/batch"
    if [[ $status == 20[01] ]]; then
      jq -r --slurpfile batch "$tmp/batch" --args '
        (.transactions | map({(.externalRef): .id}) | add // {}) as $created
        | (.existing | map({(.externalRef): .id}) | add // {}) as $known
        | (.conflicts // [] | map({(.index | tostring): (.fields | join(" "))}) | add // {}) as $differs
        | $batch[0] | to_entries[] | .value.externalRef as $ref | $differs[.key | tostring] as $fields
        | [($ARGS.positional[.key] | tonumber), (if $created[$ref] then "created" elif $fields then "conflict" else "known" end),
           $created[$ref] // $known[$ref], ($ref | if test("^[=+@\t\r-]") then "\u0027" + . else . end), $fields] | @csv' \
        "${lines[@]:start:count}" < "$response"
      start=$((start + count))
      size=$ENTRIES_MAX
    else
      # At the daily cap, the entries before the first one that does not fit are sent alone.
      size=$(jq --argjson count "$count" 'first(.error.index? | numbers | select(. == floor and . > 0 and . < $count)) // 0' "$response" 2> /dev/null || echo 0)
      ((size > 0)) && continue
      refused "${lines[@]:start:count}"
      fail "$((${#entries[@]} - start)) entries are not confirmed. Push the file again later: nothing is created twice."
    fi
  done
}

list() {
  local query=(-G --data-urlencode "limit=$PAGE_MAX") cursor=()
  [[ ${2:-} ]] && query+=(--data-urlencode "from=$2")
  [[ ${3:-} ]] && query+=(--data-urlencode "to=$3")
  while true; do
    get "/sources/$1/transactions" "${query[@]}" "${cursor[@]}"
    jq -c '.transactions[]' "$response"
    [[ $(jq '.nextCursor' "$response") == null ]] && return
    cursor=(--data-urlencode "cursor=$(jq -r .nextCursor "$response")")
  done
}

get() {
  request "$@"
  [[ $status == 200 ]] || { refused; exit 1; }
}

for program in curl jq; do command -v "$program" > /dev/null || fail "$program is missing: install it"; done
((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) || fail 'bash 4.4 or newer is needed'
LEDGER_URL=${LEDGER_URL:-} LEDGER_API_KEY=${LEDGER_API_KEY:-}
LEDGER_URL=${LEDGER_URL%/}
LEDGER_URL=${LEDGER_URL%/api/v1}
[[ $LEDGER_URL =~ ^https://[^/@]+$|^http://(localhost|127\.0\.0\.1)(:[0-9]+)?$ ]] || fail 'LEDGER_URL must be https:// and a host name, or http://localhost'
# A proxy could read requests without encryption.
direct=(); [[ $LEDGER_URL == https:* ]] || direct=(--noproxy '*')
[[ $LEDGER_API_KEY =~ ^[A-Za-z0-9_-]+$ ]] || fail 'LEDGER_API_KEY must be one word'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
response=$tmp/response

[[ $# -lt 2 || $2 =~ ^[0-9A-Fa-f-]+$ ]] || fail "$2 is not the id of a source"
case "${1:-}:$#" in
  sources:1) get /sources; jq -r '.sources[] | [.id, .type, .name] | @tsv' "$response" ;;
  push:3) push "$2" "$3" ;;
  list:[234]) shift; list "$@" ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
