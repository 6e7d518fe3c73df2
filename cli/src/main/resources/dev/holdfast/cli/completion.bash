# Completion of holdfast for bash, made by: holdfast completion bash

# What can stand after the command $1 (and what after its option $2): sets subs, opts, vals, keys, choices.
_holdfast_at() {
    choices=""
    case $1 in
@TABLE@
        *) subs=" " opts=" " vals=" " keys=0 ;;
    esac
}

_holdfast() {
    # From the line itself: the shell's own words are cut at every colon, of which URLs and names are full.
    local line=${COMP_LINE:0:COMP_POINT} path="" word i subs opts vals keys choices given=0
    local -a words=() where=()
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=("")
    local last=$((${#words[@]} - 1))
    local cur=${words[last]} prev=${words[last - 1]}
    COMPREPLY=()
    _holdfast_at "" ""
    for ((i = 1; i < last; i++)); do
        word=${words[i]}
        case $word in
            --)
                # A command of its own follows.
                COMPREPLY=($(compgen -c -f -- "$cur"))
                return
                ;;
            --server | --store | --context | --namespace | -N)
                ((i + 1 >= last)) || where+=("$word" "${words[i + 1]}")
                i=$((i + 1))
                ;;
            --server=* | --store=* | --context=* | --namespace=*) where+=("$word") ;;
            -*) [[ $vals != *" $word "* ]] || i=$((i + 1)) ;;
            *)
                if [[ $subs == *" $word "* ]]; then
                    path=${path:+$path }$word
                    _holdfast_at "$path" ""
                else
                    given=$((given + 1))
                fi
                ;;
        esac
    done
    _holdfast_at "$path" "$prev"
    if ((last > 1)) && [[ $vals == *" $prev "* ]]; then
        if [[ $choices == @file ]]; then
            COMPREPLY=($(compgen -f -- "$cur"))
        elif [[ $choices == @context ]]; then
            COMPREPLY=($(compgen -W "$("${words[0]}" __complete --contexts 2>/dev/null)" -- "$cur"))
        else
            COMPREPLY=($(compgen -W "$choices" -- "$cur"))
        fi
    elif [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$opts" -- "$cur"))
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
    elif [[ $subs != " " && $subs != "  " ]]; then
        COMPREPLY=($(compgen -W "$subs" -- "$cur"))
    elif ((keys == 2 && given == 0)); then
        COMPREPLY=($(compgen -W "$("${words[0]}" __complete --contexts 2>/dev/null)" -- "$cur"))
    elif ((keys && given == 0)); then
        while IFS= read -r word; do
            [[ $word != "$cur"* ]] || COMPREPLY+=("$(printf '%q' "$word")")
        done < <("${words[0]}" __complete ${where[@]+"${where[@]}"} -- "$cur" 2>/dev/null)
        # The shell replaces only what follows the last colon.
        if [[ $cur == *:* && ${COMP_WORDBREAKS-} == *:* ]]; then
            local before=${cur%"${cur##*:}"}
            for i in "${!COMPREPLY[@]}"; do
                COMPREPLY[i]=${COMPREPLY[i]#"$before"}
            done
        fi
    fi
}

complete -F _holdfast holdfast
