package output

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/internal/xlsxfile"
	"levy/models"
	"levy/service/internal/convert"
)

const (
	// listedRows is the largest number of rows of a list as CSV.
	listedRows = 100_000
	// listedAtOnce is how many rows of a list an export reads at once unless told.
	listedAtOnce = 100
)

// Column is a column of a list as a file.
type Column[T any] struct {
	Name  string
	Value func(*T) string
	Text  bool // the value is a text of a client, which is never a formula
}

// Columns returns the columns of a list as a file, by their names. A name after ' is a text of a client. Values of own come first;
// any other column is the field of the record that the contract names so. It panics at a name that is neither.
func Columns[T any](names string, own map[string]func(*T) string) (columns []Column[T]) {
	fields := map[string][]int{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = f.Index
	}
	for _, name := range strings.Fields(names) {
		name, text := strings.CutPrefix(name, "'")
		value, field := own[name], fields[name]
		if value == nil && field == nil {
			panic(fmt.Sprintf("%T has no field %s", *new(T), name))
		}
		if value == nil {
			value = func(row *T) string { return valueText(reflect.ValueOf(row).Elem().FieldByIndex(field)) }
		}
		columns = append(columns, Column[T]{Name: name, Text: text, Value: value})
	}
	return columns
}

// valueText returns a value of the contract as files have it: "" for none, and spaces between the values of a list.
func valueText(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		return valueText(v.Elem())
	}
	if v.Kind() == reflect.Slice {
		texts := make([]string, v.Len())
		for i := range texts {
			texts[i] = valueText(v.Index(i))
		}
		return strings.Join(texts, " ")
	}
	if at, ok := v.Interface().(time.Time); ok {
		return convert.InstantText(at)
	}
	return fmt.Sprint(v.Interface())
}

// ListFile names a file of a list, without the ending, and its format: csv or xlsx.
type ListFile struct {
	Name, Format string
	AtOnce       int // rows that are read at once; 0 for 100
}

// ExportList sends a list as a file. It reads a page before it writes its rows, so no query waits for the client. The first
// page is read before the file begins, so that a refusal is no broken file. Errors: those of read and Download, and
// *models.InvalidError for more rows than a file may have. A list without cursors ends with models.ErrUnavailable if rows
// were added or deleted between two pages.
func ExportList[T any](
	ctx context.Context, o *Outputs, out contract.Stream, file ListFile, columns []Column[T],
	read func(context.Context, models.Page) (models.List[T], error),
) error {
	page := models.Page{Limit: cmp.Or(file.AtOnce, listedAtOnce)}
	list, err := read(ctx, page)
	if err != nil {
		return err
	}
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = c.Name
	}
	e := listExport[T]{columns: columns, read: read, page: page, list: list}
	name := file.Name + "." + file.Format
	if file.Format == "xlsx" {
		if err := TooManyRows(list.Total); err != nil {
			return err
		}
		return o.StreamXLSX(ctx, out, name, header, func(ctx context.Context, w *xlsxfile.Writer) error { return e.write(ctx, w) })
	}
	// guard: lists: a file has a bound
	if list.Total > listedRows {
		return tooManyRows("This has more rows than a file of 100,000. Filter the list.")
	}
	return o.StreamCSV(ctx, out, name, header, func(ctx context.Context, w *csvfile.Writer) error { return e.write(ctx, w) })
}

// listExport is a list that is written as a file.
type listExport[T any] struct {
	columns []Column[T]
	read    func(context.Context, models.Page) (models.List[T], error)
	page    models.Page
	list    models.List[T] // of the page
}

// write writes the rows of all pages. Each page begins after the last row of the page before, if the order has cursors.
func (e *listExport[T]) write(ctx context.Context, to Table) (err error) {
	for {
		for i := range e.list.Items {
			if err := e.writeRow(to, &e.list.Items[i]); err != nil {
				return err
			}
		}
		if !e.next() {
			return nil
		}
		total := e.list.Total
		if e.list, err = e.read(ctx, e.page); err != nil {
			return err
		}
		// An offset would skip rows, or repeat some.
		if e.page.After == nil && e.list.Total != total {
			return fmt.Errorf("%w: the list changed from %d to %d rows", models.ErrUnavailable, total, e.list.Total)
		}
	}
}

// next moves to the page after the one that was read. It returns false after the last one.
func (e *listExport[T]) next() bool {
	if e.list.Next != nil {
		e.page = models.Page{Limit: e.page.Limit, After: e.list.Next}
		return true
	}
	e.page.Offset += len(e.list.Items)
	return e.page.After == nil && len(e.list.Items) > 0 && int64(e.page.Offset) < e.list.Total
}

func (e *listExport[T]) writeRow(to Table, row *T) error {
	for _, c := range e.columns {
		if c.Text {
			to.Text(c.Value(row))
		} else {
			to.Cell(c.Value(row))
		}
	}
	return to.End()
}

// Answers returns a page with the answers of its items.
func Answers[T, A any](list models.List[T], err error, answer func(T) A) (models.List[A], error) {
	return models.List[A]{Items: convert.ConvertAll(list.Items, answer), Total: list.Total, Next: list.Next}, err
}
