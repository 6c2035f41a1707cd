// Package shellhelp writes the completions of shells and the manual page from the model of the command line, from which
// --help comes too.
package shellhelp

import (
	"strings"

	"github.com/alecthomas/kong"
)

// command is a command, or a group of commands, with what may follow it.
type command struct {
	path      string // such as "levy keys list"
	children  []word
	flags     []option // its own and those of its groups, without the settings of all commands
	arguments []string // values that its arguments may have, where the model lists them
	files     bool     // some argument is a file or a folder
}

// word is a command after its group.
type word struct{ name, help string }

// option is a flag with the values that it takes.
type option struct {
	name, help string
	value      bool     // it takes a value
	values     []string // all values that it may have, where the model lists them
	files      bool     // its value is a file or a folder
}

// commands returns all commands and groups, the program itself first, and the flags that all of them share. omit tells
// which flags may not be used on a command line.
func commands(app *kong.Application, omit func(*kong.Flag) bool) (all []command, shared []option) {
	var walk func(node *kong.Node, path string, inherited []option)
	walk = func(node *kong.Node, path string, inherited []option) {
		c := command{path: path, flags: inherited}
		if node != app.Node {
			c.flags = append(c.flags[:len(c.flags):len(c.flags)], options(node.Flags, omit)...)
		}
		for _, argument := range node.Positional {
			c.arguments = append(c.arguments, values(argument)...)
			c.files = c.files || isFile(argument)
		}
		index := len(all)
		all = append(all, c)
		for _, child := range node.Children {
			if !child.Hidden {
				all[index].children = append(all[index].children, word{child.Name, child.Help})
				walk(child, path+" "+child.Name, c.flags)
			}
		}
	}
	walk(app.Node, app.Name, nil)
	return all, options(app.Flags, omit)
}

func options(flags []*kong.Flag, omit func(*kong.Flag) bool) (all []option) {
	for _, flag := range flags {
		if flag.Hidden || omit(flag) {
			continue
		}
		all = append(all, option{
			name: "--" + flag.Name, help: flag.Help, value: !flag.IsBool() && !flag.IsCounter(),
			values: values(flag.Value), files: isFile(flag.Value),
		})
	}
	return all
}

// values returns what a flag or an argument may be, where the model lists it.
func values(v *kong.Value) []string {
	if v.Enum == "" {
		return nil
	}
	return v.EnumSlice()
}

// isFile tells whether a value names a file or a folder.
func isFile(v *kong.Value) bool {
	if v.Tag == nil {
		return false
	}
	switch v.Tag.Type {
	case "path", "existingfile", "existingdir", "existingpath":
		return true
	}
	switch v.Tag.PlaceHolder {
	case "FILE", "FOLDER", "DIR", "DIR|URL":
		return true
	}
	return false
}

// withValue returns the names of the options that take a value, of all commands.
func withValue(all []command, shared []option) (names []string) {
	known := map[string]bool{}
	add := func(options []option) {
		for _, o := range options {
			if o.value && !known[o.name] {
				known[o.name] = true
				names = append(names, o.name)
			}
		}
	}
	add(shared)
	for _, c := range all {
		add(c.flags)
	}
	return names
}

// quoted is a text as one word of bash and zsh, on one line.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(oneLine(text), "'", `'\''`) + "'"
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
