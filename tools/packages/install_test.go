package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scripted makes a release of a version whose programs are scripts, which is quick.
func scripted(t *testing.T, version string) release {
	t.Helper()
	r := testRelease(t.TempDir())
	r.version, r.key = version, ""
	r.program = r.at(r.programFor(runtime.GOARCH))
	require.NoError(t, os.Mkdir(r.dist, 0o755))
	for _, architecture := range architectures {
		require.NoError(t, os.WriteFile(r.at(r.programFor(architecture)), []byte("#!/bin/sh\necho \"$@\"\n"), 0o755))
	}
	require.NoError(t, os.WriteFile(r.at("THIRD_PARTY_NOTICES.txt"), []byte("notices"), 0o600))
	require.NoError(t, r.make())
	return r
}

var library = regexp.MustCompile(`(/\S+) \(0x`)

// machine makes a folder that dpkg takes for a machine, with a shell and a few programs of this one.
func machine(t *testing.T, programs ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{
		"dev", "etc", "tmp", "usr/bin", "usr/sbin", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	for _, link := range []string{"bin", "sbin"} {
		require.NoError(t, os.Symlink("usr/"+link, filepath.Join(root, link)))
	}
	for name, content := range map[string]string{
		"etc/passwd": "root:x:0:0:root:/:/bin/sh\n", "etc/group": "root:x:0:\n", "etc/shadow": "root:*:20000::::::\n",
		"etc/gshadow": "root:*::\n", "var/lib/dpkg/status": "",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(content), 0o644))
	}
	copied := func(path string) {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, path), content, 0o755))
	}
	for _, program := range programs {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Skipf("%s is missing", program)
		}
		copied(path)
		for _, needed := range library.FindAllStringSubmatch(output(t, "ldd", path), -1) {
			copied(needed[1])
		}
	}
	return root
}

// A package of Debian is installed by dpkg, with the user and the folder that its units need. A newer one takes its place and
// says what is to be done, and removal leaves what the operator owns. The folder stands for a machine that systemd has not started.
func TestDebianInstallsUpgradesAndRemovesThePackage(t *testing.T) {
	needs(t, "dpkg", "dpkg")
	if os.Getuid() != 0 {
		t.Skip("dpkg runs the scripts of a package with another root folder, which only root may do")
	}
	earlier, later := scripted(t, "v1.2.3"), scripted(t, "v1.2.3-4-gabcdef0")
	for name, programs := range map[string][]string{
		"systemd-sysusers": {"sh", "install", "systemd-sysusers"},
		"useradd":          {"sh", "install", "getent", "groupadd", "useradd"},
	} {
		t.Run(name, func(t *testing.T) {
			root := machine(t, programs...)
			dpkg := func(args ...string) string { return output(t, "dpkg", append([]string{"--root=" + root}, args...)...) }
			read := func(path string) string {
				content, err := os.ReadFile(filepath.Join(root, path))
				require.NoError(t, err)
				return string(content)
			}
			said := dpkg("-i", earlier.at("levy_1.2.3-1_"+runtime.GOARCH+".deb"))
			require.Contains(t, said, "Levy is not configured yet")
			require.Regexp(t, `(?m)^levy:`, read("etc/passwd"))
			require.Regexp(t, `(?m)^levy:`, read("etc/group"))
			settings, err := os.Stat(filepath.Join(root, "etc/levy"))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o750), settings.Mode().Perm())
			require.NoError(t, os.WriteFile(filepath.Join(root, "etc/levy/levy.env"), []byte("mine"), 0o600))

			users := read("etc/passwd")
			said = dpkg("-i", later.at("levy_1.2.3+4.gabcdef0-1_"+runtime.GOARCH+".deb"))
			require.Contains(t, said, "Unpacking levy (1.2.3+4.gabcdef0-1) over (1.2.3-1)")
			require.Contains(t, said, "Processes of the earlier release go on until you run: systemctl start levy-migrate")
			require.Equal(t, users, read("etc/passwd"))

			dpkg("--purge", "levy")
			require.NoFileExists(t, filepath.Join(root, "usr/bin/levy"))
			require.NoDirExists(t, filepath.Join(root, "usr/lib/systemd/system/levy-.service.d"))
			require.Equal(t, "mine", read("etc/levy/levy.env"))
			require.Equal(t, users, read("etc/passwd"))
			require.NotContains(t, read("var/lib/dpkg/status"), "Package: levy")
		})
	}
}

// The package of the other architecture has its program, which a processor in software runs: it says its version, and it says
// that a database is out of reach.
func TestTheProgramOfTheOtherArchitectureRuns(t *testing.T) {
	if os.Getenv(bothVariable) == "" {
		t.Skip("the program of the other architecture takes minutes to compile: " + bothVariable + "=1 make packages-check does")
	}
	emulator := emulators[other()]
	needs(t, emulator, "qemu-user-static")
	r := made(t)
	needs(t, "dpkg-deb", "dpkg")
	folder := t.TempDir()
	output(t, "dpkg-deb", "-x", r.at("levy_1.2.3+4.gabcdef0-1_"+other()+".deb"), folder)
	program := filepath.Join(folder, "usr/bin/levy")
	require.Equal(t, filesBelow(t, filepath.Dir(r.program))["/"+r.programFor(other())], filesBelow(t, filepath.Dir(program))["/levy"])
	require.Contains(t, output(t, emulator, program, "version"), "levy "+testVersion+" go1.")
	check := exec.CommandContext(t.Context(), emulator, program, "check")
	check.Env = []string{"LEVY_DATABASE_URL=postgres://levy@127.0.0.1:1/levy", "LEVY_MASTER_KEYS=k1:" + strings.Repeat("A", 43) + "="}
	out, err := check.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "127.0.0.1")
}
