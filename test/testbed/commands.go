package testbed

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// Set changes a setting of the commands and processes that are started from now on.
func (b *Bed) Set(name, value string) {
	b.env = slices.DeleteFunc(slices.Clone(b.env), func(e string) bool { return strings.HasPrefix(e, name+"=") })
	b.env = append(b.env, name+"="+value)
}

// Upgrade uses this version for the commands and processes that are started from now on.
func (b *Bed) Upgrade() {
	b.tb.Helper()
	var err error
	b.program, err = plainProgram()
	require.NoError(b.tb, err)
}

// SetProgram uses another program for them.
func (b *Bed) SetProgram(program string) { b.program = program }

// Run runs a command of the service to its end and returns what it printed.
func (b *Bed) Run(args ...string) []byte {
	b.tb.Helper()
	out, problems, err := b.Try(args...)
	require.NoError(b.tb, err, "levy %s: %s", strings.Join(args, " "), problems)
	return out
}

// Try is Run for a command that may fail: it also returns the standard error.
func (b *Bed) Try(args ...string) (out []byte, problems string, err error) {
	cmd := exec.Command(b.program, args...)
	cmd.Env = append(slices.Clip(b.env), "LEVY_LOG_LEVEL=warn")
	if args[0] == "migrate" {
		cmd.Env = append(cmd.Env, "LEVY_DATABASE_URL="+b.ownerURL)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err = cmd.Output()
	return out, stderr.String(), err
}

// Status returns what levy status prints, also while an alarm holds.
func (b *Bed) Status() string {
	b.tb.Helper()
	out, problems, err := b.Try("status")
	failed, alarms := errors.AsType[*exec.ExitError](err)
	require.True(b.tb, err == nil || alarms && failed.ExitCode() == 1, "levy status: %v %s", err, problems)
	return string(out)
}

// VerifyAudit verifies the audit trails of all organizations, as of now. Those whose transactions a test wrote by SQL are
// broken, and no others.
func (b *Bed) VerifyAudit(writtenBySQL ...string) {
	b.tb.Helper()
	out, message, err := b.Try("audit", "verify")
	if len(writtenBySQL) == 0 {
		require.NoError(b.tb, err, message)
	}
	var verified, broken []string
	for line := range bytes.Lines(out) {
		var trail struct {
			Organization string `json:"organization_id"`
			Broken       string `json:"broken"`
		}
		require.NoError(b.tb, json.Unmarshal(line, &trail), "%s", line)
		verified = append(verified, trail.Organization)
		if trail.Broken != "" {
			broken = append(broken, trail.Organization)
		}
	}
	require.Contains(b.tb, verified, b.OrganizationID, message)
	require.ElementsMatch(b.tb, writtenBySQL, broken, "%s", out)
}

// SetPrivate gives an API that is not started yet an address for its metrics, and
// returns it.
func (b *Bed) SetPrivate(api *Service) string {
	b.tb.Helper()
	api.private = freeAddress(b.tb)
	return "http://" + api.private
}

// TemporalFiles are the files in which the bed's own Temporal server keeps all it
// knows, and its log.
func (b *Bed) TemporalFiles() []string {
	b.tb.Helper()
	files, err := filepath.Glob(filepath.Join(b.dir, "temporal", "temporal.*"))
	require.NoError(b.tb, err)
	require.NotEmpty(b.tb, files)
	return files
}

// Command returns a call of the program as a client of the bed's API makes it. The key of the bed's organization is in
// its environment.
func (b *Bed) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(b.program, args...)
	cmd.Env = append(slices.Clip(b.env), "LEVY_URL="+b.API.URL(), "LEVY_API_KEY="+b.APIKey)
	return cmd
}
