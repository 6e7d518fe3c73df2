# Completion of holdfast for fish, made by: holdfast completion fish

# Whether the words so far name the command in the first argument.
function __holdfast_at
    set -l here ''
    for word in (commandline -opc)[2..-1]
        if test "$word" = --
            return 1
        end
        set -l longer (string trim -- "$here $word")
        if contains -- $longer $__holdfast_paths
            set here $longer
        end
    end
    test "$here" = "$argv[1]"
end

# The names of locks, of the server, store and namespace that were named so far.
function __holdfast_names
    set -l words (commandline -opc)
    set -l where
    set -l i 2
    while test $i -le (count $words)
        switch $words[$i]
            case --server --store --context --namespace -N
                set -l next (math $i + 1)
                if test $next -le (count $words)
                    set -a where $words[$i] $words[$next]
                end
                set i $next
            case '--server=*' '--store=*' '--context=*' '--namespace=*'
                set -a where $words[$i]
        end
        set i (math $i + 1)
    end
    $words[1] __complete $where -- (commandline -ct) 2>/dev/null
end

# The names of contexts.
function __holdfast_contexts
    set -l words (commandline -opc)
    $words[1] __complete --contexts 2>/dev/null
end

complete -c holdfast -f
@TABLE@
