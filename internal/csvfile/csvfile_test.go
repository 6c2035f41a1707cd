package csvfile_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"levy/internal/csvfile"
)

func readAll(t *testing.T, from io.Reader, separator byte) []csvfile.Row {
	t.Helper()
	r := csvfile.NewReader(from, csvfile.Position{Line: 1}, separator)
	var rows []csvfile.Row
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		require.NoError(t, err)
		rows = append(rows, row)
	}
}

func TestCellsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want [][]string
	}{
		"LF":                            {"a,b\nc,d\n", [][]string{{"a", "b"}, {"c", "d"}}},
		"CRLF":                          {"a,b\r\nc,d\r\n", [][]string{{"a", "b"}, {"c", "d"}}},
		"CR":                            {"a,b\rc,d\r", [][]string{{"a", "b"}, {"c", "d"}}},
		"last row without an end":       {"a,b\nc,d", [][]string{{"a", "b"}, {"c", "d"}}},
		"byte order mark":               {"\xef\xbb\xbfa,b\n", [][]string{{"a", "b"}}},
		"empty cells":                   {",\n,,\n", [][]string{{"", ""}, {"", "", ""}}},
		"empty lines are no rows":       {"\n\na\r\n\r\nb\n", [][]string{{"a"}, {"b"}}},
		"quotes around nothing":         {"\"\"\n", [][]string{{""}}},
		"separator in quotes":           {"\"a,b\",c\n", [][]string{{"a,b", "c"}}},
		"doubled quotes":                {"\"say \"\"hi\"\"\"\n", [][]string{{`say "hi"`}}},
		"line breaks in quotes":         {"\"a\r\nb\nc\rd\",e\n", [][]string{{"a\r\nb\nc\rd", "e"}}},
		"spaces belong to the cell":     {" a , b\n", [][]string{{" a ", " b"}}},
		"quotes at the end of the file": {"\"a\"", [][]string{{"a"}}},
		"formulas are text":             {"=1+1,'=x\n", [][]string{{"=1+1", "'=x"}}},
		"nothing":                       {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, from := range []io.Reader{
				strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text)),
				iotest.DataErrReader(strings.NewReader(c.text)),
			} {
				var got [][]string
				for _, row := range readAll(t, from, ',') {
					require.Nil(t, row.Fault)
					got = append(got, row.Cells)
				}
				require.Equal(t, c.want, got)
			}
		})
	}
}

func TestARowThatCannotBeReadRejectsNoOther(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", csvfile.MaxRow+1)
	for name, c := range map[string]struct {
		bad    string
		column int
		code   string
		cells  []string
	}{
		"quotes that are never closed":      {"B,\"open", 2, csvfile.FaultQuotes, []string{"B"}},
		"quotes inside a cell":              {"B,5\" pipe", 2, csvfile.FaultQuotes, []string{"B"}},
		"text behind quotes":                {"B,\"x\"y,z", 2, csvfile.FaultQuotes, []string{"B"}},
		"a row that is too long":            {"B," + long, 0, csvfile.FaultTooLong, []string{"B"}},
		"quotes over more than a row holds": {"B,\"" + long, 2, csvfile.FaultQuotes, []string{"B"}},
		"too many cells":                    {"B" + strings.Repeat(",", 10_000), 0, csvfile.FaultTooMany, nil},
		"bytes that are no UTF-8":           {"B,M\xfcller", 2, csvfile.FaultEncoding, []string{"B", "M\xfcller"}},
		"NUL":                               {"B,a\x00b", 2, csvfile.FaultEncoding, []string{"B", "a\x00b"}},
	} {
		for _, end := range []string{"\n", "\r\n", "\r"} {
			t.Run(name+" before "+map[string]string{"\n": "LF", "\r\n": "CRLF", "\r": "CR"}[end], func(t *testing.T) {
				t.Parallel()
				rows := readAll(t, strings.NewReader("A,1"+end+c.bad+end+"C,3"+end+"D,4"+end), ',')
				require.Len(t, rows, 4)
				require.Equal(t, []string{"A", "1"}, rows[0].Cells)
				require.NotNil(t, rows[1].Fault)
				require.EqualValues(t, 2, rows[1].At.Line)
				require.Equal(t, c.column, rows[1].Fault.Column)
				require.Equal(t, c.code, rows[1].Fault.Code)
				if c.cells != nil {
					require.Equal(t, c.cells, rows[1].Cells)
				}
				require.Equal(t, []string{"C", "3"}, rows[2].Cells)
				require.EqualValues(t, 3, rows[2].At.Line)
				require.Equal(t, []string{"D", "4"}, rows[3].Cells)
			})
		}
	}
}

