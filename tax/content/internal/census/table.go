package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// table is a CSV file with a header.
type table struct {
	header []string
	rows   []line
}

// line is one row of a table by column.
type line map[string]string

func readTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := &table{header: records[0], rows: make([]line, 0, len(records))}
	for _, record := range records[1:] {
		row := make(line, len(record))
		for i, column := range t.header {
			row[column] = record[i]
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

func (t *table) write(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	_ = w.Write(t.header)
	for _, row := range t.rows {
		record := make([]string, len(t.header))
		for i, column := range t.header {
			record[i] = row[column]
		}
		_ = w.Write(record)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return f.Close()
}

// column adds a column that the table lacks.
func (t *table) column(name string) {
	if !slices.Contains(t.header, name) {
		t.header = append(t.header, name)
	}
}

// folder reads tables and keeps the first error.
type folder struct {
	path string
	err  *error
}

func (f folder) table(name string) *table {
	t, err := readTable(filepath.Join(f.path, name))
	if err != nil {
		if *f.err == nil {
			*f.err = err
		}
		return &table{}
	}
	return t
}

// rate is a fraction in millionths.
type rate int64

const ratePlaces = 6

func parseRate(s string) rate {
	whole, part, _ := strings.Cut(s, ".")
	for len(part) < ratePlaces {
		part += "0"
	}
	n, err := strconv.ParseInt(whole+part, 10, 64)
	if err != nil || len(part) > ratePlaces {
		panic(fmt.Sprintf("rate %q", s))
	}
	return rate(n)
}

func (r rate) String() string {
	s := fmt.Sprintf("0.%06d", int64(r))
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
