package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Variables of a secret, after its name: the file that holds it, or the command that prints it.
const (
	fileSuffix    = "_FILE"    // LEVY_MASTER_KEYS_FILE
	commandSuffix = "_COMMAND" // LEVY_MASTER_KEYS_COMMAND
)

const (
	commandTime   = 30 * time.Second // limits a command that prints a secret
	longestSecret = 64 << 10         // bytes that a command may print
	longestFault  = 300              // bytes of what it says of its failure
)

// secretSource is where a secret comes from.
type secretSource interface {
	// secret returns the secret. Errors never contain it.
	secret() (string, error)
}

// ofVariable is a secret in a variable.
type ofVariable string

func (v ofVariable) secret() (string, error) { return string(v), nil }

// ofFile is the file that holds a secret.
type ofFile string

func (f ofFile) secret() (string, error) {
	content, err := os.ReadFile(string(f))
	if err == nil && len(trimmed(content)) == 0 {
		err = errors.New("the file is empty")
	}
	return trimmed(content), err
}

// ofCommand is a program with arguments that prints a secret, such as the client of a key management service. No shell
// reads it.
type ofCommand struct {
	line string
	time time.Duration
}

func (c ofCommand) secret() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.time)
	defer cancel()
	parts := strings.Fields(c.line)
	cmd := exec.CommandContext(ctx, parts[0], parts[1:]...) //nolint:gosec // the operator names it
	out, said := &bounded{most: longestSecret}, &bounded{most: longestFault}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, said, time.Second
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("the command has not ended within %s", c.time)
	case err != nil:
		return "", fmt.Errorf("the command failed (%w): %q", err, strings.TrimSpace(said.kept.String()))
	case out.cut:
		return "", fmt.Errorf("the command printed more than %d KiB", longestSecret>>10)
	case trimmed(out.kept.Bytes()) == "":
		return "", errors.New("the command printed nothing")
	}
	return trimmed(out.kept.Bytes()), nil
}

// trimmed is a secret without the end of its line.
func trimmed(content []byte) string { return strings.TrimRight(string(content), "\r\n") }

// bounded keeps the first bytes that are written, and forgets the others.
type bounded struct {
	kept bytes.Buffer
	most int
	cut  bool
}

// Write never fails.
func (b *bounded) Write(p []byte) (int, error) {
	room := b.most - b.kept.Len()
	b.cut = b.cut || len(p) > room
	b.kept.Write(p[:min(room, len(p))])
	return len(p), nil
}

// secretSource returns the source of a secret and the name of its variable; nil for none. Errors: several are set.
func (e environment) secretSource(name string) (source secretSource, from string, err error) {
	sources := map[string]secretSource{}
	if value := e.values[name]; value != "" {
		sources[name] = ofVariable(value)
	}
	if file := e.values[name+fileSuffix]; file != "" {
		sources[name+fileSuffix] = ofFile(file)
	}
	if line := strings.TrimSpace(e.values[name+commandSuffix]); line != "" {
		sources[name+commandSuffix] = ofCommand{line, e.commandTime}
	}
	set := []string{}
	for _, variable := range []string{name, name + fileSuffix, name + commandSuffix} {
		if sources[variable] != nil {
			set = append(set, variable)
		}
	}
	switch len(set) {
	case 0:
		return nil, "", nil
	case 1:
		return sources[set[0]], set[0], nil
	}
	return nil, "", fmt.Errorf("%s are both set: only one may be", strings.Join(set, " and "))
}
