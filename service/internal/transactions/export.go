package transactions

import (
	"context"
	"strconv"
	"time"

	"levy/contract"
	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/output"
	"levy/tax/money"
)

// exportRows is the largest number of rows of an export.
const exportRows = 1_000_000

// exportHeader are the names of the columns of an export.
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
	reimbursedByColumn, tradeInColumn, discountReimbursedByColumn,
	grossColumn, zoneColumn, exemptionCategoryColumn,
}

// The columns of the terms of coupon lines and discounts, and of what a sale submits about its amounts and its day.
const (
	reimbursedByColumn         = "reimbursed_by"
	tradeInColumn              = "trade_in"
	discountReimbursedByColumn = "discount_reimbursed_by"
	grossColumn                = "prices_include_tax"
	zoneColumn                 = "shop_date_tz"
	exemptionCategoryColumn    = "exemption_category"
)

// ExportTransactions writes the lines of a list of transactions as CSV. It reads a slice of rows before it writes them,
// so no query waits for the client.
func (o *Operations) ExportTransactions(
	ctx context.Context, request contract.ExportTransactionsRequest, out contract.Stream,
) error {
	return o.outputs.StreamCSV(ctx, out, "transactions.csv", exportHeader, func(ctx context.Context, w *csvfile.Writer) error {
		p := listedIn(&request.Params)
		return o.deps.Transactions.ExportTransactions(ctx, call.Of(ctx).Scope, o.transactionFilter(&p),
			convert.OrderOf(p.OrderBy), output.ExportTo(w, exportRows, writeLine))
	})
}

// listedIn returns the parameters of the list that an export writes.
func listedIn(p *contract.ExportTransactionsParams) contract.ListTransactionsParams {
	return contract.ListTransactionsParams{
		TransactionType: p.TransactionType, RelatedTo: p.RelatedTo, SearchQuery: p.SearchQuery, StateCode: p.StateCode,
		Country: p.Country,
		Status:  p.Status, ProcessingStatusIn: p.ProcessingStatusIn, AddressStatusIn: p.AddressStatusIn,
		ExemptIn:       p.ExemptIn,
		ConnectionIDIn: p.ConnectionIDIn, TransactionSource: p.TransactionSource, FilingID: p.FilingID,
		CustomerID: p.CustomerID, ReportRow: p.ReportRow,
		Marketplace: p.Marketplace, StartDate: p.StartDate, EndDate: p.EndDate, DateGte: p.DateGte, DateLte: p.DateLte,
		OrderBy: p.OrderBy,
	}
}

// writeLine writes the columns of exportHeader.
func writeLine(w *csvfile.Writer, l *models.ExportLine) error {
	w.Text(l.TransactionID)
	w.Text(l.ExternalID)
	w.Text(string(l.Type))
	w.Text(string(l.Status))
	w.Text(string(l.ProcessingStatus))
	w.Cell(convert.Instant(l.Date).Format(time.RFC3339Nano))
	w.Cell(l.TaxDate.Format(time.DateOnly))
	w.Text(l.Currency)
	w.Text(l.CustomerExternalID)
	for _, s := range []*string{l.CustomerName, l.Country, l.State, l.County, l.City, l.PostalCode} {
		w.Text(convert.ValueOf(s))
	}
	w.Text(string(l.AddressStatus))
	w.Cell(strconv.FormatBool(l.Marketplace))
	w.Text(string(l.Exempt))
	w.Text(convert.ValueOf(l.RelatedTo))
	w.Text(convert.ValueOf(l.FilingID))
	w.Text(l.ItemID)
	w.Text(convert.ValueOf(l.ItemExternalID))
	w.Text(l.ExternalProductID)
	w.Cell(money.FormatQuantity(l.Quantity))
	w.Cell(money.Format(l.Amount))
	w.Cell(money.Format(l.Discount))
	taxable, calculated, owing := l.TaxableAmount, l.TaxAmountCalculated, l.TransactionOwing
	if l.Type.IsCredit() && l.TransactionTotal.IsPos() && l.ContentVersion != nil { // as rules.WithOneSign
		taxable, calculated, owing = taxable.Neg(), calculated.Neg(), owing.Neg()
	}
	w.Cell(money.Format(taxable))
	w.Cell(money.FormatRate(l.TaxRateCalculated))
	w.Cell(money.Format(calculated))
	w.Cell(money.Format(l.TaxAmountImported))
	w.Text(convert.ValueOf(l.TaxExemption))
	w.Cell(money.Format(l.TransactionTotal))
	w.Cell(money.Format(owing))
	w.Text(convert.ValueOf(l.TaxLiabilitySource))
	w.Text(convert.ValueOf(l.ContentVersion))
	w.Cell(money.Format(l.TransactionTaxImported))
	w.Text(convert.ValueOf(l.Street))
	w.Text(string(l.ReimbursedBy))
	if l.TradeIn {
		w.Cell("true")
	} else {
		w.Cell("")
	}
	w.Text(string(l.DiscountReimbursedBy))
	w.Cell(strconv.FormatBool(l.PricesIncludeTax))
	w.Text(convert.ValueOf(l.ShopDateTZ))
	w.Text(l.ExemptionCategory)
	return w.End()
}
