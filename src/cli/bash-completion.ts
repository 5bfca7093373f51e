// The script that makes bash complete our words. Our own, because the one of the library needs the package
// bash-completion, and hands what is being typed to `eval`: TAB must not run what stands on the line.
export const bashCompletion = `# bash completion for mcp-exec
_mcp_exec() {
  local word line out files=1 words=()
  # bash makes a word of its own of the = in --option=value.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    [[ $word == "=" ]] || words+=("$word")
  done
  [[ \${COMP_WORDS[COMP_CWORD]} == "=" ]] && words+=("")
  COMPREPLY=()
  out=$(mcp-exec complete -- "\${words[@]}" 2>/dev/null) || return 0
  while IFS= read -r line; do
    case $line in
      :4) files=0 ;;
      :* | "") ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done <<<"$out"
  # Without an answer bash adds the names of files, where these make sense. Older ones cannot be stopped.
  [[ $files == 1 ]] || compopt +o default 2>/dev/null
  return 0
}
complete -o default -F _mcp_exec mcp-exec
`
