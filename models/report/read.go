package report

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrNotReport means that the JSON is not the report of a filing.
var ErrNotReport = errors.New("not the report of a filing")

// Read reads a report in any JSON layout: first its head, then its transactions one by one. It reads the file twice and
// does not load it into memory. Errors: ErrNotReport, and those of the reader and of the two functions.
func Read(file io.ReadSeeker, head func(*Head) error, each func(*Transaction) error) error {
	var h Head
	fields := map[string]any{
		"content_versions": &h.ContentVersions, "filing": &h.Filing, "generated_at": &h.GeneratedAt,
		"jurisdictions": &h.Jurisdictions,
		"report_hash":   &h.Hash, "totals": &h.Totals,
	}
	found := 0
	err := members(file, func(name string, d *jsontext.Decoder) error {
		if name == "transactions" {
			found++
			return d.SkipValue()
		}
		switch name {
		case "excluded_unresolved": // few reports have it
			return strictly(d, &h.Excluded)
		case "taxpayer": // early reports do not have it
			return strictly(d, &h.Taxpayer)
		}
		field, known := fields[name]
		if !known {
			return fmt.Errorf("%w: it has %q", ErrNotReport, name)
		}
		found++
		return strictly(d, field)
	})
	if err != nil {
		return err
	}
	if found != len(fields)+1 {
		return fmt.Errorf("%w: members are missing", ErrNotReport)
	}
	if err := head(&h); err != nil {
		return err
	}
	return members(file, func(name string, d *jsontext.Decoder) error {
		if name != "transactions" {
			return d.SkipValue()
		}
		return transactions(d, each)
	})
}

// members calls each with every member of the one object in the file. each reads the value.
func members(file io.ReadSeeker, each func(name string, d *jsontext.Decoder) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	d := jsontext.NewDecoder(file)
	if token, err := d.ReadToken(); err != nil {
		return unreadable(err)
	} else if token.Kind() != '{' {
		return ErrNotReport
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return unreadable(err)
		}
		if err := each(name.String(), d); err != nil {
			return unreadable(err)
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return unreadable(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something follows it", ErrNotReport)
	}
	return nil
}

func transactions(d *jsontext.Decoder, each func(*Transaction) error) error {
	if token, err := d.ReadToken(); err != nil {
		return err
	} else if token.Kind() != '[' {
		return fmt.Errorf("%w: transactions are not an array", ErrNotReport)
	}
	for d.PeekKind() != ']' {
		var t Transaction
		if err := strictly(d, &t); err != nil {
			return err
		}
		if err := each(&t); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// strictly refuses members that a report does not have, because the hash would not cover them.
func strictly(d *jsontext.Decoder, into any) error {
	return json.UnmarshalDecode(d, into, json.RejectUnknownMembers(true))
}

// unreadable returns ErrNotReport for faults of the JSON, other errors unchanged.
func unreadable(err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	if errors.As(
		err, &syntax,
	) || errors.As(err, &semantic) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", ErrNotReport, err)
	}
	return err
}
