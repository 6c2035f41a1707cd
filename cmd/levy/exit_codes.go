package main

import (
	"errors"

	"github.com/alecthomas/kong"
)

// exitCodes say which code ends a process, for docs/reference.md too. The first row whose error fits gives the code; the
// rows of a command come before those of all.
var exitCodes = []struct {
	command string // "": of all others
	code    int
	means   string
	of      func(error) bool
}{
	{"levy status", 0, "well: no alarm holds", succeeded},
	{"levy status", 1, "alarms hold", is(errAlarms)},
	{"levy status", 2, "it cannot tell", cannotTell},
	{"levy check", 0, "the records are whole", succeeded},
	{"levy check", 1, "there are defects", is(errDefects)},
	{"levy check", 2, "it cannot tell", cannotTell},
	{"levy audit verify", 0, "every trail is complete and unchanged", succeeded},
	{"levy audit verify", 1, "a trail is broken", is(errBroken)},
	{"levy audit verify", 2, "it cannot tell", cannotTell},
	{"levy keys list", 0, "everything that needs a key is listed", succeeded},
	{"levy keys list", 2, "it cannot tell all: such as which runs need a key, without Temporal", cannotTell},
	{"levy import", 0, "all rows were accepted", succeeded},
	{"levy import", 2, "the file was imported, and some rows were rejected", is(errRejected)},
	{"", 0, "done", succeeded},
	{"", 1, "it failed or was interrupted, or its command line or settings are wrong", func(error) bool { return true }},
}

// exitCode returns the code that ends a process whose command returned err.
func exitCode(err error) int {
	for _, row := range exitCodes {
		if row.of(err) {
			return row.code
		}
	}
	return 1
}

func succeeded(err error) bool { return err == nil }

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// cannotTellError means that a command that reports a state could not find it out.
type cannotTellError struct{ error }

// Unwrap returns the cause.
func (e *cannotTellError) Unwrap() error { return e.error }

func cannotTell(err error) bool {
	_, is := errors.AsType[*cannotTellError](err)
	return is
}

// reported returns the error of a command. A command that has a code for what it cannot tell reports a state. Every error
// of it that has no other code is a *cannotTellError, also one of its command line, or an interruption.
func reported(command *kong.Context, err error) error {
	if err == nil || command == nil || command.Selected() == nil {
		return err
	}
	told := &cannotTellError{err}
	for _, row := range exitCodes {
		switch {
		case row.command != "levy "+command.Selected().Path():
		case row.of(err):
			return err
		case row.of(told):
			return told
		}
	}
	return err
}
