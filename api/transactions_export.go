package api

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"levy/api/openapi"
	"levy/models"
	"levy/tax"
)

const (
	// exportRows is the largest number of rows of an export.
	exportRows = 1_000_000
	// exportPatience is how long a client may take to read one piece of an export.
	exportPatience = 30 * time.Second
	// exportPiece is what of an export is held at a time, in bytes.
	exportPiece = 64 << 10
	// maxExports is how many exports are under way at once: each keeps a connection to
	// the database for as long as its client takes.
	maxExports = 4
)

// exportHeader names the columns of an export.
var exportHeader = []string{
	"transaction_id", "external_id", "type", "status", "processing_status", "date", "tax_date", "currency", "customer_external_id", "customer_name",
	"country", "state", "county", "city", "postal_code", "address_status", "marketplace", "exempt", "related_to", "filing_id",
	"item_id", "item_external_id", "external_product_id", "quantity", "amount", "discount", "taxable_amount", "tax_rate_calculated",
	"tax_amount_calculated", "tax_amount_imported", "tax_exemption", "transaction_total_amount", "transaction_tax_liability",
	"tax_liability_source", "content_version",
}

// ExportTransactions writes the lines of a list of transactions as CSV while they are
// read. An export that cannot go on breaks the connection off, so that nobody takes
// a part for the whole.
func (s *Server) ExportTransactions(c *gin.Context, request openapi.ExportTransactionsRequest) {
	select {
	case s.exports <- struct{}{}:
		defer func() { <-s.exports }()
	default:
		WriteProblem(c, NewProblem(CodeRateLimited, "Too many exports are under way.").With("limit_type", "concurrency"))
		return
	}
	ctx, cancel := context.WithCancel(c.Request.Context())
	defer cancel()
	go func() {
		select {
		case <-s.stopping:
			cancel() // it would keep the server from ending
		case <-ctx.Done():
		}
	}()
	out := &exportBody{c: c, control: http.NewResponseController(c.Writer)}
	// The time for the request would end it. A test's writer has none.
	_ = out.control.SetReadDeadline(time.Time{})
	w := &csvWriter{to: bufio.NewWriterSize(out, exportPiece)}
	for _, name := range exportHeader {
		w.cell(name)
	}
	err := w.end()
	if err == nil {
		p := listedIn(&request.Params)
		err = s.deps.Transactions.ExportTransactions(ctx, callOf(ctx).scope, s.transactionFilter(&p), orderOf(p.OrderBy), exportRows,
			func(l *models.ExportLine) error { return writeLine(w, l) })
	}
	if err == nil {
		err = w.to.Flush()
	}
	switch {
	case err != nil && out.begun:
		s.note(c, slog.LevelWarn, "export broken off", err)
		panic(http.ErrAbortHandler)
	case err != nil:
		s.fail(c, err)
	}
}

// exportBody begins the answer with its first piece, and gives the client time for
// each.
type exportBody struct {
	c       *gin.Context
	control *http.ResponseController
	begun   bool
}

func (b *exportBody) Write(piece []byte) (int, error) {
	if !b.begun {
		b.begun = true
		header := b.c.Writer.Header()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="transactions.csv"`)
		b.c.Status(http.StatusOK)
	}
	// A writer of a test has no deadline, and needs none.
	_ = b.control.SetWriteDeadline(time.Now().Add(exportPatience))
	return b.c.Writer.Write(piece)
}

// listedIn are the parameters of the list that an export follows.
func listedIn(p *openapi.ExportTransactionsParams) openapi.ListTransactionsParams {
	return openapi.ListTransactionsParams{
		TransactionType: p.TransactionType, RelatedTo: p.RelatedTo, SearchQuery: p.SearchQuery, StateCode: p.StateCode, Country: p.Country,
		Status: p.Status, ProcessingStatusIn: p.ProcessingStatusIn, AddressStatusIn: p.AddressStatusIn, ExemptIn: p.ExemptIn,
		ConnectionIDIn: p.ConnectionIDIn, TransactionSource: p.TransactionSource, FilingID: p.FilingID, CustomerID: p.CustomerID,
		Marketplace: p.Marketplace, StartDate: p.StartDate, EndDate: p.EndDate, DateGte: p.DateGte, DateLte: p.DateLte, OrderBy: p.OrderBy,
	}
}

// writeLine writes the columns of exportHeader.
func writeLine(w *csvWriter, l *models.ExportLine) error {
	w.text(l.TransactionID)
	w.text(l.ExternalID)
	w.text(string(l.Type))
	w.text(string(l.Status))
	w.text(string(l.ProcessingStatus))
	w.cell(instant(l.Date).Format(time.RFC3339Nano))
	w.cell(l.TaxDate.Format(time.DateOnly))
	w.text(l.Currency)
	w.text(l.CustomerExternalID)
	for _, s := range []*string{l.CustomerName, l.Country, l.State, l.County, l.City, l.PostalCode} {
		w.text(valueOf(s))
	}
	w.text(string(l.AddressStatus))
	w.cell(strconv.FormatBool(l.Marketplace))
	w.text(string(l.Exempt))
	w.text(valueOf(l.RelatedTo))
	w.text(valueOf(l.FilingID))
	w.text(l.ItemID)
	w.text(valueOf(l.ItemExternalID))
	w.text(l.ExternalProductID)
	w.cell(tax.FormatQuantity(l.Quantity))
	w.cell(tax.FormatMoney(l.Amount))
	w.cell(tax.FormatMoney(l.Discount))
	w.cell(tax.FormatMoney(l.TaxableAmount))
	w.cell(tax.FormatRate(l.TaxRateCalculated))
	w.cell(tax.FormatMoney(l.TaxAmountCalculated))
	w.cell(tax.FormatMoney(l.TaxAmountImported))
	w.text(valueOf(l.TaxExemption))
	w.cell(tax.FormatMoney(l.TransactionTotal))
	w.cell(tax.FormatMoney(l.TransactionOwing))
	w.text(valueOf(l.TaxLiabilitySource))
	w.text(valueOf(l.ContentVersion))
	return w.end()
}
