package api

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
)

// exported passes n lines to each.
func exported(n int) func(context.Context, func(*models.ExportLine) error) error {
	return func(_ context.Context, each func(*models.ExportLine) error) error {
		for range n {
			line := models.ExportLine{
				ExternalID: "=ORDER", Amount: decimal.MustParse("-5"), Quantity: decimal.One,
				CustomerName: new("Ada, \"B\""),
			}
			if err := each(&line); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestExportTransactions(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.export = exported(1)
	answer := b.send(
		http.MethodGet, "/v1/transactions/export?format=csv&status=COMMITTED&order_by=-total_amount", "",
	)
	require.Equal(t, http.StatusOK, answer.Code)
	require.Equal(t, "text/csv; charset=utf-8", answer.Header().Get("Content-Type"))
	require.Equal(t, `attachment; filename="transactions.csv"`, answer.Header().Get("Content-Disposition"))
	require.Equal(t, []models.TransactionStatus{models.StatusCommitted}, b.filter.Statuses)
	require.Equal(t, []models.Order{{Column: "total_amount", Desc: true}}, b.order)
	require.Equal(t, models.Page{Limit: 1_000_000}, b.page)
	rows, err := csv.NewReader(answer.Body).ReadAll()
	require.NoError(t, err)
	require.Equal(t, "transaction_id", rows[0][0])
	cells := map[string]string{}
	for i, name := range rows[0] {
		cells[name] = rows[1][i]
	}
	require.Equal(t, []string{"'=ORDER", "-5.00", "1.0", `Ada, "B"`, "0.000000000", "false"},
		[]string{
			cells["external_id"], cells["amount"], cells["quantity"], cells["customer_name"],
			cells["tax_rate_calculated"], cells["marketplace"],
		})

	for query, want := range map[string]string{
		"": "missing_field", "?format=xml": "invalid_enum", "?format=csv&order_by=x": "unknown_order_field",
		"?format=csv&page=1": "unknown_parameter",
	} {
		answer := b.send(http.MethodGet, "/v1/transactions/export"+query, "")
		require.Equal(t, http.StatusBadRequest, answer.Code)
		require.Contains(t, answer.Body.String(), want)
	}
	b.export = func(context.Context, func(*models.ExportLine) error) error { return models.ErrUnavailable }
	require.Equal(
		t, http.StatusServiceUnavailable, b.send(http.MethodGet, "/v1/transactions/export?format=csv", "").Code,
		"as long as nothing is written",
	)
}

// exportFrom asks a server on a socket for an export.
func exportFrom(ctx context.Context, t *testing.T, b *transactionBundle) *http.Response {
	t.Helper()
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(
		ctx, http.MethodGet, server.URL+"/v1/transactions/export?format=csv", http.NoBody,
	)
	require.NoError(t, err)
	r.Header.Set("X-API-KEY", b.key)
	r.Header.Set("x-organization-id", b.scope.OrganizationID)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

func TestAnInterruptedExportDoesNotLookComplete(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.export = func(ctx context.Context, each func(*models.ExportLine) error) error {
		return errors.Join(exported(2000)(ctx, each), models.ErrUnavailable)
	}
	answer := exportFrom(t.Context(), t, b)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	_, err := io.Copy(io.Discard, answer.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

func TestAnExportEndsWhenItsClientDisconnects(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	ended := make(chan struct{})
	b.export = func(ctx context.Context, each func(*models.ExportLine) error) error {
		defer close(ended)
		if err := exported(2000)(ctx, each); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	exportFrom(ctx, t, b)
	leave()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		require.Fail(t, "the export continues")
	}
}
