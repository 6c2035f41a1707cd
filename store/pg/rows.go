package pg

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Rows are rows that a statement takes as arguments, one array of texts for each column. {name} stands for them where
// the statement names a table. Their columns have the types of Cast.
type Rows[T any] struct {
	name    string
	number  string // column with the number of each row, from 1; empty for none
	columns []Column[T]
}

// RowsOf returns rows that a statement names {name}.
func RowsOf[T any](name string, columns ...Column[T]) Rows[T] {
	return Rows[T]{name: name, columns: columns}
}

// Numbered returns the rows with one more column: their number, from 1.
func (r Rows[T]) Numbered(column string) Rows[T] {
	r.number = column
	return r
}

// Set returns the assignments of an UPDATE from the rows, without some columns: "a = name.a, b = name.b".
func (r Rows[T]) Set(without ...string) string {
	var set []string
	for _, c := range r.columns {
		if !slices.Contains(without, c.Name) {
			set = append(set, fmt.Sprintf("%[1]s = %[2]s.%[1]s", c.Name, r.name))
		}
	}
	return strings.Join(set, ", ")
}

// Arrays are the arguments for some rows, see Rows.Of.
type Arrays struct {
	name   string
	rows   int
	values []any
}

// Len is the number of rows.
func (a Arrays) Len() int { return a.rows }

// Of returns the arguments for rows.
func (r Rows[T]) Of(rows []T) Arrays {
	return Arrays{r.name, len(rows), arraysOf(r.columns, len(rows), func(i int) *T { return &rows[i] })}
}

// Argument is a named part of a prepared statement: Rows.
type Argument interface {
	// define returns the name, the SQL text that replaces it, and the number of its arguments. They follow n other
	// arguments.
	define(n int) (name, text string, arguments int)
}

func (r Rows[T]) define(n int) (name, text string, arguments int) {
	var arrays, names, typed []string
	for i, c := range r.columns {
		array, column := "text[]", c.Name
		switch {
		case c.Bytes != nil:
			array = "bytea[]"
		case c.Cast != "text":
			column = fmt.Sprintf("%s::%s AS %[1]s", c.Name, c.Cast)
		}
		arrays = append(arrays, fmt.Sprintf("$%d::%s", n+i+1, array))
		names, typed = append(names, c.Name), append(typed, column)
	}
	ordinality := ""
	if r.number != "" {
		ordinality, names, typed = " WITH ORDINALITY", append(names, r.number), append(typed, r.number)
	}
	return r.name, fmt.Sprintf("(SELECT %s FROM unnest(%s)%s AS u(%s)) AS %s", strings.Join(typed, ", "),
		strings.Join(arrays, ", "), ordinality, strings.Join(names, ", "), r.name), len(r.columns)
}

// Names are the single arguments of a prepared statement. @name stands for each.
type Names []string

// And returns the names and others behind them.
func (n Names) And(others ...string) Names { return slices.Concat(n, others) }

// Statement is a prepared statement: its text with numbered arguments, and their order.
type Statement struct {
	SQL  string
	args int
	of   []string // the names of the single arguments, then those of the rows
}

// placeholder matches the names and numbers of arguments.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}|@[a-z_]+|\$[0-9]+`)

// Prepare replaces the names of arguments by numbers. It is called once for each statement, when the program starts. It
// panics on an unknown name, on a number, and on an argument that the statement does not use. PostgreSQL refuses some
// unused ones with 42P18.
func Prepare(sql string, single Names, rows ...Argument) Statement {
	s := Statement{args: len(single), of: append([]string{}, single...)}
	texts := make(map[string]string, len(single)+len(rows))
	for i, name := range single {
		texts["@"+name] = fmt.Sprintf("$%d", i+1)
	}
	for _, r := range rows {
		name, text, n := r.define(s.args)
		s.of, texts["{"+name+"}"] = append(s.of, name), text
		s.args += n
	}
	if len(texts) != len(s.of) {
		panic(fmt.Sprintf("two arguments of one name among %v", s.of))
	}
	used := make(map[string]bool, len(texts))
	s.SQL = placeholder.ReplaceAllStringFunc(sql, func(name string) string {
		text, ok := texts[name]
		if !ok {
			panic(fmt.Sprintf("no argument %s among %v: %s", name, s.of, sql))
		}
		used[name] = true
		return text
	})
	for name := range texts {
		if !used[name] {
			panic(fmt.Sprintf("argument %s is not used: %s", name, sql))
		}
	}
	return s
}

// Values returns the arguments of a prepared statement: the single ones and the rows, in the order of Prepare.
// It panics on another number or other rows.
func (s Statement) Values(single []any, rows ...Arrays) []any {
	if len(single)+len(rows) != len(s.of) {
		panic(fmt.Sprintf("%d arguments for %v", len(single)+len(rows), s.of))
	}
	args := append(make([]any, 0, s.args), single...)
	for i, r := range rows {
		if r.name != s.of[len(single)+i] {
			panic(fmt.Sprintf("rows %s in the place of %s", r.name, s.of[len(single)+i]))
		}
		args = append(args, r.values...)
	}
	BulkArguments(args[len(single):])
	return args
}

// Queue adds the statement with its arguments to a batch.
func (s Statement) Queue(batch *pgx.Batch, single []any, rows ...Arrays) *pgx.QueuedQuery {
	return batch.Queue(s.SQL, s.Values(single, rows...)...)
}
