package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"levy/internal/local"
)

const (
	devFile     = "dev.json"
	retiredFile = "dev.stopped.json"
	keysFile    = "master-keys"
	maxLog      = 16 << 20
)

// devInfo is what dev.json says to other programs while the API answers.
type devInfo struct {
	BaseURL string `json:"base_url"`
	credentials
	TemporalAddress   string `json:"temporal_address"`
	TemporalNamespace string `json:"temporal_namespace"`
	TemporalUIURL     string `json:"temporal_ui_url"`
	DatabaseURL       string `json:"database_url"`
	MasterKeysFile    string `json:"master_keys_file,omitempty"` // empty: they came from the environment
	// Starting are services that do not answer yet. Their work waits until the field is gone.
	Starting []string `json:"starting,omitempty"`
	PIDs     struct {
		Levy     int  `json:"levy"`
		Postgres *int `json:"postgres"` // null: not ours
		Temporal *int `json:"temporal"`
	} `json:"pids"`
}

// state is the locked state folder of one running `levy dev`.
type state struct {
	dir   string
	known credentials // of an earlier run
	lock  *local.Lock
}

// openState creates or opens the state folder. While dev.json exists, the API
// answers; so what an earlier run left is put aside, and its keys remembered.
func openState(dir string) (_ *state, err error) {
	s := &state{}
	if s.dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := local.MakeFolder(s.dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.path("logs"), 0o700); err != nil {
		return nil, err
	}
	s.lock, err = local.TryLock(s.path("lock"))
	if errors.Is(err, local.ErrLocked) {
		return nil, fmt.Errorf(
			"another levy dev runs with the state folder %s: stop it, or set LEVY_HOME to another folder", s.dir,
		)
	}
	if err != nil {
		return nil, err
	}
	if err := s.retire(); err != nil {
		return nil, err
	}
	return s, s.remember()
}

func (s *state) close() { s.lock.Unlock() }

func (s *state) path(name string) string    { return filepath.Join(s.dir, name) }
func (s *state) logPath(name string) string { return s.path(filepath.Join("logs", name+".log")) }

// retire puts dev.json aside: it holds the only copy of the keys.
func (s *state) retire() error {
	err := os.Rename(s.path(devFile), s.path(retiredFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *state) remember() error {
	content, err := os.ReadFile(s.path(retiredFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var info devInfo
	if err := json.Unmarshal(content, &info); err != nil {
		return fmt.Errorf("%s: %w", s.path(retiredFile), err)
	}
	s.known = info.credentials
	return nil
}

// publish writes dev.json, all of it at once.
func (s *state) publish(info devInfo) error {
	content, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return err
	}
	if err := local.WriteFileAtomic(s.path(devFile), append(content, '\n'), 0o600); err != nil {
		return err
	}
	if err := os.Remove(s.path(retiredFile)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// masterKeys reads the keys of this folder, making one on first use.
func (s *state) masterKeys() (Secret, error) {
	content, err := os.ReadFile(s.path(keysFile))
	if err == nil {
		return Secret(strings.TrimSpace(string(content))), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	key := make([]byte, 32)
	rand.Read(key) // never fails
	keys := "k1:" + base64.StdEncoding.EncodeToString(key)
	return Secret(keys), local.WriteFileAtomic(s.path(keysFile), []byte(keys+"\n"), 0o600)
}

// openLog opens a log for appending; a large one is put aside first.
func (s *state) openLog(name string) (*os.File, error) {
	path := s.logPath(name)
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// logTail returns the last lines of a log.
func (s *state) logTail(name string) string {
	content, err := os.ReadFile(s.logPath(name))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimRight(string(content), "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
