package shellhelp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// ExitCode is a row of the table of exit codes.
type ExitCode struct {
	Command string // "" stands for every other one
	Code    int
	Means   string
}

// Settings tells of flags that are settings, too.
type Settings struct {
	Variable func(*kong.Flag) string // name of its variable; "" for a flag that is no setting
	Secret   func(*kong.Flag) bool   // no command line takes it
}

// Manual returns the manual page of the program in the language of man(7), for section 1.
func Manual(app *kong.Application, version string, settings Settings, codes []ExitCode) string {
	var b strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&b, format+"\n", values...) }
	// entry explains a flag, by its variable first where it is a setting of all commands.
	entry := func(flag *kong.Flag, text string, variableFirst bool) {
		name, variable := "--"+flag.Name, settings.Variable(flag)
		if !flag.IsBool() {
			name = flag.String()
		}
		switch {
		case variable == "":
			line(".TP\n.B %s\n%s", roff(name), roff(text))
		case settings.Secret(flag):
			line(".TP\n.B %s\n%s", roff(variable), roff(text))
		case variableFirst:
			line(".TP\n.BR %s \", --%s\"\n%s", roff(variable), roff(flag.Name), roff(text))
		default:
			line(".TP\n.B %s\n%s", roff(name), roff(text+" ("+variable+")"))
		}
	}
	line(`.TH %s 1 "" "%s %s" "User Commands"`, strings.ToUpper(app.Name), app.Name, roff(version))
	line(".SH NAME\n%s \\- %s", app.Name, roff(strings.TrimSuffix(app.Help, ".")))
	line(".SH SYNOPSIS\n.B %s\n.I command\n[arguments] [flags]", app.Name)
	line(".SH COMMANDS")
	line("Each command also takes the flags of the settings below.")
	for _, leaf := range app.Leaves(true) {
		usage := []string{app.Name, leaf.Path()}
		for _, argument := range leaf.Positional {
			usage = append(usage, argument.Summary())
		}
		line(".SS %s", roff(strings.Join(usage, " ")))
		line("%s", roff(leaf.Help))
		for _, argument := range leaf.Positional {
			if argument.Help != "" {
				line(".TP\n.I %s\n%s", roff(argument.Name), roff(argument.Help))
			}
		}
		for _, flags := range leaf.AllFlags(true) {
			for _, flag := range flags {
				if !slices.Contains(app.Flags, flag) {
					entry(flag, flag.Help, false)
				}
			}
		}
	}
	line(".SH ENVIRONMENT")
	line("Each setting is a variable, and a flag of every command. Secrets are no flags; a file may hold one, named by the " +
		"variable with _FILE at its end, or a command may print it, named with _COMMAND.")
	group := ""
	for _, flag := range app.Flags {
		if settings.Variable(flag) == "" {
			continue
		}
		if flag.Group != nil && flag.Group.Key != group {
			group = flag.Group.Key
			line(".SS %s", roff(group))
		}
		text := flag.Help
		if flag.Default != "" {
			text += " (default: " + flag.Default + ")"
		}
		entry(flag, text, true)
	}
	line(".SH EXIT STATUS")
	for _, code := range codes {
		command := code.Command
		if command == "" {
			command = "any other"
		}
		line(".TP\n.B %d\n%s: %s", code.Code, roff(command), roff(code.Means))
	}
	return b.String()
}

// roff is a text on one line that man prints as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`, `"`, `\(dq`).
		Replace(oneLine(text))
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
