package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

//go:generate go run ./internal/release -root ../.. -notices notices.txt.gz

// notices are the licences of all that the program is made of, packed.
//
//go:embed notices.txt.gz
var notices []byte

type licencesCmd struct{}

// Run prints the licences.
func (licencesCmd) Run(p *program) error {
	text, err := gzip.NewReader(bytes.NewReader(notices))
	if err != nil {
		return err
	}
	_, err = io.Copy(p.stdout, text) //nolint:gosec // it is the program's own
	return err
}
