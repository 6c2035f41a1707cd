package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// namesItself are the commands that never look for the installation of `levy dev`. They are the processes of a
// deployment, the commands that prepare, save or restore its database, and commands without a database. A mistake in
// their configuration stays an error.
var namesItself = []string{
	"dev", "api", "worker", "roles", "migrate", "backup", "restore", "ready", "prepare", "version", "licences",
	"import", "explain", "content key",
}

// withoutVersion are commands that need a database only for a version that they name.
var withoutVersion = []string{"content verify", "content build"}

// defaultHome is the state folder where LEVY_HOME names no other.
const defaultHome = ".levy"

// findDev completes the settings of a command by those of what `levy dev` runs from its state folder, unless
// another database is named. It returns a notice of that, empty for none. Errors: what that folder says cannot be read.
func (c *Config) findDev(command string, env environment) (notice string, err error) {
	names := func(name string) bool { return strings.HasPrefix(command+" ", name+" ") }
	if slices.ContainsFunc(namesItself, names) || slices.Contains(withoutVersion, command) {
		return "", nil
	}
	home := cmp.Or(env.values["LEVY_HOME"], defaultHome)
	content, err := os.ReadFile(filepath.Join(home, devFile)) // there while everything runs
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var info devInfo
	if err := json.Unmarshal(content, &info); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(home, devFile), err)
	}
	if c.DatabaseURL != "" && c.DatabaseURL.Reveal() != info.DatabaseURL {
		return "", nil // keys of one installation are never used in another
	}
	if c.DatabaseURL == "" {
		notice = "LEVY_DATABASE_URL is not set: this is about what levy dev runs from " + home + "."
		c.DatabaseURL = Secret(info.DatabaseURL)
	}
	if c.TemporalAddress == "" {
		c.TemporalAddress, c.TemporalNamespace = info.TemporalAddress, info.TemporalNamespace
	}
	if c.MasterKeys == "" && info.MasterKeysFile != "" {
		keys, err := os.ReadFile(info.MasterKeysFile)
		if err != nil {
			return "", err
		}
		c.MasterKeys = Secret(strings.TrimSpace(string(keys)))
	}
	return notice, nil
}
