package imports_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// run runs `levy import` on a file and returns its exit code with what it printed.
func (s *merchant) run(file string, args ...string) (code int, out, problems string) {
	s.t.Helper()
	cmd := s.bed.Command(append([]string{"import", file, "--organization", s.organization, "--every", "50ms"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		code = failed.ExitCode()
	} else {
		require.NoError(s.t, err)
	}
	return code, stdout.String(), stderr.String()
}

func (s *merchant) file(name, content string) string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), name)
	require.NoError(s.t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestTheCommandImportsAFile(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	s.bed.Worker.Start()
	good := s.file("good.csv", sales(700))
	code, out, told := s.run(good)
	require.Zero(t, code, told)
	require.Contains(t, out, "700 rows, 700 transactions: 700 recorded, 0 were there already, 0 in conflict, 0 refused")
	again, same, _ := s.run(good)
	require.Zero(t, again)
	require.Equal(t, out, same, "the same file is the same import")
	require.NoFileExists(t, good+".rejected.csv")

	mixed := s.file("mixed.csv", sales(2)+saleRow("BAD", "x"))
	code, out, _ = s.run(mixed)
	require.Equal(t, 2, code, "done, and there are rows to correct")
	require.Contains(t, out, "0 recorded, 2 were there already, 0 in conflict, 1 refused")
	rejected, err := os.ReadFile(mixed + ".rejected.csv")
	require.NoError(t, err)
	require.Contains(t, string(rejected), "BAD")

	code, _, told = s.run(s.file("header.csv", "externalid,what\n"))
	require.Equal(t, 1, code)
	require.Contains(t, told, "perhaps external_id is meant")
	require.NotContains(t, strings.ToLower(told), "json")

	code, _, told = s.run(good, "--api-key", "wrong")
	require.Equal(t, 1, code)
	require.Contains(t, told, "LEVY_API_KEY")
}

// Run again, the command resumes a paused import.
func TestTheCommandResumesAPausedImport(t *testing.T) {
	t.Parallel()
	s := open(t, testbed.Options{})
	file := sales(3)
	made := s.upload(file)
	s.changeStatus(made.ID, "pause")
	s.bed.Worker.Start()
	code, out, told := s.run(s.file("paused.csv", file))
	require.Zero(t, code, told)
	require.Contains(t, out, made.ID+": COMPLETED")
}
