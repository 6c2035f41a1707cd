package filings

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/internal/csvfile"
)

// Categories are free text, which must not become a formula in a spreadsheet.
func TestTheCategoryOfADueReturnIsNoFormula(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	w := &csvfile.Writer{To: bufio.NewWriter(&file)}
	require.NoError(t, writeDue(w, contract.DueFiling{FilingCategory: "=1+1"}))
	require.NoError(t, w.To.Flush())
	require.Equal(t, "'=1+1", strings.Split(file.String(), ",")[7])
}
