package shellhelp

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Shells are those that Completion has a script for.
var Shells = []string{"bash", "zsh", "fish"}

// Completion returns the script by which a shell completes commands, flags and their values. omit tells which flags it
// leaves out. Errors: another shell.
func Completion(shell string, app *kong.Application, omit func(*kong.Flag) bool) (string, error) {
	all, shared := commands(app, omit)
	s := script{name: app.Name, all: all, shared: shared}
	switch shell {
	case "bash":
		s.bash()
	case "zsh":
		s.zsh()
	case "fish":
		s.fish()
	default:
		return "", fmt.Errorf("no completion for %s: there is one for %s", shell, strings.Join(Shells, ", "))
	}
	return s.text.String(), nil
}

// script is a completion while it is written. Each one walks the words before the cursor to the command that they name,
// past flags and their values, and offers what may follow.
type script struct {
	name   string
	all    []command
	shared []option
	text   strings.Builder
}

func (s *script) line(format string, values ...any) { fmt.Fprintf(&s.text, format+"\n", values...) }

// paths are the patterns of a case that matches each command.
func (s *script) paths() string {
	var paths []string
	for _, c := range s.all {
		paths = append(paths, quoted(c.path))
	}
	return strings.Join(paths, "|")
}

// walk writes the loop that finds the command, for bash and zsh. first is the index of the word after the program.
func (s *script) walk(words, cursor string, first int) {
	s.line("  local at=%s word i", s.name)
	s.line("  for ((i = %d; i < %s; i++)); do", first, cursor)
	s.line("    word=${%s[i]}", words)
	s.line("    case $word in")
	s.line("    %s) ((i++)); [[ ${%s[i]} == = ]] && ((i++)) ;;", strings.Join(withValue(s.all, s.shared), "|"), words)
	s.line("    -*) ;;")
	s.line("    *) case \"$at $word\" in %s) at+=\" $word\" ;; esac ;;", s.paths())
	s.line("    esac")
	s.line("  done")
}

// values completes the value of a flag, for bash and zsh, and ends there. listed returns the command that offers words, and
// files is the one that offers files.
func (s *script) values(options []option, listed func(words string) string, files string) {
	var cases []string
	for _, o := range options {
		switch words := strings.Join(o.values, " "); {
		case words != "":
			cases = append(cases, fmt.Sprintf("  %s) %s; return ;;", o.name, listed(words)))
		case o.files:
			cases = append(cases, fmt.Sprintf("  %s) %s; return ;;", o.name, files))
		case o.value:
			cases = append(cases, fmt.Sprintf("  %s) return ;;", o.name))
		}
	}
	if len(cases) > 0 {
		s.line("  case $flag in\n%s\n  esac", strings.Join(cases, "\n"))
	}
}

func (s *script) bash() {
	s.line("# bash completion of %s: load it by source, or put it into a folder of bash-completion.", s.name)
	s.line("_%s() {", s.name)
	s.line("  local cur=${COMP_WORDS[COMP_CWORD]} flag=")
	s.walk("COMP_WORDS", "COMP_CWORD", 1)
	s.line("  if [[ $cur == = ]]; then")
	s.line("    cur= flag=${COMP_WORDS[COMP_CWORD-1]}")
	s.line("  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then")
	s.line("    flag=${COMP_WORDS[COMP_CWORD-2]}")
	s.line("  elif ((COMP_CWORD > 1)); then")
	s.line("    flag=${COMP_WORDS[COMP_CWORD-1]}")
	s.line("  fi")
	s.line("  local words= flags= files=")
	s.line("  COMPREPLY=()")
	s.bashValues(s.shared)
	s.line("  case $at in")
	for _, c := range s.all {
		s.line("  %s)", quoted(c.path))
		s.bashValues(c.flags)
		var names []string
		for _, child := range c.children {
			names = append(names, child.name)
		}
		s.line("    words=%s flags=%s", quoted(strings.Join(append(names, c.arguments...), " ")), quoted(namesOf(c.flags)))
		if c.files {
			s.line("    files=yes")
		}
		s.line("    ;;")
	}
	s.line("  esac")
	s.line("  [[ $cur == -* ]] && files= words=\"$flags \"%s", quoted(namesOf(s.shared)))
	s.line("  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))")
	s.line("  if [[ $files ]]; then")
	s.line("    compopt -o filenames 2>/dev/null")
	s.line("    local IFS=$'\\n'")
	s.line("    COMPREPLY+=($(compgen -f -- \"$cur\"))")
	s.line("  fi")
	s.line("}")
	s.line("complete -F _%s %s", s.name, s.name)
}

func (s *script) bashValues(options []option) {
	s.values(options, func(words string) string { return `COMPREPLY=($(compgen -W ` + quoted(words) + ` -- "$cur"))` },
		`compopt -o filenames 2>/dev/null; local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$cur"))`)
}

