package main

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"levy/tax"
)

// tlsFiles are the files (PEM) by which a worker connects to the web services of states. The first holds the
// authorities of the services. The others are the certificate of the worker and its key. Each is "" for none.
type tlsFiles struct{ ca, cert, key string }

// everyState is the state of the files that serve all states without files of their own.
const everyState = ""

// splitEntry splits an entry of the form MI=VALUE. Without a state in front it is of every state.
func splitEntry(entry string) (state, value string) {
	state, value, ok := strings.Cut(entry, "=")
	if !ok || !tax.IsStateCode(state) {
		return everyState, entry
	}
	return state, value
}

// simplifiedFiles reads LEVY_SIMPLIFIED_CA, _CERT and _KEY by the state. Errors name all that is wrong.
func (c Config) simplifiedFiles(services []simplifiedService) (files map[string]tlsFiles, err error) {
	files = map[string]tlsFiles{}
	for _, setting := range []struct {
		name    string
		entries []string
		of      func(*tlsFiles) *string
	}{
		{"LEVY_SIMPLIFIED_CA", c.SimplifiedCA, func(f *tlsFiles) *string { return &f.ca }},
		{"LEVY_SIMPLIFIED_CERT", c.SimplifiedCert, func(f *tlsFiles) *string { return &f.cert }},
		{"LEVY_SIMPLIFIED_KEY", c.SimplifiedKey, func(f *tlsFiles) *string { return &f.key }},
	} {
		for _, entry := range setting.entries {
			state, file := splitEntry(entry)
			found := files[state]
			place := setting.of(&found)
			calls := slices.ContainsFunc(services, func(s simplifiedService) bool { return s.state == state && s.address != "" })
			switch {
			case file == "":
				err = errors.Join(err, fmt.Errorf("%s: %q names no file", setting.name, entry))
			case state != everyState && !calls:
				err = errors.Join(err, fmt.Errorf("%s: %s has no web service in LEVY_SIMPLIFIED_SERVICES", setting.name, state))
			case *place != "":
				err = errors.Join(err, fmt.Errorf("%s: %s has two files", setting.name, cmp.Or(state, "every state")))
			}
			*place = file
			files[state] = found
		}
	}
	for _, state := range slices.Sorted(maps.Keys(files)) {
		if together("", files[state].cert, files[state].key) != nil {
			err = errors.Join(err, fmt.Errorf("LEVY_SIMPLIFIED_CERT and LEVY_SIMPLIFIED_KEY go together, for %s", cmp.Or(state, "every state")))
		}
	}
	return files, err
}

// filesOf returns the files for a state: its own, else those of every state. A certificate comes with its key.
func filesOf(files map[string]tlsFiles, state string) tlsFiles {
	own, all := files[state], files[everyState]
	own.ca = cmp.Or(own.ca, all.ca)
	if own.cert == "" {
		own.cert, own.key = all.cert, all.key
	}
	return own
}

// simplifiedTLS returns how this process connects to the service of a state.
func simplifiedTLS(files map[string]tlsFiles, state string) (*tls.Config, error) {
	f := filesOf(files, state)
	security, err := clientTLS("LEVY_SIMPLIFIED", f.ca, f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", state, err)
	}
	return security, nil
}
