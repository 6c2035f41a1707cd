package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sassoftware/go-rpmutils"
	"github.com/stretchr/testify/require"
)

// both are the files of every package, besides the completion of zsh.
var both = []string{
	"/usr/bin/levy", "/usr/lib/systemd/system/levy-.service.d/hardening.conf", "/usr/lib/systemd/system/levy-api.service",
	"/usr/lib/systemd/system/levy-api.socket",
	"/usr/lib/systemd/system/levy-backup.service", "/usr/lib/systemd/system/levy-backup.timer",
	"/usr/lib/systemd/system/levy-keys.service", "/usr/lib/systemd/system/levy-migrate.service",
	"/usr/lib/systemd/system/levy-worker.service", "/usr/lib/sysusers.d/levy.conf",
	"/usr/share/bash-completion/completions/levy", "/usr/share/doc/levy/THIRD_PARTY_NOTICES.txt.gz",
	"/usr/share/doc/levy/copyright", "/usr/share/doc/levy/examples/api.env",
	"/usr/share/doc/levy/examples/backup.env", "/usr/share/doc/levy/examples/keys.env",
	"/usr/share/doc/levy/examples/levy.env", "/usr/share/doc/levy/examples/migrate.env",
	"/usr/share/doc/levy/examples/worker.env", "/usr/share/fish/vendor_completions.d/levy.fish", "/usr/share/man/man1/levy.1.gz",
}

// needs skips a test without a program, whose Debian package it names.
func needs(t *testing.T, program, debian string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is missing, which Debian has as %s", program, debian)
	}
}

func output(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	require.NoError(t, err, "%s %v: %s", program, args, out)
	return string(out)
}

// unpacked checks the files of a package, and starts its program.
func unpacked(t *testing.T, folder string, more ...string) {
	t.Helper()
	require.ElementsMatch(t, append(slices.Clone(both), more...), slices.Collect(maps.Keys(filesBelow(t, folder))))
	require.Contains(t, output(t, filepath.Join(folder, "usr/bin/levy"), "version"), "levy "+testVersion+" go1.")
	information, err := os.Stat(filepath.Join(folder, "usr/bin/levy"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), information.Mode())
	require.Contains(t, manual(t, folder), ".SS levy verify\\-release <folder>\n")
}

func manual(t *testing.T, folder string) string {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join(folder, "usr/share/man/man1/levy.1.gz"))
	require.NoError(t, err)
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	text, err := io.ReadAll(reader)
	require.NoError(t, err)
	return string(text)
}

func unpackDeb(t *testing.T) string {
	t.Helper()
	r := made(t)
	needs(t, "dpkg-deb", "dpkg")
	folder := t.TempDir()
	output(t, "dpkg-deb", "-x", r.at("levy_1.2.3+4.gabcdef0-1_"+runtime.GOARCH+".deb"), folder)
	return folder
}

func TestThePackageForDebian(t *testing.T) {
	unpacked(t, unpackDeb(t), "/usr/share/zsh/vendor-completions/_levy")
	r := made(t)
	file := r.at("levy_1.2.3+4.gabcdef0-1_" + runtime.GOARCH + ".deb")
	fields := output(t, "dpkg-deb", "-f", file)
	for _, field := range []string{"Package: levy", "Version: 1.2.3+4.gabcdef0-1", "Architecture: " + runtime.GOARCH, "Maintainer: Levy <"} {
		require.Contains(t, fields, field)
	}
	control := t.TempDir()
	output(t, "dpkg-deb", "-e", file, control)
	for script, source := range map[string]string{"postinst": "postinstall.sh", "prerm": "preremove.sh", "postrm": "postremove.sh"} {
		want, err := os.ReadFile(r.linux(source))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(control, script))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
		output(t, "sh", "-n", filepath.Join(control, script))
	}
	require.FileExists(t, r.at("levy_1.2.3+4.gabcdef0-1_"+other()+".deb"))
}

func TestThePackageForRPM(t *testing.T) {
	r := made(t)
	names := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
	file, err := os.Open(r.at("levy-1.2.3+4.gabcdef0-1." + names[runtime.GOARCH] + ".rpm"))
	require.NoError(t, err)
	defer file.Close()
	rpm, err := rpmutils.ReadRpm(file)
	require.NoError(t, err)
	identity, err := rpm.Header.GetNEVRA()
	require.NoError(t, err)
	require.Equal(t, "levy-0:1.2.3+4.gabcdef0-1."+names[runtime.GOARCH]+".rpm", identity.String())
	host, err := rpm.Header.GetString(rpmutils.BUILDHOST)
	require.NoError(t, err)
	require.Equal(t, "localhost", host)
	script, err := rpm.Header.GetString(rpmutils.POSTIN)
	require.NoError(t, err)
	require.Contains(t, script, "systemd-sysusers levy.conf")
	folder := t.TempDir()
	require.NoError(t, rpm.ExpandPayload(folder))
	entries, err := rpm.Header.GetFiles()
	require.NoError(t, err)
	for _, entry := range entries { // the library leaves rights to its callers
		require.Equal(t, "root", entry.UserName())
		require.NoError(t, os.Chmod(filepath.Join(folder, entry.Name()), os.FileMode(entry.Mode()).Perm()))
	}
	unpacked(t, folder, "/usr/share/zsh/site-functions/_levy")
	require.FileExists(t, r.at("levy-1.2.3+4.gabcdef0-1."+names[other()]+".rpm"))
}

