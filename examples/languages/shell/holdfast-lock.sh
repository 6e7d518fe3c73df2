#!/usr/bin/env bash
# A Holdfast lock with bash and curl, on Linux. To try it: ./holdfast-lock.sh NAME COMMAND [ARGUMENT…]
set -euo pipefail
set -m # the command gets a process group of its own, so that all of it can be stopped

server=${HOLDFAST_SERVER:-http://127.0.0.1:8080}
lease=$((${HOLDFAST_LEASE_SECONDS:-30} * 1000))
name=$1 owner=shell@$(uname -n) lease_id='' job='' deadline=0
answer=$(mktemp) && headers=$(mktemp)
shift

now() { awk '{ printf "%d", $1 * 1000 }' /proc/uptime; } # milliseconds; nobody sets this clock, and sleep does not stop it
seconds() { awk "BEGIN { print $lease / 1000 / $1 }"; } # this part of the lease
new_id() { tr -d - </proc/sys/kernel/random/uuid; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$answer"; }
header() { sed -n "s/^$1: \([-0-9]*\).*/\1/ip" "$headers"; }

# call WHAT BODY SECONDS: prints the status; 000 if nobody answered in time
call() {
    curl -s -m "$3" -o "$answer" -D "$headers" -w '%{http_code}' -H 'Content-Type: application/json' \
        ${HOLDFAST_TOKEN:+-H "Authorization: Bearer $HOLDFAST_TOKEN"} -d "$2" "$server/v2/locks/$1" || true
}
tell() { call "$1" '{"leases":[{"namespace":"default","name":"'"$name"'","lease_id":"'"$lease_id"'"}]}' "$2"; }

# held SINCE: the last third of the lease is for stopping, with TERM and then KILL: when it ends, nothing may run
held() { deadline=$(($1 + $(field lease_ms) * 2 / 3)); }
runs() { kill -0 "$job" 2>/dev/null; }

stop() { # the command and all in its group
    kill -TERM -- "-$job" 2>/dev/null || true
    for _ in 1 2 3 4 5 6 7 8 9 10; do ! runs || sleep "$(seconds 60)"; done
    kill -KILL -- "-$job" 2>/dev/null || true
}

finish() {
    [[ -z $job ]] || stop
    tell release 5 >/dev/null # leaves the queue, too; if it fails, the lease ends by itself
    rm -f "$answer" "$headers"
}
trap finish EXIT
trap 'exit 143' TERM INT HUP

lease_id=$(new_id) # the same in every retry, and known to nobody else
wait_ms=500        # soon says who is ahead of us; then waits longer
while true; do
    sent=$(now)
    status=$(call acquire '{"namespace":"default","name":"'"$name"'","owner":"'"$owner"'","reason":"trying a shell",
        "lease_id":"'"$lease_id"'","lease_ms":'$lease',"wait_ms":'$wait_ms'}' 30)
    case $status in
    200) break ;;
    202) echo "waiting, place $(field position), behind $(field owner)" ;; # asking again within 15 s keeps the place
    409) lease_id=$(new_id) ;; # it was granted, but the answer was lost on the way
    000 | 429 | 503) echo "trying again: $status" >&2 && sleep 1 ;;
    *) echo "$(field detail)" >&2 && exit 1 ;;
    esac
    wait_ms=5000
done
held $((sent + $(header lease-waited-ms)))
export HOLDFAST_FENCING_TOKEN=$(header fencing-token) # all that the command writes takes it along
echo "granted, fencing token $HOLDFAST_FENCING_TOKEN"

"$@" &
job=$! renew_at=0
while runs; do
    if (($(now) >= renew_at)); then
        sent=$(now)
        status=$(tell renew "$(seconds 10)")
        case $status-$(field outcome) in
        200-renewed) held "$sent" && renew_at=$((sent + lease / 3)) ;;
        200-lost) deadline=0 ;; # it expired, or an operator ended it
        esac
    fi
    if (($(now) >= deadline)); then
        stop && job=''
        echo "lost, stopped the command" && exit 76
    fi
    sleep 0.2
done
wait "$job" && code=0 || code=$?
job='' && echo "released"
exit "$code"
