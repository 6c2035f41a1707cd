package transactions

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/csvfile"
	"levy/models"
)

// The dates that spreadsheets write, each with what it means by the order of its file.
func TestDatesOfSpreadsheets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		order models.DateOrder
		want  string // "" for a text that is left to the validator
	}{
		{"2026-05-15", "", "2026-05-15T00:00:00Z"}, {"2026-5-4", "", "2026-05-04T00:00:00Z"},
		{"2026-05-15 10:00", "", "2026-05-15T10:00:00Z timed"}, {"2026-05-15T10:00:30", "", ""},
		{"2026/05/15", "", "2026-05-15T00:00:00Z"}, {"15.05.2026", "", "2026-05-15T00:00:00Z"},
		{"4.5.2026 9:05", "", "2026-05-04T09:05:00Z timed"}, {"5.15.2026", "", ""},
		{"5/4/2026", models.MonthFirst, "2026-05-04T00:00:00Z"}, {"5/4/2026", models.DayFirst, "2026-04-05T00:00:00Z"},
		{"5/4/2026", "", ""}, {"5/15/2026", "", ""}, {"15/5/2026", models.MonthFirst, ""},
		{"5/4/2026 1:05:09 PM", models.MonthFirst, "2026-05-04T13:05:09Z timed"},
		{"5/4/2026 12:00 am", models.MonthFirst, "2026-05-04T00:00:00Z timed"},
		{"5/4/2026 12:30PM", models.MonthFirst, "2026-05-04T12:30:00Z timed"}, {"5/4/2026 13:00 PM", models.MonthFirst, ""},
		{"31.04.2026", "", ""}, {"15.05.26", "", ""}, {"2026-05.15", "", ""}, {"05-15-2026", models.MonthFirst, ""},
		{"2026-05-15 24:00", "", ""}, {"2026-05-15T10:00:00Z", "", ""}, {"2026-05-15T10:00:00+02:00", "", ""}, {"", "", ""}, {"soon", "", ""},
	} {
		d, known := readSheetDate(c.text, c.order)
		got := ""
		if known {
			got = d.day.Format(time.RFC3339)
			if d.timed {
				got += " timed"
			}
		}
		require.Equal(t, c.want, got, "%s %s", c.text, c.order)
	}
}

// orderOf returns the order of the dates of a file, as its upload finds it.
func orderOf(file string) models.DateOrder {
	return orderInPieces(file, len(file))
}

func orderInPieces(file string, size int) models.DateOrder {
	reader := csvfile.NewReader(strings.NewReader(file), csvfile.Position{Line: 1}, ',')
	header, err := reader.Next()
	if err != nil {
		return ""
	}
	o := newDateOrders(header.Cells, reader.Position(), ',')
	for piece := range slices.Chunk([]byte(file[reader.Position().Offset:]), max(size, 1)) {
		o.scan(piece)
		clear(piece) // the upload reads the next piece into the same memory
	}
	return o.order()
}

// A file shows where the month is by a date with a number above 12. Nothing is guessed where it shows both ways, or none.
func TestTheOrderOfDatesInAFile(t *testing.T) {
	t.Parallel()
	for rows, want := range map[string]models.DateOrder{
		"a,5/4/2026\nb,5/15/2026 10:00\n": models.MonthFirst, "a,15/5/2026\n": models.DayFirst, "a,5/4/2026": "",
		"a,5/15/2026\nb,15/5/2026\n": "", "a,32/5/2026\n": "", "a,https://a.example/13/5/": "", "a,13/5/202": "", "a,113/5/2026": "",
		"a,/13/5/2026": "", "a,1/2/3,,5/31/2026": models.MonthFirst, "": "", "a,///": "", "a,5/": "", "a,5/15": "", "a,2/30/2026": "",
		"a,\"5/15/2026 1:05\",\"a\nb\"\r\nb": models.MonthFirst, "a,\"5/15/2026": "", "a,2026/5/15": "", "a,15/5/2026": models.DayFirst,
		// A note, or an identifier, decides nothing.
		"a,5/4/2026,Correction of 12/31/2025\n": "", "5/15/2026,5/4/2026,12/31/2025\n": "", "a,Correction of 12/31/2025\n": "",
		"a,5/15/2026,13/1/2026\n": models.MonthFirst,
	} {
		file := "external_id,date,note,tax_date\n" + rows
		for _, size := range []int{1, 3, len(file)} {
			require.Equal(t, want, orderInPieces(file, size), "%q", rows)
		}
	}
	require.Empty(t, orderOf("external_id,note\na,5/15/2026\n"))
}

const datedColumns = "external_id,type,date,tax_date,shop_date_tz,customer_external_id,external_product_id,amount\n"

// datedRow is a sale on a date, with a tax date and a zone.
func datedRow(id, date, taxDate, zone string) string {
	return id + ",SALE," + date + "," + taxDate + "," + zone + ",C-1,P-1,1.00\n"
}

// A date without a time of day is the day of the sale in any zone. A time of day is that of the zone of the shop.
func TestSalesHaveTheDaysOfSpreadsheets(t *testing.T) {
	t.Parallel()
	got := sheet(t, datedColumns+datedRow("A", "5/4/2026", "", "America/New_York")+datedRow("B", "5/4/2026 1:30 AM", "", "America/New_York")+
		datedRow("C", "5/15/2026", "5/16/2026 0:00", "")+datedRow("D", "04.05.2026", "", "")+datedRow("E", "2026-05-04", "", "Asia/Tokyo"), 1)
	var days []string
	for _, e := range got {
		require.Empty(t, e.Faults)
		days = append(days, e.Sale.Date.UTC().Format(time.RFC3339)+" "+e.Sale.TaxDate.Format(time.DateOnly))
	}
	require.Equal(t, []string{
		"2026-05-04T00:00:00Z 2026-05-04", "2026-05-04T05:30:00Z 2026-05-04", "2026-05-15T00:00:00Z 2026-05-16",
		"2026-05-04T00:00:00Z 2026-05-04", "2026-05-04T00:00:00Z 2026-05-04",
	}, days)
}

// No month is guessed: without a date that shows the order, the row says what to write.
func TestADateThatCanBeReadInTwoWaysIsRefused(t *testing.T) {
	t.Parallel()
	got := sheet(t, datedColumns+datedRow("A", "5/4/2026", "5/4/2026", ""), 1)
	require.Len(t, got[0].Faults, 2)
	for i, column := range []string{"date", "tax_date"} {
		require.Equal(t, column, got[0].Faults[i].Column)
		require.Contains(t, got[0].Faults[i].Message, "can be read in two ways")
	}
}

// The file of rejected rows lacks the dates that show the order of the others, so it has none that needs it.
func TestRejectedRowsHaveDatesOfNoOrder(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"5/4/2026": "2026-05-04", "5/4/2026 1:30 PM": "2026-05-04 13:30:00", "04.05.2026": "04.05.2026", "5/31/26": "5/31/26", "x": "x",
	} {
		require.Equal(t, want, withoutOrder(cell, models.MonthFirst))
		require.Equal(t, cell, withoutOrder(cell, ""))
	}
	im := &models.Import{Columns: []string{"external_id", "date", "note"}, DateOrder: models.DayFirst}
	require.Equal(t, map[int]models.DateOrder{1: models.DayFirst}, daysOf(im))
}
