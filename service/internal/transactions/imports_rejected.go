package transactions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/call"
)

// rejectedColumns follow those of the file.
var rejectedColumns = []string{"import_line", "import_column", "import_problem"}

// ExportRejectedRows writes the rejected and conflicting rows of a file with their faults, then those already present. A
// client can correct this file and import it.
func (o *Operations) ExportRejectedRows(
	ctx context.Context, r contract.ExportRejectedRowsRequest, out contract.Stream,
) error {
	im, err := o.deps.Imports.Import(ctx, call.Of(ctx).Scope, r.ImportID)
	if err != nil {
		return err
	}
	columns := slices.DeleteFunc(
		slices.Clone(im.Columns), func(name string) bool { return name == "" || slices.Contains(rejectedColumns, name) },
	)
	at := make([]int, len(columns))
	for i, name := range columns {
		at[i] = slices.Index(im.Columns, name)
	}
	header := append(columns, rejectedColumns...)
	days := daysOf(&im)
	beyond := im.PresentRows - models.ImportPresentListed
	return o.outputs.StreamCSV(ctx, out, "rejected.csv", header, func(ctx context.Context, w *csvfile.Writer) error {
		return o.deps.Imports.ImportRejections(ctx, im.Scope(), im.ID, exportRows, func(r *models.ImportRejection) error {
			further := ""
			if r.Present && beyond > 0 { // the first one says it
				further, beyond = rowsBeyond(beyond), 0
			}
			return writeRejection(w, r, at, days, further)
		})
	})
}

// rowsBeyond returns the sentence about rows that were already present and are not listed.
func rowsBeyond(rows int64) string {
	if rows == 1 {
		return "1 further row is not listed."
	}
	return fmt.Sprintf("%d further rows are not listed.", rows)
}

// writeRejection writes the rows of a transaction with the faults of each. days are the places with dates that get an order. The
// first row also has a further sentence.
func writeRejection(
	w *csvfile.Writer, r *models.ImportRejection, at []int, days map[int]models.DateOrder, further string,
) error {
	faults := rowFaults(r)
	for i, cells := range r.Rows {
		for _, place := range at {
			if place < len(cells) {
				// guard: rejected rows: no cell is a formula
				w.TextOf(withoutOrder(cells[place], days[place]))
			} else {
				w.Cell("")
			}
		}
		column, problems := "", []string{}
		for _, f := range faults {
			if f.Line != r.Lines[i] {
				continue
			}
			column = cmp.Or(column, f.Column)
			problems = append(problems, f.Message)
		}
		if i == 0 && len(problems) == 0 {
			problems = append(problems, "Another row of this transaction is not in order.")
		}
		if i == 0 && further != "" {
			problems = append(problems, further)
		}
		w.Cell(strconv.FormatInt(r.Lines[i], 10))
		w.Cell(column)
		w.Text(strings.Join(problems, " "))
		if err := w.End(); err != nil {
			return err
		}
	}
	return nil
}
