package web

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// rejectedText is a file of rejected rows, each on the line "n" of its transaction.
func rejectedText(ids ...string) string {
	var b strings.Builder
	b.WriteString("external_id,amount,import_line,import_column,import_problem\r\n")
	for i, id := range ids {
		fmt.Fprintf(&b, "%s,\"1,%d\",%d,amount,No number.\r\n", id, i, i+2)
	}
	return b.String()
}

func TestRowsOfATransactionStayTogether(t *testing.T) {
	t.Parallel()
	many := func(id string, n int) (ids []string) {
		for range n {
			ids = append(ids, id)
		}
		return ids
	}
	for name, c := range map[string]struct {
		ids   []string
		whole bool
		shown int
		more  bool
	}{
		"all":                         {[]string{"A", "A", "B"}, true, 3, false},
		"as many as fit":              {many("A", correctedRows), true, correctedRows, false},
		"the next one does not fit":   {append(many("A", correctedRows-1), "B", "B"), true, correctedRows - 1, true},
		"one that is too long":        {many("A", correctedRows+1), true, 0, true},
		"an unreadable row belongs":   {append(many("A", correctedRows-1), "B", ""), true, correctedRows - 1, true},
		"cut off in the second":       {[]string{"A", "B", "B"}, false, 1, true},
		"cut off in the first":        {[]string{"A", "A"}, false, 0, true},
		"nothing":                     {nil, true, 0, false},
		"an unreadable row to begin":  {[]string{"", "B"}, true, 2, false},
		"the same name again, apart ": {[]string{"A", "B", "A"}, true, 3, false},
	} {
		columns, rows, more, err := readRejected([]byte(rejectedText(c.ids...)), 0, c.whole)
		require.NoError(t, err, name)
		require.Equal(t, []string{"external_id", "amount"}, columns, name)
		require.Len(t, rows, c.shown, name)
		require.Equal(t, c.more, more, name)
	}
	_, _, _, err := readRejected(nil, 0, true)
	require.Error(t, err)
}

// Rows that were there already need no correction. They follow the rejected ones.
func TestTheFormHasNoRowsThatWereThereAlready(t *testing.T) {
	t.Parallel()
	_, rows, more, err := readRejected([]byte(rejectedText("A", "B", "PRESENT", "PRESENT")), 2, true)
	require.NoError(t, err)
	require.False(t, more)
	require.Len(t, rows, 2)
	require.Equal(t, "B", rows[1].Cells[0].Value)
}

func TestACorrectedFileIsWhatTheFormSays(t *testing.T) {
	t.Parallel()
	columns, rows, _, err := readRejected([]byte(rejectedText("A", "'=B")), 0, true)
	require.NoError(t, err)
	require.Equal(t, "=B", rows[1].Cells[0].Value, "people see the text, not its guard")
	typed := url.Values{"column": columns}
	for _, row := range rows {
		require.Len(t, row.Named(), 1, "faults come first")
		require.Equal(t, "amount", row.Named()[0].Column)
		require.Len(t, row.Other(), 1)
		for _, cell := range row.Cells {
			typed.Set(cell.Name, cell.Value)
		}
	}
	typed.Set(rows[1].Named()[0].Name, "a, \"b\"\r\nc")
	read, err := csv.NewReader(correctedFile(typed)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, [][]string{{"external_id", "amount"}, {"A", "1,0"}, {"'=B", "a, \"b\"\nc"}}, read, "the import reads =B")
}

// Only the beginning of a large file is read: its operation ends with the first part that has no room.
func TestALargeFileOfRejectedRowsIsCutOff(t *testing.T) {
	t.Parallel()
	var file fileBeginning
	part := make([]byte, 64<<10)
	for range rejectedRead / len(part) {
		_, err := file.Write(part)
		require.NoError(t, err)
	}
	require.False(t, file.more)
	_, err := file.Write(part[:1])
	require.ErrorIs(t, err, errEnough)
	require.True(t, file.more)
	require.Len(t, file.Bytes(), rejectedRead)
}

// The form of a row with two errors has both cells, although the file of rejected rows names only the first column.
func TestEveryFaultOfARowIsAskedFor(t *testing.T) {
	t.Parallel()
	page := correctPage{}
	require.NoError(t, json.Unmarshal([]byte(`{"problems":[{"line":2,"column":"external_id","message":"It is required."},
		{"line":2,"column":"amount","message":"No number."},{"line":3,"column":"amount","message":"No number."}]}`),
		&page.fileImport))
	var err error
	page.Columns, page.Shown, _, err = readRejected([]byte(rejectedText("A", "B", "C")), 0, true)
	require.NoError(t, err)
	page.marked()
	require.Equal(t, "external_id: It is required. amount: No number.", page.Shown[0].Problem)
	require.Len(t, page.Shown[0].Named(), 2)
	require.Equal(t, "No number.", page.Shown[1].Problem, "one fault is said as it is")
	require.Len(t, page.Shown[1].Named(), 1)
	require.Len(t, page.Shown[2].Named(), 1, "the import does not name it, the file does")
}

// A cell is refused if its person means another number than the file would say. An unchanged one is not, and what was
// typed is still there.
func TestACellWithTwoReadingsIsRefused(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]int{"1.234": 400, "5,678": 400, "1,234": 303, "1.2340": 303, "0.123": 303, "1,0": 303, "12.50": 303} {
		answered := visitedWith(t, map[string]string{
			"GET /v1/session": `{"user":{},"preferences":{"number_format":"POINT"},` +
				`"organizations":[{"organization_id":"org_1","role":"admin"}]}`,
			"GET /v1/transactions/imports/batc_1":               `{"id":"batc_1","status":"COMPLETED","rejected_rows":1}`,
			"GET /v1/transactions/imports/batc_1/rejected_rows": strings.Replace(rejectedText("A"), "1,0", "1,234", 1),
			"POST /v1/transactions/imports":                     `{"id":"batc_2"}`,
		}, "/o/org_1/imports/batc_1/correct", url.Values{"column": {"external_id", "amount"}, "r0c0": {"1.234"}, "r0c1": {typed}})
		require.Equal(t, want, answered.Code, typed)
		if want == 400 {
			require.Contains(t, answered.Body.String(), "Line 2, column “amount”: “"+typed+"” can be read in two ways. "+
				"Cells have the form of the file: write "+typed[:1]+typed[2:]+", or "+typed[:1]+"."+typed[2:]+"0.")
			require.Regexp(t, `name="r0c1"[^>]* value="`+typed+`"[^>]* aria-invalid="true"`, answered.Body.String())
			require.Regexp(t, `name="r0c0"[^>]* value="1.234"`, answered.Body.String())
		}
	}
	require.Empty(t, inForm(models.CommaThousands, models.ISODate).misreadCells(
		url.Values{"column": {"amount"}, "r0c0": {"1.234"}}), "the person and the file mean the same")
}
