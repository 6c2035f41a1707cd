package filings

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/internal/csvfile"
)

// Each value of a worksheet is in the column of its name.
func TestAWorksheetAsCSV(t *testing.T) {
	t.Parallel()
	category, class := "clothing", "reduced"
	for name, c := range map[string]struct {
		header []string
		write  func(*csvfile.Writer) error
		want   string
	}{
		"lines": {linesHeader, func(w *csvfile.Writer) error {
			return writeLines(w, []contract.WorksheetLine{{
				Line: "1a", Name: "Gross sales", Amount: "12.50", Unit: "CENT", Rule: "sum", Confidence: "verified",
				Figures: []int{2, 3},
			}})
		}, "line,name,amount,unit,rule,confidence,figures\r\n" +
			"1a,Gross sales,12.50,CENT,sum,verified,2 3\r\n"},
		"figures": {figuresHeader, func(w *csvfile.Writer) error {
			return writeFigures(w, []contract.WorksheetFigure{{
				Figure: 4, Level: "county", Jurisdiction: "Kings", Place: "36047", Rate: "0.045", Sign: "sale", Channel: "own",
				Origin: "destination", Category: &category, Class: &class, Transactions: 5, Gross: "60.00", Taxable: "70.00",
				Tax: "8.00", Owed: "9.00",
			}})
		}, "figure,level,jurisdiction,place,rate,sign,channel,origin,category,class,transactions,gross,taxable,tax,owed\r\n" +
			"4,county,Kings,36047,0.045,sale,own,destination,clothing,reduced,5,60.00,70.00,8.00,9.00\r\n"},
	} {
		var file bytes.Buffer
		w := &csvfile.Writer{To: bufio.NewWriter(&file)}
		for _, column := range c.header {
			w.Cell(column)
		}
		require.NoError(t, w.End())
		require.NoError(t, c.write(w))
		require.NoError(t, w.To.Flush())
		require.Equal(t, c.want, file.String(), name)
	}
}
