package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// environment resolves flags with a `var` tag from the environment. A secret may also come from a file or a command,
// see secretSource.
type environment struct {
	values      map[string]string
	commandTime time.Duration // limits a command that prints a secret
}

func newEnvironment(env []string) environment {
	values := map[string]string{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		values[name] = value
	}
	return environment{values, commandTime}
}

func isSecret(flag *kong.Flag) bool { return flag.Target.Type() == reflect.TypeFor[Secret]() }

// Validate has nothing to check before the command line is read.
func (environment) Validate(*kong.Application) error { return nil }

// withoutSecrets are commands that need no secret. They run often, and a command that prints secrets may be slow.
var withoutSecrets = []string{"ready", "version", "licences", "prepare", "completion <shell>", "man", "verify-release <folder>"}

// Resolve returns the value of a flag. An empty variable counts as absent, because compose files pass
// those on. Errors: several variables of a secret are set, or its source fails.
func (e environment) Resolve(command *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	name := flag.Tag.Get("var")
	if name == "" {
		return nil, nil
	}
	if !isSecret(flag) {
		return given(e.values[name]), nil
	}
	source, from, err := e.secretSource(name)
	if err != nil || source == nil {
		return nil, err
	}
	if _, runs := source.(ofCommand); runs && command != nil && slices.Contains(withoutSecrets, command.Command()) {
		return nil, nil
	}
	value, err := source.secret()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return given(value), nil
}

// given is a value; nil for an empty one.
func given(value string) any {
	if value == "" {
		return nil
	}
	return value
}

// noSecretFlags refuses secrets on the command line, where every user of the machine can read them.
func noSecretFlags(path []*kong.Path) error {
	var errs []error
	for _, step := range path {
		if step.Flag != nil && !step.Resolved && isSecret(step.Flag) {
			name := step.Flag.Tag.Get("var")
			errs = append(errs, fmt.Errorf(
				"--%s: other users of this machine can read a command line; set %s, or name a file by %s or a command by %s",
				step.Flag.Name, name, name+fileSuffix, name+commandSuffix,
			))
		}
	}
	return errors.Join(errs...)
}
