package main

import (
	"encoding/json"
	"errors"
	"io"
)

// jsonFlag is the flag of the commands that docs/reference.md lists with a document. It has the same facts as the sentences.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print one JSON document instead of sentences."`
}

// tell runs a command that prints sentences and returns a document. With the flag only the document is printed. A
// command that fails may return one, too: nil stands for none.
func tell[T any](to *program, flag jsonFlag, work func(p *program) (*T, error)) error {
	if !flag.JSON {
		_, err := work(to)
		return err
	}
	own := *to
	own.stdout, own.progressTo = io.Discard, io.Discard
	document, err := work(&own)
	if document == nil {
		return err
	}
	return errors.Join(to.printJSON(document), err)
}

// printJSON prints a document.
func (p *program) printJSON(document any) error {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// listed returns a list that JSON shows as [] where it is empty.
func listed[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}
