package content

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// sheet is one table taken apart for a change.
type sheet struct {
	file   string
	header []string
	rows   [][]string
}

func (t Tables) sheet(file string) (*sheet, error) {
	text, ok := t[file]
	if !ok {
		return nil, fmt.Errorf("%s: no such table", file)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err == nil && len(rows) == 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &sheet{file: file, header: rows[0], rows: rows[1:]}, nil
}

// put writes the table back.
func (t Tables) put(s *sheet) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{s.header}, s.rows...)); err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	t[s.file] = b.Bytes()
	return nil
}

// get reads a cell; a column that the table lacks is empty.
func (s *sheet) get(row []string, column string) string {
	if i := slices.Index(s.header, column); i >= 0 {
		return row[i]
	}
	return ""
}

func (s *sheet) set(row []string, column, value string) {
	if i := slices.Index(s.header, column); i >= 0 {
		row[i] = value
	}
}

// add appends a row with the values of some columns.
func (s *sheet) add(values map[string]string) {
	row := make([]string, len(s.header))
	for column, value := range values {
		s.set(row, column, value)
	}
	s.rows = append(s.rows, row)
}

// StateFIPS is the FIPS code of a US state.
func (t Tables) StateFIPS(state string) (string, bool) {
	s, err := t.sheet("jurisdictions.csv")
	if err != nil {
		return "", false
	}
	for _, row := range s.rows {
		if s.get(row, "code_system") == "FIPS-STATE" && s.get(row, "state") == state {
			return s.get(row, "fips_or_code"), true
		}
	}
	return "", false
}

// SetBoundaries says under which load the boundary file of a state was imported.
// sum, the hash of the file, makes the name of the version depend on its text.
func (t Tables) SetBoundaries(state string, load int64, file, sum string) error {
	s := &sheet{file: boundariesTable, header: []string{"state", "load", "file", "sha256"}}
	if _, ok := t[boundariesTable]; ok {
		var err error
		if s, err = t.sheet(boundariesTable); err != nil {
			return err
		}
	}
	s.rows = slices.DeleteFunc(s.rows, func(row []string) bool { return s.get(row, "state") == state })
	s.add(map[string]string{"state": state, "load": strconv.FormatInt(load, 10), "file": file, "sha256": sum})
	slices.SortFunc(s.rows, func(a, b []string) int { return slices.Compare(a, b) })
	return t.put(s)
}
