package migrations

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kind says what a migration does to a service that runs meanwhile.
type Kind string

// The kinds of migrations.
const (
	// Quick migrations are one database transaction that needs its locks for a moment. They give up a lock that they do
	// not get within a second, so that later statements continue, and are tried again.
	Quick Kind = "quick"
	// Concurrent migrations build or remove indexes while rows are written. They wait for database transactions that
	// began before them for as long as these take, and nothing waits for them.
	Concurrent Kind = "concurrent"
	// Background migrations change rows of a table, which their file names. levy migrate only records them. Workers execute
	// their one statement a batch at a time, with pauses by the load, until it has passed all rows. $1 is the key of the last
	// row of the batch before as text, "" at first. $2 is the number of rows of a batch. The statement returns the key of
	// its last row, NULL if there are no more rows, and the number of rows that it read. Programs of this release and of the
	// one before work with rows of both forms meanwhile, and what they write needs no change.
	Background Kind = "background"
)

// SaysKind is the first migration whose file must say its kind. Of earlier ones, those without a database transaction
// are concurrent.
const SaysKind = 270

var (
	kindLine    = regexp.MustCompile(`(?m)^-- levy: (\w+)(?: of (\w+))?$`)
	outsideOfTx = regexp.MustCompile(`(?m)^-- \+goose NO TRANSACTION$`)
)

// File is a migration of the program.
type File struct {
	Version    int64
	Name       string
	Kind       Kind
	Statements []string
	Table      string // of a background migration
}

// Files returns the migrations in a folder, by their numbers. It returns an error for a file whose kind is missing or
// does not fit it, or whose number is below that of the baseline.
func Files(folder fs.FS) ([]File, error) {
	names, err := fs.Glob(folder, "*.sql")
	if err != nil {
		return nil, err
	}
	files := make([]File, 0, len(names))
	for _, name := range names {
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		file, err := parse(name, string(content))
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", name, err)
		}
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b File) int { return int(a.Version - b.Version) })
	return files, nil
}

func parse(name, content string) (File, error) {
	number, _, _ := strings.Cut(path.Base(name), "_")
	version, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return File{}, err
	}
	if version < Baseline {
		return File{}, fmt.Errorf("its number is below that of the baseline, %05d", Baseline)
	}
	f := File{Version: version, Name: name, Kind: Quick, Statements: statements(content)}
	if outsideOfTx.MatchString(content) {
		f.Kind = Concurrent
	}
	said := kindLine.FindStringSubmatch(content)
	switch {
	case said == nil && version >= SaysKind && version < testedFrom:
		return f, fmt.Errorf("it does not say `-- levy: %s`", f.Kind)
	case said != nil && Kind(said[1]) == Background && f.Kind == Quick:
		f.Kind, f.Table = Background, said[2]
		if len(f.Statements) != 1 || f.Table == "" {
			return f, errors.New("it is background, and needs one statement and the name of its table: `-- levy: background of TABLE`")
		}
	case said != nil && Kind(said[1]) != f.Kind:
		return f, fmt.Errorf("it says %q, and is %s", said[1], f.Kind)
	}
	return f, nil
}

// testedFrom is the first number of migrations that only tests have.
const testedFrom = 90_000

// statements returns the statements of a file, as goose separates them. A statement ends with a semicolon at the end of a
// line. A block of several lines is one statement.
func statements(content string) (all []string) {
	var lines []string
	block, up := false, false
	end := func() {
		if s := strings.TrimSpace(strings.Join(lines, "\n")); s != "" {
			all = append(all, s)
		}
		lines = nil
	}
	for line := range strings.SplitSeq(content, "\n") {
		note := strings.TrimSpace(line)
		if command, ok := strings.CutPrefix(note, "-- +goose "); ok {
			switch command {
			case "Up":
				up = true
			case "Down":
				return all
			case "StatementBegin":
				block = true
			case "StatementEnd":
				block = false
				end()
			}
			continue
		}
		if !up || len(lines) == 0 && (note == "" || strings.HasPrefix(note, "--")) {
			continue
		}
		lines = append(lines, line)
		code, _, _ := strings.Cut(line, "--")
		if !block && strings.HasSuffix(strings.TrimSpace(code), ";") {
			end()
		}
	}
	end()
	return all
}