// exposure is the most that systemd may find of what a unit could do and need not, in tenths of its scale of 10.
const exposure = "15"

// systemd reads the units, and finds little that a process could do and need not. None starts before its settings are there.
func TestTheUnitsOfSystemd(t *testing.T) {
	folder := unpackDeb(t)
	needs(t, "systemd-analyze", "systemd")
	units, err := filepath.Glob(filepath.Join(folder, "usr/lib/systemd/system/*.service"))
	require.NoError(t, err)
	require.Len(t, units, 5)
	var names []string
	for _, unit := range units {
		name := filepath.Base(unit)
		names = append(names, name)
		output(t, "systemd-analyze", "--root="+folder, "security", "--offline=true", "--threshold="+exposure, name)
		text, err := os.ReadFile(unit)
		require.NoError(t, err)
		count := 0
		for line := range strings.Lines(string(text)) {
			if file, is := strings.CutPrefix(strings.TrimSpace(line), "EnvironmentFile="); is {
				count++
				require.Contains(t, string(text), "\nConditionPathExists="+file+"\n", name)
				require.FileExists(t, filepath.Join(folder, "usr/share/doc/levy/examples", filepath.Base(file)))
			}
		}
		require.Positive(t, count, name)
	}
	// Units of the system, to which those of Levy refer.
	output(t, "cp", "-r", "/usr/lib/systemd/system/.", filepath.Join(folder, "usr/lib/systemd/system"))
	out := output(t, "systemd-analyze", append([]string{"--root=" + folder, "--man=no", "verify", "levy-api.socket", "levy-backup.timer"}, names...)...)
	require.NotContains(t, out, "levy")
}

// The completions of zsh and fish know where a command line is: past flags and their values. That of bash is tested with
// the commands.
func TestTheCompletionsRun(t *testing.T) {
	folder := unpackDeb(t)
	cases := map[string][]string{
		"levy keys ":                    {"ask", "list", "retire", "rotate", "save", "seal"},
		"levy --log-level info keys re": {"retire"},
		"levy completion ":              {"bash", "fish", "zsh"},
		"levy keys list --j":            {"--json"},
		"levy content key --log-fo":     {"--log-format"},
	}
	// Each line that is printed is a word, then what it means.
	check := func(t *testing.T, complete func(t *testing.T, line string) string) {
		for line, want := range cases {
			var words []string
			for offered := range strings.Lines(complete(t, line)) {
				word, _, _ := strings.Cut(strings.TrimSpace(offered), "\t")
				word, _, _ = strings.Cut(word, ":")
				last := line[strings.LastIndex(line, " ")+1:]
				if strings.HasPrefix(word, last) {
					words = append(words, strings.TrimSuffix(word, "="))
				}
			}
			slices.Sort(words)
			require.Equal(t, want, words, line)
		}
	}
	t.Run("fish", func(t *testing.T) {
		needs(t, "fish", "fish")
		script := filepath.Join(folder, "usr/share/fish/vendor_completions.d/levy.fish")
		check(t, func(t *testing.T, line string) string {
			return output(t, "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line)
		})
	})
	t.Run("zsh", func(t *testing.T) {
		needs(t, "zsh", "zsh")
		script := filepath.Join(folder, "usr/share/zsh/vendor-completions/_levy")
		// What zsh would show is printed instead.
		harness := `
compdef() { : }
_files() { : }
_describe() {
  local array
  [[ $1 == -o ]] && shift; shift
  for array in "$@"; do [[ $array == -* ]] || print -l -- "${(P@)array}"; done
}
source $1
words=("${(@s: :)2}")
CURRENT=$#words
_levy || true
`
		check(t, func(t *testing.T, line string) string {
			return output(t, "zsh", "-f", "-c", harness, "zsh", script, line)
		})
	})
}

func TestTheManualIsReadByOtherPrograms(t *testing.T) {
	folder := unpackDeb(t)
	needs(t, "mandoc", "mandoc")
	page := filepath.Join(t.TempDir(), "levy.1")
	require.NoError(t, os.WriteFile(page, []byte(manual(t, folder)), 0o600))
	out, _ := exec.CommandContext(t.Context(), "mandoc", "-T", "lint", "-W", "warning", page).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		require.Contains(t, line, "missing date", "a date would be another one each time")
	}
	bold := regexp.MustCompile(".\x08")
	require.Contains(t, bold.ReplaceAllString(output(t, "mandoc", "-T", "ascii", "-O", "width=200", page), ""), "levy keys list [<key>]")
}
