#!/usr/bin/env bash
# What the action does in its one step: run, acquire or release. Its inputs are in the environment; see action.yml.
set -euo pipefail

fail() {
    echo "::error::holdfast: $1"
    exit 2
}

[[ -n $HF_LOCK ]] || fail "'lock' is empty. Name the lock, such as deploy:shop-production"
command -v holdfast >/dev/null || fail "holdfast is not on the PATH. Install it on the runner, or give 'archive' and 'sha256'"
# What the action is not told it finds in the environment of the job.
[[ -z $HF_SERVER ]] || export HOLDFAST_SERVER=$HF_SERVER
[[ -z $HF_API_TOKEN ]] || export HOLDFAST_TOKEN=$HF_API_TOKEN
unset HF_API_TOKEN

export HF_REASON=${HF_REASON:-$GITHUB_WORKFLOW, $GITHUB_REF_NAME, by $GITHUB_ACTOR}
export HF_RUN=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID
export HF_HOLDS=$RUNNER_TEMP/holdfast
# shellcheck source=hold.sh
. "$GITHUB_ACTION_PATH/hold.sh"

case $HF_MODE in
    run)
        [[ -n $HF_COMMAND ]] || fail "'command' is empty. Say what to run, or set 'mode' to acquire, and later to release"
        options=(--lease "$HF_LEASE" --reason "$HF_REASON" --metadata "run=$HF_RUN")
        [[ -z $HF_WAIT ]] || options+=(--wait "$HF_WAIT")
        # exec, because a cancelled job gets its signal only as the first process of the step.
        exec holdfast exec "${options[@]}" "$HF_LOCK" -- bash --noprofile --norc -eo pipefail -c '
            echo "::add-mask::$HOLDFAST_LEASE_ID"
            printf "fencing-token=%s\nlease-id=%s\n" "$HOLDFAST_FENCING_TOKEN" "$HOLDFAST_LEASE_ID" >>"$GITHUB_OUTPUT"
            exec bash --noprofile --norc -eo pipefail -c "$HF_COMMAND"'
        ;;
    acquire)
        holdfast_acquire
        echo "::add-mask::$HF_LEASE_ID"
        printf 'fencing-token=%s\nlease-id=%s\n' "$HF_TOKEN" "$HF_LEASE_ID" >>"$GITHUB_OUTPUT"
        # For the steps that follow. The lease id marks what is ended if the lock is lost.
        printf 'HOLDFAST_FENCING_TOKEN=%s\nHOLDFAST_LEASE_ID=%s\n' "$HF_TOKEN" "$HF_LEASE_ID" >>"$GITHUB_ENV"
        ;;
    release)
        printf 'HOLDFAST_FENCING_TOKEN=\nHOLDFAST_LEASE_ID=\n' >>"$GITHUB_ENV"
        holdfast_release
        ;;
    *) fail "'mode' is run, acquire or release, not '$HF_MODE'" ;;
esac
