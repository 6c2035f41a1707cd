package xlsxfile_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"levy/internal/xlsxfile"
)

// Numbers are numbers, also those that people add up, and texts are never formulas. A number that a cell would round is a
// text.
func TestAWorkbookHasNumbersAndTexts(t *testing.T) {
	t.Parallel()
	w, err := xlsxfile.New([]string{"name", "amount"})
	require.NoError(t, err)
	for _, row := range [][2]string{
		{"=1+1", "-1234.50"}, {"", "0.10"}, {"a", "99999999999999999.99"}, {"b", ""}, {"c", "1e3"}, {"d", "Inf"}, {"e", "7"},
	} {
		w.Text(row[0])
		w.Cell(row[1])
		require.NoError(t, w.End())
	}
	var out bytes.Buffer
	_, err = w.WriteTo(&out)
	require.NoError(t, err)
	require.NoError(t, w.Close())

	file, err := excelize.OpenReader(&out)
	require.NoError(t, err)
	sheet := file.GetSheetName(0)
	read := func(cell string) [2]string {
		kind, err := file.GetCellType(sheet, cell)
		require.NoError(t, err)
		value, err := file.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true})
		require.NoError(t, err)
		formula, err := file.GetCellFormula(sheet, cell)
		require.NoError(t, err)
		require.Empty(t, formula)
		if kind == excelize.CellTypeInlineString {
			return [2]string{"text", value}
		}
		return [2]string{"", value}
	}
	for cell, want := range map[string][2]string{
		"A1": {"text", "name"}, "B1": {"text", "amount"}, "A2": {"text", "=1+1"}, "B2": {"", "-1234.5"}, "A3": {"", ""},
		"B3": {"", "0.1"}, "B4": {"text", "99999999999999999.99"}, "B5": {"", ""}, "B6": {"text", "1e3"}, "B7": {"text", "Inf"},
		"B8": {"", "7"},
	} {
		require.Equal(t, want, read(cell), cell)
	}
	shown, err := file.GetCellValue(sheet, "B2")
	require.NoError(t, err)
	require.Equal(t, "-1,234.50", shown)
	require.NoError(t, file.Close())
}
