package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/contracttest"
	"levy/models/report"
)

// partsOf reads the amounts by jurisdiction of a report that is written in parts, until its error.
func partsOf(failure error, written ...string) (parts []report.Jurisdiction, sent int, err error) {
	session := contracttest.NewSession(func(_ context.Context, call *contracttest.Call, _ any) error {
		for _, part := range written {
			call.Stream.Begin(contract.Content{Type: "application/json"})
			if _, err := io.WriteString(call.Stream, part); err != nil {
				return err
			}
			sent++
		}
		return failure
	})
	v := &pageRequest{Request: httptest.NewRequest(http.MethodGet, "/o/org_1/filings/file_1", nil), session: session}
	parts, err = v.parts()
	return parts, sent, err
}

// The amounts by jurisdiction are read from the beginning of a report. Its transactions are not read.
func TestTheTransactionsOfAReportAreNotRead(t *testing.T) {
	t.Parallel()
	const head = `{"filing":{"id":"file_1"},"jurisdictions":[{"code":"48","jurisdiction_name":"Texas","tax_amount":"6.25"}],`
	parts, sent, err := partsOf(nil, head, `"transactions":[`, `{},`, `{}]}`)
	require.NoError(t, err)
	require.Equal(t, []report.Jurisdiction{{Code: "48", Name: "Texas", TaxAmount: "6.25"}}, parts)
	require.Less(t, sent, 4)

	_, _, err = partsOf(errors.New("broken off"), `{"filing":`)
	require.ErrorContains(t, err, "broken off")
	parts, _, err = partsOf(&problem{Status: http.StatusForbidden})
	require.NoError(t, err, "a page without them")
	require.Empty(t, parts)
	_, _, err = partsOf(&problem{Status: http.StatusServiceUnavailable})
	require.True(t, refusedWith(err, http.StatusServiceUnavailable))
}
