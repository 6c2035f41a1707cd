package content

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// table reads one CSV file whose first line names the columns. Every process reads all tables at its start, so speed
// matters. Rows are cut out of large blocks of text, rows without quotes at their commas. A table stores positions in
// the text alone. This takes about half the time of encoding/csv.
type table struct {
	file    string
	in      io.Reader
	block   []byte // the buffer for in
	text    string // read and not yet cut into lines
	ended   bool
	err     error // of reading
	line    int   // the number of the line that was cut off last
	columns []string
	row     strings.Reader // one row with quotes
	quoted  *csv.Reader    // of row
}

func openTable(folder fs.FS, file string) (*table, io.Closer, error) {
	f, err := folder.Open(file)
	if err != nil {
		return nil, nil, err
	}
	t := &table{file: file, in: f, block: make([]byte, maxLine)}
	t.quoted = csv.NewReader(&t.row)
	t.quoted.FieldsPerRecord = -1
	header := row{table: t}
	if ok, err := header.next(); err != nil || !ok {
		f.Close()
		return nil, nil, cmp.Or(err, fmt.Errorf("%s: %w", file, io.EOF))
	}
	for i := range header.ends {
		t.columns = append(t.columns, header.value(i))
	}
	return t, f, nil
}

// nextLine cuts off the next line; ok is false at the end and after an error of reading.
func (t *table) nextLine() (line string, ok bool) {
	for t.err == nil && (t.text != "" || !t.ended) {
		line, rest, whole := strings.Cut(t.text, "\n")
		if whole || t.ended {
			t.text = rest
			t.line++
			return strings.TrimSuffix(line, "\r"), true
		}
		kept := copy(t.block, t.text)
		if kept == len(t.block) {
			t.err = errLongLine
			break
		}
		n, err := t.in.Read(t.block[kept:])
		t.text = string(t.block[:kept+n])
		if t.ended = errors.Is(err, io.EOF); !t.ended {
			t.err = err
		}
	}
	return "", false
}

func readTable(folder fs.FS, file string, add func(*row)) error {
	t, f, err := openTable(folder, file)
	if err != nil {
		return err
	}
	defer f.Close()
	r := row{table: t}
	for {
		ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			return errors.Join(r.faults...)
		}
		add(&r)
	}
}

// row is a row of a table; the readers of its columns collect its faults.
type row struct {
	table  *table
	line   int
	values string // with a comma after each but the last
	ends   []int  // of each value in values
	faults []error
}

// next reads the next row; ok is false at the end of the file. Empty lines are no rows.
func (r *row) next() (ok bool, err error) {
	t := r.table
	text, more := t.nextLine()
	for more && text == "" {
		text, more = t.nextLine()
	}
	r.line = t.line
	for more && strings.Count(text, `"`)%2 != 0 && len(text) <= maxLine { // a line break in quotes
		var line string
		line, more = t.nextLine()
		text += "\n" + line
	}
	if t.err != nil || text == "" {
		return false, t.fault(t.line+1, t.err)
	}
	err = r.cut(text)
	return err == nil, t.fault(r.line, err)
}

// cut finds the values in the text of a row.
func (r *row) cut(text string) error {
	r.values, r.ends = text, r.ends[:0]
	if strings.Contains(text, `"`) {
		r.table.row.Reset(text)
		values, err := r.table.quoted.Read()
		if broken := new(csv.ParseError); errors.As(err, &broken) {
			return broken.Err // its line is that of the row
		} else if err != nil {
			return err
		}
		r.values = strings.Join(values, ",")
		end := -1
		for _, v := range values {
			end += 1 + len(v)
			r.ends = append(r.ends, end)
		}
	} else {
		for i := range len(text) {
			if text[i] == ',' {
				r.ends = append(r.ends, i)
			}
		}
		r.ends = append(r.ends, len(text))
	}
	if columns := r.table.columns; columns != nil && len(r.ends) != len(columns) {
		return csv.ErrFieldCount
	}
	return nil
}

func (r *row) value(column int) string {
	if column == 0 {
		return r.values[:r.ends[0]]
	}
	return r.values[r.ends[column-1]+1 : r.ends[column]]
}

// fault says where an error is, if there is one.
func (t *table) fault(line int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrContent, RowRef{t.file, line}, err)
}
