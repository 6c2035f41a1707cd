package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

func read(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(append([]string{root}, path...)...))
	require.NoError(t, err)
	return string(content)
}

// pathOf returns the path of the Go client's module.
func pathOf(t *testing.T) string {
	t.Helper()
	first, _, _ := strings.Cut(read(t, "clients", "go", "go.mod"), "\n")
	path, found := strings.CutPrefix(first, "module ")
	require.True(t, found)
	return path
}

var imported = regexp.MustCompile(`"[^"\n]+" // the path of go\.mod`)

// Only go.mod decides the path of the Go client: its other files follow by -update.
func TestThePathOfTheGoClientStandsInOnePlace(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"README.md", "example_test.go"} {
		content := read(t, "clients", "go", file)
		require.Regexp(t, imported, content, file)
		followed := imported.ReplaceAllString(content, `"`+pathOf(t)+`" // the path of go.mod`)
		if *update {
			require.NoError(t, os.WriteFile(filepath.Join(root, "clients", "go", file), []byte(followed), 0o600))
			continue
		}
		require.Equal(t, followed, content, "make generate writes it anew")
	}
}

// A program outside of this repository builds with the Go client by its path, and it brings no module of Levy along.
func TestTheGoClientIsImportedFromAnEmptyFolder(t *testing.T) {
	t.Parallel()
	client, err := filepath.Abs(filepath.Join(root, "clients", "go"))
	require.NoError(t, err)
	folder, path := t.TempDir(), pathOf(t)
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	write("main.go", `package main

import (
	"fmt"

	"`+path+`"
)

func main() {
	_, err := client.VerifyWebhook("whsec_AAAA", nil, nil)
	fmt.Println(client.New("https://levy.example.com", "key", "org_1") != nil, err)
}
`)
	write("go.mod", "module shop\n\ngo 1.26.8\n\nrequire "+path+" v0.0.0\n\nreplace "+path+" => "+client+"\n")
	write("go.sum", read(t, "clients", "go", "go.sum"))
	command := func(arguments ...string) string {
		run := exec.CommandContext(t.Context(), "go", arguments...)
		run.Dir = folder
		run.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		said, err := run.CombinedOutput()
		require.NoError(t, err, "%s", said)
		return string(said)
	}
	require.Equal(t, "true levy: the webhook has no valid signature: a header is missing or malformed\n", command("run", "."))
	for line := range strings.Lines(command("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")) {
		if module := strings.TrimSpace(line); module != path {
			require.NotRegexp(t, `^levy(/|$)`, module)
		}
	}
}

// The READMEs print the examples that make clients compiles and runs.
func TestTheReadmesPrintTheExamples(t *testing.T) {
	t.Parallel()
	for readme, examples := range map[string][]string{
		"python":     {"first_sale.py", "receiver.py"},
		"typescript": {"first-sale.ts", "receiver.ts"},
	} {
		page := read(t, "clients", readme, "README.md")
		for _, example := range examples {
			require.Contains(t, page, "\n"+read(t, "clients", readme, "examples", example)+"```\n", example)
		}
	}
}

// Each package has its licence and names it.
func TestTheClientsHaveTheirLicence(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"go", "python", "typescript"} {
		require.Equal(t, read(t, "LICENSE"), read(t, "clients", language, "LICENSE"), language)
	}
	require.Contains(t, read(t, "clients", "typescript", "package.json"), `"license": "Apache-2.0"`)
	require.Contains(t, read(t, "clients", "python", "pyproject.toml"), `license = "Apache-2.0"`)
}
