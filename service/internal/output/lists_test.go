package output

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/internal/xlsxfile"
	"levy/models"
	"levy/service/internal/call"
)

// received is a stream whose file is kept.
type received struct {
	contract.Stream
	bytes.Buffer
	file contract.Content
}

func (r *received) Begin(file contract.Content) { r.file = file }

func (r *received) Write(p []byte) (int, error) { return r.Buffer.Write(p) }

var numberColumns = []Column[int]{
	{Name: "number", Value: func(n *int) string { return strconv.Itoa(*n) }},
	{Name: "text", Text: true, Value: func(n *int) string { return "=" + strconv.Itoa(*n) }},
}

// Columns have the fields of records as files have them, and panic at a name that is none.
func TestColumnsAreFieldsOfRecords(t *testing.T) {
	t.Parallel()
	name, at := "Acme", time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	columns := Columns("id 'name scopes last_used_at granted expires_at", map[string]func(*contract.APIKey) string{
		"id": func(k *contract.APIKey) string { return "key " + k.ID },
	})
	var values []string
	for _, c := range columns {
		require.Equal(t, c.Name == "name", c.Text, c.Name)
		values = append(values, c.Value(&contract.APIKey{
			ID: "1", Name: &name, Scopes: []contract.APIKeyScope{"read", "write"}, LastUsedAt: &at, Granted: true,
		}))
	}
	require.Equal(t, []string{"key 1", "Acme", "read write", "2026-11-30T12:00:00Z", "true", ""}, values)
	require.Panics(t, func() { Columns[contract.APIKey]("nothing", nil) })
}

// numbers returns pages of the numbers from 0, with cursors or without.
func numbers(total int, cursors bool, asked *[]models.Page) func(context.Context, models.Page) (models.List[int], error) {
	return func(_ context.Context, page models.Page) (models.List[int], error) {
		*asked = append(*asked, page)
		from := page.Offset
		if page.After != nil {
			from = int(page.After.Rows)
		}
		list := models.List[int]{Total: int64(total)}
		for n := from; n < min(from+page.Limit, total); n++ {
			list.Items = append(list.Items, n)
		}
		if to := from + len(list.Items); cursors && to < total {
			list.Next = &models.Place{Rows: int64(to)}
		}
		return list, nil
	}
}

func exported(t *testing.T, format string, total int, cursors bool) (*received, []models.Page, error) {
	t.Helper()
	ctx := call.With(t.Context(), &call.Call{StillAdmitted: func(context.Context, models.Scope) bool { return true }})
	var asked []models.Page
	out := &received{}
	err := ExportList(ctx, NewOutputs(StreamTimes{Heartbeat: time.Hour}), out, ListFile{Name: "numbers", Format: format}, numberColumns,
		numbers(total, cursors, &asked))
	return out, asked, err
}

// A file has each row of the list once, whether its order has cursors or not.
func TestAListIsExportedPageByPage(t *testing.T) {
	t.Parallel()
	for _, total := range []int{0, 1, listedAtOnce, listedAtOnce + 1, 2*listedAtOnce + 50} {
		for _, cursors := range []bool{false, true} {
			out, asked, err := exported(t, "csv", total, cursors)
			require.NoError(t, err)
			require.Equal(t, "numbers.csv", out.file.Name)
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			require.Len(t, lines, total+1)
			for i, line := range lines[1:] {
				n := strconv.Itoa(i)
				require.Equal(t, n+",'="+n, strings.TrimSpace(line))
			}
			require.Len(t, asked, max(1, (total+listedAtOnce-1)/listedAtOnce))
		}
	}
	out, _, err := exported(t, "xlsx", listedAtOnce+1, true)
	require.NoError(t, err)
	require.Equal(t, contract.Content{Type: TypeXLSX, Name: "numbers.xlsx"}, out.file)
	require.True(t, strings.HasPrefix(out.String(), "PK"))
}

// A file ends early if rows were added or deleted between two pages without cursors: a row may be missing, or twice there.
// A file that reads the whole list at once is not affected.
func TestAFileOfAListThatChangesIsBrokenOff(t *testing.T) {
	t.Parallel()
	for atOnce, broken := range map[int]bool{0: true, 150: false} {
		ctx := call.With(t.Context(), &call.Call{StillAdmitted: func(context.Context, models.Scope) bool { return true }})
		total := 150
		out := &received{}
		err := ExportList(ctx, NewOutputs(StreamTimes{Heartbeat: time.Hour}), out, ListFile{"numbers", "csv", atOnce}, numberColumns,
			func(ctx context.Context, page models.Page) (models.List[int], error) {
				list, err := numbers(total, false, new([]models.Page))(ctx, page)
				total--
				return list, err
			})
		require.Equal(t, broken, errors.Is(err, models.ErrUnavailable), err)
	}
}

// A list of too many rows is refused before its file begins.
func TestAListOfTooManyRowsIsNoFile(t *testing.T) {
	t.Parallel()
	for format, most := range map[string]int{"csv": listedRows, "xlsx": xlsxfile.MaxRows} {
		out, asked, err := exported(t, format, most+1, true)
		var invalid *models.InvalidError
		require.ErrorAs(t, err, &invalid)
		require.Equal(t, models.FieldTooMany, invalid.Faults[0].Code)
		require.Empty(t, out.file)
		require.Len(t, asked, 1)
	}
}
