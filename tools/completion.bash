# Completion of carom command lines for bash. It asks the program itself, so it knows every command and option there is:
# "carom --help" lists commands, "carom COMMAND --help" options. Zsh takes it after `autoload bashcompinit; bashcompinit`.
_carom() {
    local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null |
            sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')" -- "$current")
    elif [ "${current:0:1}" = - ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" "$command" --help 2>/dev/null |
            grep -oE -- '--[a-z][a-z-]*' | sort -u)" -- "$current")
    elif [ "$command" = list ] && [ "$COMP_CWORD" -eq 2 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" list --help 2>/dev/null |
            grep -oE '^usage:.*|[a-z]+(\|[a-z]+)+' | grep -oE '[a-z]+(\|[a-z]+)+' | tr '|' ' ')" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -o filenames -F _carom carom
