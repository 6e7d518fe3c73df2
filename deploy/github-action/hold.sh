# shellcheck shell=sh
# Holds a lock from one step of a CI job to a later one. Functions to be read into a shell; the same text is in deploy/github-action,
# deploy/gitlab and deploy/jenkins, and a test compares the three.
#
# A process in the background, 'holdfast exec', renews the lease meanwhile. So the lease can be short: if the machine dies, the lock is
# free soon after. If it loses the lock, it ends all processes that have this lease id as HOLDFAST_LEASE_ID in their environment.
#
#   HF_LOCK     the lock
#   HF_LEASE    how soon it is free if the machine dies
#   HF_WAIT     how long to wait for it; empty: as long as it takes
#   HF_REASON   why, for whoever looks
#   HF_RUN      the address of this run, for whoever looks
#   HF_HOLDS    a directory of this job alone, which the later step finds again

# Where the two steps leave word for each other. The name of a lock may have any characters, so its checksum is taken.
hf_place() {
    echo "$HF_HOLDS/hold-$(printf %s "$HF_LOCK" | cksum | tr ' ' -)"
}

# What the process in the background runs: it says what was granted, and ends when that file is gone. Not later than after six hours, in
# case nobody ever comes to release it.
HF_KEEP='
trap "" HUP INT TERM
umask 077
printf "%s\n%s\n" "$HOLDFAST_FENCING_TOKEN" "$HOLDFAST_LEASE_ID" >"$HF_PLACE/held.new" && mv "$HF_PLACE/held.new" "$HF_PLACE/held"
left=21600
while [ -e "$HF_PLACE/held" ] && [ "$left" -gt 0 ]; do sleep 1; left=$((left - 1)); done'

# Returns when the lock is held, with its token in HF_TOKEN and its lease id in HF_LEASE_ID; else exits as 'holdfast exec' does.
holdfast_acquire() {
    HF_PLACE=$(hf_place)
    export HF_PLACE
    if [ -e "$HF_PLACE" ]; then
        echo "holdfast: this job has acquired $HF_LOCK before; release it first" >&2
        exit 2
    fi
    (umask 077 && mkdir -p "$HF_PLACE" && : >"$HF_PLACE/log") || exit 1
    set -- --lease "$HF_LEASE" --reason "$HF_REASON"
    [ -z "$HF_WAIT" ] || set -- "$@" --wait "$HF_WAIT"
    [ -z "$HF_RUN" ] || set -- "$@" --metadata "run=$HF_RUN"
    # Not ended by TERM, which a cancelled job sends to all its processes at once: the work must have ended before the lock is free. Nor
    # when another lock is lost that this job holds.
    (
        trap '' INT TERM
        unset HOLDFAST_LEASE_ID
        exec holdfast exec "$@" "$HF_LOCK" -c "$HF_KEEP" </dev/null >>"$HF_PLACE/log" 2>&1
    ) &
    hf_holder=$!
    # Cancelled while it waits: the place in the queue, or what was granted in this moment, is given back.
    trap 'rm -rf "$HF_PLACE"; kill -HUP "$hf_holder" 2>/dev/null || :; wait "$hf_holder" || :; exit 143' HUP INT TERM
    hf_shown=0
    until [ -s "$HF_PLACE/held" ]; do
        if ! kill -0 "$hf_holder" 2>/dev/null; then
            hf_code=0
            wait "$hf_holder" || hf_code=$?
            hf_show
            rm -rf "$HF_PLACE"
            [ "$hf_code" != 0 ] || hf_code=1 # it has ended without the lock
            exit "$hf_code"
        fi
        hf_show
        sleep 1
    done
    hf_show
    trap - HUP INT TERM
    HF_TOKEN=$(sed -n 1p "$HF_PLACE/held")
    HF_LEASE_ID=$(sed -n 2p "$HF_PLACE/held")
    echo "holdfast: $HF_LOCK is held, with fencing token $HF_TOKEN" >&2
}

# Passes on what the process in the background has said since, such as for whom it waits.
hf_show() {
    hf_lines=$(($(wc -l <"$HF_PLACE/log")))
    [ "$hf_lines" -le "$hf_shown" ] || sed -n "$((hf_shown + 1)),${hf_lines}p" "$HF_PLACE/log" >&2
    hf_shown=$hf_lines
}

# Gives it back. Exits with 76 if it was lost before, so that the job does not look as if all was well.
holdfast_release() {
    HF_PLACE=$(hf_place)
    if [ ! -s "$HF_PLACE/held" ]; then
        echo "holdfast: this job does not hold $HF_LOCK, so there is nothing to release" >&2
        return 0
    fi
    # By its lease id, and not through the process in the background, which may be gone: containers end with their first process. As an
    # option, since that process would end this one too if it had the id in its environment.
    hf_code=0
    holdfast release "$HF_LOCK" --lease-id "$(sed -n 2p "$HF_PLACE/held")" >&2 || hf_code=$?
    if [ "$hf_code" = 3 ]; then
        echo "holdfast: $HF_LOCK was lost before it was released; others may have worked at the same time. What was said meanwhile:" >&2
        cat "$HF_PLACE/log" >&2
        hf_code=76
    fi
    rm -rf "$HF_PLACE" # which ends the process in the background
    [ "$hf_code" = 0 ] || exit "$hf_code"
}
