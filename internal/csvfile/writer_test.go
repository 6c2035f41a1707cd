package csvfile_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/csvfile"
)

func TestACellOfAnExportIsReadBackAsItWas(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "plain": "plain", " blanks ": `" blanks "`, `a "quote"`: `"a ""quote"""`, "a,b": `"a,b"`,
		"two\nlines": "\"two\nlines\"", "two\r\nlines": "\"two\r\nlines\"",
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "\rx": "\"'\rx\"", "'=1": "''=1",
		"''=": "'''=", "'a": "'a", "a=1": "a=1", "é": "é",
		"a;=1": "a;'=1", "a;'=1;b": "a;''=1;b", "a|-1|+1": "a|'-1|'+1", "a\n=1": "\"a\n'=1\"", "a;b": "a;b",
		"a;'b": "a;'b", "\t=": "'\t'=",
	} {
		var out strings.Builder
		w := &csvfile.Writer{To: bufio.NewWriter(&out)}
		w.Text(text)
		w.Cell("-1.00")
		require.NoError(t, w.End())
		require.NoError(t, w.To.Flush())
		require.Equal(t, want+",-1.00\r\n", out.String(), "%q", text)
		row, err := csvfile.NewReader(strings.NewReader(out.String()), csvfile.Position{Line: 1}, ',').Next()
		require.NoError(t, err)
		require.Equal(t, text, csvfile.Unguarded(row.Cells[0]), "an import removes the prefix of the export")
	}
}

// FuzzCell checks that other programs read a cell of an export as written, that it is no formula, and
// that an import restores its text.
func FuzzCell(f *testing.F) {
	for _, text := range []string{
		"", "text", "=cmd()", "'=a", "''", "-1", "+", "@", "\ta", "\r\n", `"`, "a,b", " a ", "\n=1", "'", "ü",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "\r\n") { // other readers read them as one character
			return
		}
		var out bytes.Buffer
		w := &csvfile.Writer{To: bufio.NewWriter(&out)}
		w.Text("first")
		w.Text(text)
		require.NoError(t, w.End())
		require.NoError(t, w.To.Flush())
		rows, err := csv.NewReader(&out).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 1)
		require.Len(t, rows[0], 2)
		cell := rows[0][1]
		if cell != "" {
			require.NotContains(t, "=+-@\t\r", cell[:1], "a formula")
		}
		require.NotRegexp(t, "[;\t|\r\n][=+@-]", cell, "a formula after a character that may separate cells")
		require.Equal(t, text, csvfile.Unguarded(cell))
	})
}

// A cell of a client's file is guarded once, however often it is exported and sent again, and a number stays a number.
func TestACellOfAFileIsGuardedOnce(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "'=1+1": "'=1+1", "-10.00": "-10.00", "+1": "+1", "-1-2": "'-1-2", "-": "'-", "+1 555": "'+1 555",
		"@A1": "'@A1", "\tx": "'\tx", "-1.2.3": "'-1.2.3", "plain": "plain", "": "", ".5": ".5", "--1": "'--1",
	} {
		written := cell
		for range 3 {
			var out strings.Builder
			w := &csvfile.Writer{To: bufio.NewWriter(&out)}
			w.TextOf(written)
			require.NoError(t, w.End())
			require.NoError(t, w.To.Flush())
			written = strings.TrimSuffix(out.String(), "\r\n")
			require.Equal(t, want, written, "%q", cell)
			require.Equal(t, csvfile.Unguarded(cell), csvfile.Unguarded(written), "an import reads the same")
		}
	}
}
