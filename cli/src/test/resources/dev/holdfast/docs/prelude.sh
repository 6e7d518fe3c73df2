# What the shell of a page knows before its first block. Every block is read into this shell, one after the other.
open=$DOCS_SERVER
LOCKS=$open
cd "$DOCS_DIRECTORY" || exit 1

# Notes the status, so that it can be compared with the one that the page promises. A stream is listened to for a moment.
curl() {
    local code streams=no
    [[ " $* " != *" -N "* ]] || streams=yes
    command curl -s -m $([[ $streams == yes ]] && echo 1 || echo 20) -w '\n%{stderr}%{http_code}\n' \
        ${HOLDFAST_TOKEN:+-H "Authorization: Bearer $HOLDFAST_TOKEN"} "$@" 2>"$DOCS_PLACE/status"
    code=$?
    tail -n 1 "$DOCS_PLACE/status" >>"$DOCS_PLACE/statuses"
    [[ $streams == no || $code != 28 ]] || code=0
    return $code
}

# With settings: are they accepted? Without: starts one, and goes on once it is ready.
serve() {
    if (($#)); then
        holdfast config show "$@"
        return
    fi
    HOLDFAST_SERVER='' HOLDFAST_PORT=$DOCS_OTHER_PORT holdfast serve >"$DOCS_PLACE/serve" 2>&1 &
    echo $! >>"$DOCS_PLACE/servers"
    disown # or it would be job %1 of the page
    export HOLDFAST_SERVER=http://127.0.0.1:$DOCS_OTHER_PORT
    LOCKS=$HOLDFAST_SERVER
    for _ in {1..200}; do
        command curl -sf "$HOLDFAST_SERVER/health/ready" >/dev/null && return 0
        sleep 0.1
    done
    cat "$DOCS_PLACE/serve"
    return 1
}

# After the last block: what the page left running ends, and its files are at rest.
ended() {
    local server
    kill $(jobs -p) $(cat "$DOCS_PLACE/servers" 2>/dev/null) 2>/dev/null
    wait
    for server in $(cat "$DOCS_PLACE/servers" 2>/dev/null); do
        for _ in {1..200}; do
            kill -0 "$server" 2>/dev/null || break
            sleep 0.05
        done
    done
}

# ---- for the notes 'first'

post() { command curl -s -H 'Content-Type: application/json' "$open$1" -d "$2"; }

# A server that asks who is there, and its admin.
authenticated() {
    export HOLDFAST_SERVER=$DOCS_AUTHENTICATED HOLDFAST_TOKEN=$DOCS_ADMIN
    LOCKS=$HOLDFAST_SERVER H=$HOLDFAST_SERVER
}

anybody() {
    export HOLDFAST_SERVER=$open
    unset HOLDFAST_TOKEN
    LOCKS=$open H=$open
}

# Two versions of the stack shop in prod: LAST_GOOD, and VERSION, the newer.
saved() {
    echo '{"version":4,"serial":1,"lineage":"a","resources":[]}' >state.json
    holdfast state push shop prod state.json
    echo '{"version":4,"serial":2,"lineage":"a","resources":[]}' >state.json
    holdfast state push shop prod state.json
    local versions
    versions=$(holdfast state history shop prod -o json | grep -o '"version": *"[^"]*"' | cut -d '"' -f 4)
    VERSION=$(head -n 1 <<<"$versions")
    LAST_GOOD=$(tail -n 1 <<<"$versions")
    echo '{"version":4,"serial":7,"lineage":"a","resources":[]}' >state.json
}

# Apps of an imaginary company, and a database they share; nothing answers.
guarded() {
    cat >apps.yaml <<'END'
apps:
  shop: {url: "http://127.0.0.1:1/", databases: [{type: postgres, host: "db-1:5432"}]}
  blog: {url: "http://127.0.0.1:1/", databases: [{type: postgres, host: "db-1:5432"}]}
END
    holdfast guard apps import apps.yaml
}

program() {
    printf '#!/bin/sh\n%s\n' "${2-true}" >"$1"
    chmod +x "$1"
}
