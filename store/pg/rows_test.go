package pg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/pg"
)

type line struct {
	id     string
	amount string
	packed []byte
}

var lines = pg.RowsOf("line",
	pg.Col("id", "text", func(l *line) *string { return &l.id }),
	pg.Col("amount", "numeric", func(l *line) *string { return pg.Optional(l.amount) }),
	pg.BytesCol("packed", func(l *line) []byte { return l.packed }),
)

var customers = pg.RowsOf("customer", pg.Col("name", "text", func(s *string) *string { return s }))

// A statement names its arguments, and gets numbers for them: single ones first, then a number for each column of rows.
func TestAStatementIsPrepared(t *testing.T) {
	t.Parallel()
	s := pg.Prepare("SELECT @status, '{}', line.* FROM {line} JOIN {customer} ON name = @status OR x <@ y",
		pg.Names{"status"}, lines, customers.Numbered("n"))
	require.Equal(t, "SELECT $1, '{}', line.* FROM "+
		"(SELECT id, amount::numeric AS amount, packed FROM unnest($2::text[], $3::text[], $4::bytea[]) "+
		"AS u(id, amount, packed)) AS line JOIN "+
		"(SELECT name, n FROM unnest($5::text[]) WITH ORDINALITY AS u(name, n)) AS customer ON name = $1 OR x <@ y", s.SQL)
	args := s.Values([]any{"NEW"}, lines.Of([]line{{"a", "1.50", []byte("x")}, {id: "b"}}), customers.Of([]string{"c"}))
	require.Len(t, args, 5)
	require.Equal(t, "NEW", args[0])
	require.Equal(t, [][]byte{[]byte("x"), nil}, args[3])
	require.Equal(t, "amount = line.amount, packed = line.packed", lines.Set("id"))
}

// A statement that PostgreSQL would refuse or misread stops the program at its start.
func TestAStatementThatCannotBePreparedPanics(t *testing.T) {
	t.Parallel()
	for message, prepare := range map[string]func(){
		"no argument {lines}":                func() { pg.Prepare("SELECT FROM {lines}", nil, lines) },
		"no argument @state":                 func() { pg.Prepare("SELECT @state", pg.Names{"status"}) },
		"no argument @status_of":             func() { pg.Prepare("SELECT @status_of", pg.Names{"status"}) },
		"no argument $1":                     func() { pg.Prepare("SELECT $1 FROM {line}", nil, lines) },
		"argument {customer} is not used":    func() { pg.Prepare("SELECT FROM {line}", nil, lines, customers) },
		"argument @status is not used":       func() { pg.Prepare("SELECT FROM {line}", pg.Names{"status"}, lines) },
		"two arguments of one name":          func() { pg.Prepare("SELECT FROM {line}", nil, lines, lines) },
		"rows customer in the place of line": func() { pg.Prepare("SELECT FROM {line}", nil, lines).Values(nil, customers.Of(nil)) },
		"0 arguments for [line]":             func() { pg.Prepare("SELECT FROM {line}", nil, lines).Values(nil) },
		"2 arguments for [line]": func() {
			pg.Prepare("SELECT FROM {line}", nil, lines).Values([]any{"NEW"}, lines.Of(nil))
		},
	} {
		func() {
			defer func() { require.Contains(t, recover(), message) }()
			prepare()
		}()
	}
}