func TestLineNumbersAreThoseOfAnEditor(t *testing.T) {
	t.Parallel()
	rows := readAll(t, strings.NewReader("a\n\n\"b\r\nb\rb\nb\"\n\r\nc\n"), ',')
	require.Len(t, rows, 3)
	require.EqualValues(t, 1, rows[0].At.Line)
	require.EqualValues(t, 3, rows[1].At.Line)
	require.EqualValues(t, 8, rows[2].At.Line)
}

// endless is a file of one letter without an end.
type endless struct{ left int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), e.left))
	for i := range n {
		p[i] = 'x'
	}
	e.left -= int64(n)
	return n, nil
}

func TestALineOfAGigabyteIsOneFaultInLittleMemory(t *testing.T) {
	t.Parallel()
	from := io.MultiReader(strings.NewReader("\""), &endless{1 << 30}, strings.NewReader("\nB,2\n"))
	rows := readAll(t, from, ',')
	require.Len(t, rows, 2)
	require.Equal(t, csvfile.FaultQuotes, rows[0].Fault.Code)
	require.Equal(t, []string{"B", "2"}, rows[1].Cells)
	require.EqualValues(t, 2, rows[1].At.Line)
}

func TestReadingContinuesFromAnyRow(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbfid,name\r\n1,\"a\nb\"\r\n\r\n2,\"open\r\n3,c\r\n4,d"
	whole := readAll(t, strings.NewReader(text), ',')
	for i, row := range whole {
		r := csvfile.NewReader(strings.NewReader(text[row.At.Offset:]), row.At, ',')
		for _, want := range whole[i:] {
			got, err := r.Next()
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		_, err := r.Next()
		require.ErrorIs(t, err, io.EOF)
		require.EqualValues(t, len(text), r.Position().Offset)
	}
}

func TestAReadErrorIsNotTakenForTheEnd(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	r := csvfile.NewReader(io.MultiReader(strings.NewReader("a,b\nc"), iotest.ErrReader(broken)),
		csvfile.Position{Line: 1}, ',')
	_, err := r.Next()
	require.NoError(t, err)
	_, err = r.Next()
	require.ErrorIs(t, err, broken)
}

func TestTheHeaderDecidesTheSeparator(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]byte{
		"a,b;c,d\n;;;;": ',', "a;b,c;d": ';', "a\tb\tc": '\t', "a": ',', "": ',',
	} {
		require.Equal(t, want, csvfile.Separator([]byte(header)), "%q", header)
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range []string{
		"a,b\r\nc,d\r\n", "\xef\xbb\xbf\"a\"\"b\",c\n", "\"open\nb\n", "a\"b\n\r\r\n", "\x00,\xff\n",
		",,,\n\n\"\"\n",
	} {
		f.Add(text, byte(','))
	}
	f.Fuzz(func(t *testing.T, text string, separator byte) {
		if strings.IndexByte("\"\r\n\x00", separator) >= 0 {
			return
		}
		whole := readAll(t, strings.NewReader(text), separator)
		require.Equal(
			t, whole, readAll(t, iotest.OneByteReader(strings.NewReader(text)), separator),
			"pieces do not matter",
		)
		var before csvfile.Position
		for i, row := range whole {
			require.GreaterOrEqual(t, row.At.Offset, before.Offset)
			require.Greater(t, row.At.Line, before.Line)
			require.LessOrEqual(t, len(row.Cells), csvfile.MaxCells)
			before = row.At
			if row.At.Offset > 0 {
				rest := csvfile.NewReader(strings.NewReader(text[row.At.Offset:]), row.At, separator)
				again, err := rest.Next()
				require.NoError(t, err)
				require.Equal(t, whole[i], again, "reading goes on from any row")
			}
		}
	})
}
