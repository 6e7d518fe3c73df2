#compdef holdfast
# Completion of holdfast for zsh, made by: holdfast completion zsh

# What can stand after the command $1 (and what after its option $2): sets subs, opts, vals, keys, choices.
_holdfast_at() {
    choices=""
    case $1 in
@TABLE@
        *) subs=" " opts=" " vals=" " keys=0 ;;
    esac
}

_holdfast() {
    local here="" word i=2 subs opts vals keys choices given=0
    local cur=${words[CURRENT]} prev=${words[CURRENT - 1]}
    local -a where names
    _holdfast_at "" ""
    while ((i < CURRENT)); do
        word=${words[i]}
        case $word in
            --)
                _normal
                return
                ;;
            --server | --store | --context | --namespace | -N)
                ((i + 1 >= CURRENT)) || where+=("$word" "${(Q)words[i + 1]}")
                i=$((i + 1))
                ;;
            --server=* | --store=* | --context=* | --namespace=*) where+=("${(Q)word}") ;;
            -*) [[ $vals != *" $word "* ]] || i=$((i + 1)) ;;
            *)
                if [[ $subs == *" $word "* ]]; then
                    here=${here:+$here }$word
                    _holdfast_at "$here" ""
                else
                    given=$((given + 1))
                fi
                ;;
        esac
        i=$((i + 1))
    done
    _holdfast_at "$here" "$prev"
    if ((CURRENT > 2)) && [[ $vals == *" $prev "* ]]; then
        if [[ $choices == @file ]]; then
            _files
        elif [[ $choices == @context ]]; then
            compadd -- ${(f)"$(${words[1]} __complete --contexts 2>/dev/null)"}
        else
            compadd -- ${=choices}
        fi
    elif [[ $cur == -* ]]; then
        compadd -- ${=opts}
    elif [[ -n ${subs// /} ]]; then
        compadd -- ${=subs}
    elif ((keys == 2 && given == 0)); then
        compadd -- ${(f)"$(${words[1]} __complete --contexts 2>/dev/null)"}
    elif ((keys && given == 0)); then
        names=("${(@f)$(${words[1]} __complete $where -- "${(Q)cur}" 2>/dev/null)}")
        compadd -- ${names:#}
    fi
}

compdef _holdfast holdfast
