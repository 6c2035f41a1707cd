package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"levy/internal/shellhelp"
)

// printed is what a command prints that needs no settings.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(t.Context(), args, nil, &out, io.Discard))
	return out.String()
}

// Each command, group and flag of --help is in the completion of every shell and in the manual. Secrets, which no command
// line takes, are in the manual by their variables alone.
func TestEveryCommandIsCompletedAndInTheManual(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&cli{}, kong.Name("levy"))
	require.NoError(t, err)
	page := printed(t, "man")
	scripts := map[string]string{}
	for _, shell := range shellhelp.Shells {
		scripts[shell] = printed(t, "completion", shell)
	}
	commands, flags, secrets := 0, 0, 0
	flag := func(f *kong.Flag) {
		name := strings.ReplaceAll("--"+f.Name, "-", `\-`)
		if isSecret(f) {
			secrets++
			require.Contains(t, page, "\n.B "+f.Tag.Get("var")+"\n")
			require.NotContains(t, page, name+"\n")
			for shell, script := range scripts {
				require.NotRegexp(t, `[\s']--?l?\s?`+f.Name+`[\s':]`, script, shell)
			}
			return
		}
		flags++
		if f.Tag.Get("var") == "" || !strings.Contains(page, ".BR "+f.Tag.Get("var")+" ") {
			require.Contains(t, page, "\n.B "+name, "%s", f.Name)
		}
		require.Regexp(t, `[\s']--`+f.Name+`[\s']`, scripts["bash"])
		require.Contains(t, scripts["zsh"], "'--"+f.Name+":")
		require.Contains(t, scripts["fish"], " -l "+f.Name+" ")
	}
	require.NoError(t, kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		switch node := node.(type) {
		case *kong.Flag:
			if node.Name != "help" {
				flag(node)
			}
		case *kong.Node:
			commands++
			group, name := "levy "+node.Parent.Path(), node.Name
			group = strings.TrimSpace(group)
			require.Contains(t, scripts["bash"], "'"+group+" "+name+"')")
			require.Contains(t, scripts["zsh"], "'"+group+" "+name+"')")
			require.Contains(t, scripts["zsh"], "'"+name+":")
			require.Contains(t, scripts["fish"], `-n '__levy_at "`+group+`"' -a `+name+" ")
			if node.Leaf() {
				require.Contains(t, page, "\n.SS levy "+strings.ReplaceAll(node.Path(), "-", `\-`))
			}
		}
		return next(nil)
	}))
	require.Greater(t, commands, 70)
	require.Greater(t, flags, 130)
	require.Greater(t, secrets, 8)
	for _, row := range exitCodes {
		require.Contains(t, page, strings.ReplaceAll(row.means, "-", `\-`))
	}
}

// The completion of bash knows where a command line is: past flags and their values.
func TestBashCompletesCommandsFlagsAndValues(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "two words.csv")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	script := printed(t, "completion", "bash") + `
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_levy
printf '%s\n' "${COMPREPLY[@]}"
`
	for line, want := range map[string]string{
		"levy ke":                                 "keys",
		"levy keys re":                            "retire",
		"levy keys r":                             "retire rotate",
		"levy keys list --c":                      "--csv --codec-origins --content-keys",
		"levy --log-level info keys sa":           "save",
		"levy --log-level = info keys sa":         "save",
		"levy --profiles keys sa":                 "save",
		"levy completion ":                        "bash zsh fish",
		"levy --log-format ":                      "json text",
		"levy --log-format =":                     "json text",
		"levy --log-format = t":                   "text",
		"levy organization set org_1 --billing":   "--billing-plan",
		"levy content import-csv " + folder + "/": file,
		"levy restore --keys " + folder + "/":     file,
		"levy --master":                           "",
	} {
		words := strings.Split(line, " ")
		out, err := exec.CommandContext(t.Context(), "bash", append([]string{"--norc", "-c", script, "bash"}, words...)...).Output()
		require.NoError(t, err, line)
		require.Equal(t, want, strings.Join(strings.Split(strings.TrimSpace(string(out)), "\n"), " "), line)
	}
}