func namesOf(options []option) string {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	return strings.Join(names, " ")
}

func (s *script) zsh() {
	s.line("#compdef %s", s.name)
	s.line("# zsh completion of %s: put it as _%s into a folder of fpath.", s.name, s.name)
	s.line("_%s() {", s.name)
	s.line("  local -a commands switches values shared shared_values")
	s.line("  local flag=$words[CURRENT-1] files= found=1")
	s.walk("words", "CURRENT", 2)
	s.line("  if [[ $words[CURRENT] == --*=* ]]; then")
	s.line("    flag=${words[CURRENT]%%%%=*}")
	s.line("    compset -P '*='")
	s.line("  fi")
	s.zshValues(s.shared)
	s.zshOptions("shared", "shared_values", s.shared)
	s.line("  case $at in")
	for _, c := range s.all {
		s.line("  %s)", quoted(c.path))
		s.zshValues(c.flags)
		var described []string
		for _, child := range c.children {
			described = append(described, quoted(child.name+":"+child.help))
		}
		for _, value := range c.arguments {
			described = append(described, quoted(value))
		}
		s.line("    commands=(%s)", strings.Join(described, " "))
		s.zshOptions("switches", "values", c.flags)
		if c.files {
			s.line("    files=yes")
		}
		s.line("    ;;")
	}
	s.line("  esac")
	s.line("  if [[ $words[CURRENT] == -* ]]; then")
	s.line("    _describe -o flag switches -- values -S= && found=0")
	s.line("    _describe -o setting shared -- shared_values -S= && found=0")
	s.line("    return $found")
	s.line("  fi")
	s.line("  _describe command commands && found=0")
	s.line("  [[ -n $files ]] && _files && found=0")
	s.line("  return $found")
	s.line("}")
	s.line("if [[ $funcstack[1] == _%s ]]; then _%s \"$@\"; else compdef _%s %s; fi", s.name, s.name, s.name, s.name)
}

// zshOptions lists flags without a value in one array, and those with one in another.
func (s *script) zshOptions(switches, values string, options []option) {
	var without, with []string
	for _, o := range options {
		text := quoted(o.name + ":" + o.help)
		if o.value {
			with = append(with, text)
		} else {
			without = append(without, text)
		}
	}
	s.line("    %s=(%s)", switches, strings.Join(without, " "))
	s.line("    %s=(%s)", values, strings.Join(with, " "))
}

func (s *script) zshValues(options []option) {
	s.values(options, func(words string) string { return "compadd -- " + words }, "_files")
}

func (s *script) fish() {
	s.line("# fish completion of %s: put it as %s.fish into ~/.config/fish/completions.", s.name, s.name)
	s.line("function __%s_at", s.name)
	s.line("  set -l at %s", s.name)
	s.line("  set -l skip no")
	s.line("  for word in (commandline -opc)[2..-1]")
	s.line("    if test $skip = yes")
	s.line("      set skip no")
	s.line("      continue")
	s.line("    end")
	s.line("    switch $word")
	s.line("      case %s", strings.Join(withValue(s.all, s.shared), " "))
	s.line("        set skip yes")
	s.line("      case '-*'")
	s.line("      case '*'")
	s.line("        switch \"$at $word\"")
	var paths []string
	for _, c := range s.all {
		paths = append(paths, fishQuoted(c.path))
	}
	s.line("          case %s", strings.Join(paths, " "))
	s.line("            set at \"$at $word\"")
	s.line("        end")
	s.line("    end")
	s.line("  end")
	s.line("  test \"$at\" = \"$argv[1]\"")
	s.line("end")
	s.line("complete -c %s -f", s.name)
	s.fishOptions("", s.shared)
	for _, c := range s.all {
		here := " -n " + fishQuoted(fmt.Sprintf("__%s_at %q", s.name, c.path))
		for _, child := range c.children {
			s.line("complete -c %s%s -a %s -d %s", s.name, here, child.name, fishQuoted(child.help))
		}
		if len(c.arguments) > 0 {
			s.line("complete -c %s%s -a %s", s.name, here, fishQuoted(strings.Join(c.arguments, " ")))
		}
		if c.files {
			s.line("complete -c %s%s -F", s.name, here)
		}
		s.fishOptions(here, c.flags)
	}
}

func (s *script) fishOptions(condition string, options []option) {
	for _, o := range options {
		takes := ""
		switch {
		case len(o.values) > 0:
			takes = " -x -a " + fishQuoted(strings.Join(o.values, " "))
		case o.files:
			takes = " -r -F"
		case o.value:
			takes = " -x"
		}
		s.line("complete -c %s%s -l %s%s -d %s", s.name, condition, strings.TrimPrefix(o.name, "--"), takes, fishQuoted(o.help))
	}
}

// fishQuoted is a text as one word of fish, on one line.
func fishQuoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(oneLine(text)) + "'"
}
