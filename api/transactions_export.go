package api

import (
	"context"
	"strconv"
	"time"

	"levy/contract"
	"levy/models"
	"levy/tax/money"
)

// exportRows is the largest number of rows of an export.
const exportRows = 1_000_000

// exportHeader names the columns of an export.
var exportHeader = []string{
	"transaction_id", "external_id", "type", "status", "processing_status", "date", "tax_date", "currency",
	"customer_external_id", "customer_name",
	"country", "state", "county", "city", "postal_code", "address_status", "marketplace", "exempt", "related_to",
	"filing_id",
	"item_id", "item_external_id", "external_product_id", "quantity", "amount", "discount", "taxable_amount",
	"tax_rate_calculated",
	"tax_amount_calculated", "tax_amount_imported", "tax_exemption", "transaction_total_amount",
	"transaction_tax_liability",
	"tax_liability_source", "content_version", "transaction_tax_amount_imported", "street_1",
}

// ExportTransactions writes the lines of a list of transactions as CSV, slice by slice: while one is
// read, nobody waits for the client.
func (s *Server) ExportTransactions(
	ctx context.Context, request contract.ExportTransactionsRequest, out contract.Stream,
) error {
	return s.outputs.streamCSV(ctx, out, "transactions.csv", exportHeader, func(ctx context.Context, w *csvWriter) error {
		p := listedIn(&request.Params)
		return s.deps.Transactions.ExportTransactions(ctx, callOf(ctx).scope, s.transactionFilter(&p),
			orderOf(p.OrderBy), exportTo(w, exportRows, writeLine))
	})
}

// listedIn are the parameters of the list that an export follows.
func listedIn(p *contract.ExportTransactionsParams) contract.ListTransactionsParams {
	return contract.ListTransactionsParams{
		TransactionType: p.TransactionType, RelatedTo: p.RelatedTo, SearchQuery: p.SearchQuery, StateCode: p.StateCode,
		Country: p.Country,
		Status:  p.Status, ProcessingStatusIn: p.ProcessingStatusIn, AddressStatusIn: p.AddressStatusIn,
		ExemptIn:       p.ExemptIn,
		ConnectionIDIn: p.ConnectionIDIn, TransactionSource: p.TransactionSource, FilingID: p.FilingID,
		CustomerID:  p.CustomerID,
		Marketplace: p.Marketplace, StartDate: p.StartDate, EndDate: p.EndDate, DateGte: p.DateGte, DateLte: p.DateLte,
		OrderBy: p.OrderBy,
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
	w.cell(money.FormatQuantity(l.Quantity))
	w.cell(money.Format(l.Amount))
	w.cell(money.Format(l.Discount))
	taxable, calculated, owing := l.TaxableAmount, l.TaxAmountCalculated, l.TransactionOwing
	if l.Type.IsCredit() && l.TransactionTotal.IsPos() && l.ContentVersion != nil { // as rules.WithOneSign
		taxable, calculated, owing = taxable.Neg(), calculated.Neg(), owing.Neg()
	}
	w.cell(money.Format(taxable))
	w.cell(money.FormatRate(l.TaxRateCalculated))
	w.cell(money.Format(calculated))
	w.cell(money.Format(l.TaxAmountImported))
	w.text(valueOf(l.TaxExemption))
	w.cell(money.Format(l.TransactionTotal))
	w.cell(money.Format(owing))
	w.text(valueOf(l.TaxLiabilitySource))
	w.text(valueOf(l.ContentVersion))
	w.cell(money.Format(l.TransactionTaxImported))
	w.text(valueOf(l.Street))
	return w.end()
}
