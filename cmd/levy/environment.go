package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"
)

// fileSuffix ends the variable that names the file of a secret: LEVY_MASTER_KEYS_FILE.
const fileSuffix = "_FILE"

// environment resolves flags with a `var` tag from the environment. A secret may also be in a file,
// whose name is in the variable with _FILE behind its name.
type environment struct{ values map[string]string }

func newEnvironment(env []string) environment {
	values := map[string]string{}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		values[name] = value
	}
	return environment{values}
}

func isSecret(flag *kong.Flag) bool { return flag.Target.Type() == reflect.TypeFor[Secret]() }

// Validate has nothing to check before the command line is read.
func (environment) Validate(*kong.Application) error { return nil }

// Resolve returns the value of a flag. An empty variable counts as absent, because compose files pass
// those on. Errors: both variables of a secret are set, or its file cannot be read.
func (e environment) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	name := flag.Tag.Get("var")
	if name == "" {
		return nil, nil
	}
	value := e.values[name]
	if file := e.values[name+fileSuffix]; isSecret(flag) && file != "" {
		if value != "" {
			return nil, fmt.Errorf("%s and %s are both set: only one may be", name, name+fileSuffix)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name+fileSuffix, err)
		}
		if value = strings.TrimRight(string(content), "\r\n"); value == "" {
			return nil, fmt.Errorf("%s: the file is empty", name+fileSuffix)
		}
	}
	if value == "" {
		return nil, nil
	}
	return value, nil
}

// noSecretFlags refuses secrets on the command line, where every user of the machine can read them.
func noSecretFlags(path []*kong.Path) error {
	var errs []error
	for _, step := range path {
		if step.Flag != nil && !step.Resolved && isSecret(step.Flag) {
			name := step.Flag.Tag.Get("var")
			errs = append(errs, fmt.Errorf(
				"--%s: other users of this machine can read a command line; set %s, or name a file by %s",
				step.Flag.Name, name, name+fileSuffix,
			))
		}
	}
	return errors.Join(errs...)
}
