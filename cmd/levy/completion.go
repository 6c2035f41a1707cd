package main

import (
	"io"

	"github.com/alecthomas/kong"

	"levy/internal/shellhelp"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints the script. It leaves out secrets, which no command line takes.
func (c completionCmd) Run(p *program, command *kong.Context) error {
	script, err := shellhelp.Completion(c.Shell, command.Model, isSecret)
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.stdout, script)
	return err
}

type manCmd struct{}

// Run prints the page in the language of man(7).
func (manCmd) Run(p *program, command *kong.Context) error {
	_, err := io.WriteString(p.stdout, manual(command.Model))
	return err
}

func manual(app *kong.Application) string {
	var codes []shellhelp.ExitCode
	for _, row := range exitCodes {
		codes = append(codes, shellhelp.ExitCode{Command: row.command, Code: row.code, Means: row.means})
	}
	return shellhelp.Manual(app, version, shellhelp.Settings{
		Variable: func(flag *kong.Flag) string { return flag.Tag.Get("var") }, Secret: isSecret,
	}, codes)
}
