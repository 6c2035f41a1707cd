package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// history is a sale with its refunds, as stage 4 decides them.
type history struct {
	t        *testing.T
	engine   *tax.Content
	sale     models.Transaction
	settings models.OrganizationSettings
	rates    Rates
	sold     models.TaxOutcome
	refunds  []*refundOf
	made     int
}

// refundOf is a refund with its decision. A locked one is not decided again.
type refundOf struct {
	models.Transaction
	outcome models.TaxOutcome
	locked  bool
}

var (
	inHouston = tax.Address{Street1: "1 Main St", City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}
	inBC      = tax.Address{City: "Vancouver", State: "BC", PostalCode: "V6B 1A1", Country: "CA"}
)

// newHistory sells lines at a place, each with its amount and collected tax. The organization has obligations to states.
func newHistory(t *testing.T, engine *tax.Content, at tax.Address, lines [][2]string, states ...string) *history {
	t.Helper()
	h := &history{t: t, engine: engine, sale: sale()}
	place := engine.Resolve(at)
	h.sale.ID, h.sale.Place = "txn_sale", &place
	h.sale.Currency = map[string]string{"US": "USD", "CA": "CAD", "DE": "EUR"}[place.Country]
	h.sale.Subtotal, h.sale.TotalDiscount, h.sale.TotalTaxAmountImported = nothing, nothing, nothing
	for i, l := range lines {
		line := ofProduct(fmt.Sprint("P-", i), l[0])
		line.LineNo, line.ID, line.TaxClass, line.TaxAmountImported = i, fmt.Sprint("txi_", i), tax.ClassPhysical, amountOf(l[1])
		h.sale.Items = append(h.sale.Items, line)
		h.sale.Subtotal = add(t, h.sale.Subtotal, line.Amount)
		h.sale.TotalTaxAmountImported = add(t, h.sale.TotalTaxAmountImported, line.TaxAmountImported)
	}
	h.sale = obliged(h.sale, "2020-01-01", states...)
	h.sell()
	return h
}

// sell decides the sale, and then its refunds again.
func (h *history) sell() {
	h.t.Helper()
	h.sale.Refunds = h.decided(len(h.refunds))
	var err error
	h.sold, err = DecideTax(h.sale, h.settings, h.rates, h.engine.Calculate)
	require.NoError(h.t, err)
	require.Equal(h.t, models.ProcessingProcessed, h.sold.To, h.sold.Reason)
	h.sale.ProcessingStatus, h.sale.TotalTaxAmountCalculated = models.ProcessingProcessed, h.sold.TaxAmount
	h.decideFrom(0)
}

// decideFrom decides refunds again, those that are not locked, in the order of their commitment.
func (h *history) decideFrom(first int) {
	h.t.Helper()
	for i := first; i < len(h.refunds); i++ {
		r := h.refunds[i]
		if r.locked {
			continue
		}
		r.Original = h.original(i)
		var err error
		r.outcome, err = DecideRefund(r.Transaction, nil, noLaw)
		require.NoError(h.t, err)
		require.Equal(h.t, models.ProcessingProcessed, r.outcome.To, r.outcome.Reason)
		requireRepeated(h.t, h.engine.Calculate, h.sold.Explanation, r.outcome.Explanation, r.ID)
	}
}

// original is the sale as a refund finds it: the first refunds are decided.
func (h *history) original(n int) *models.Original {
	h.t.Helper()
	sale := withNetPrices(h.sale, &h.sold)
	net, err := NetSales(sale, decimal.One)
	require.NoError(h.t, err)
	return &models.Original{
		ID: h.sale.ID, Items: sale.Items, Explanation: h.sold.Explanation, ProcessingStatus: models.ProcessingProcessed,
		SoldTotals: h.sold.Totals, Imported: h.sale.Items, Refunds: h.decided(n), Sold: models.ReturnAmounts{
			Sales: net, Taxable: h.sold.TaxableAmount, Tax: h.sold.TaxAmount,
			Collected: h.sale.TotalTaxAmountImported, Liability: h.sold.LiabilityAmount,
		},
	}
}

// decided lists the refunds as they are stored, of which the first and those in returns are decided.
func (h *history) decided(n int) []models.DecidedRefund {
	h.t.Helper()
	list := make([]models.DecidedRefund, len(h.refunds))
	for i, r := range h.refunds {
		stored := withNetPrices(r.Transaction, &r.outcome)
		for i := range r.outcome.Lines {
			stored.Items[i].TaxAmountCalculated = r.outcome.Lines[i].TaxAmount
		}
		amounts, err := amountsOf(stored, r.outcome.TaxableAmount, r.outcome.TaxAmount, r.outcome.LiabilityAmount)
		require.NoError(h.t, err)
		list[i] = models.DecidedRefund{
			ID: r.ID, CommittedAt: time.Unix(int64(h.committed(r)), 0), Locked: r.locked, Calculated: i < n || r.locked,
			ReturnAmounts: amounts, Totals: r.outcome.Totals, Items: refundedLines(stored, r.outcome),
		}
	}
	return list
}

// committed is the place of a refund in the order of commitment.
func (h *history) committed(r *refundOf) int { return slices.Index(h.refunds, r) }

// refund commits a refund of lines of the sale, each with its line, amount and collected tax.
func (h *history) refund(kind models.TransactionType, lines ...[3]string) *refundOf {
	h.t.Helper()
	h.made++
	note := h.sale
	note.ID, note.Type, note.TaxDate = fmt.Sprintf("txn_%03d", h.made), kind, h.sale.TaxDate.AddDate(0, 0, 1)
	note.Status, note.Items, note.Refunds = models.StatusCommitted, nil, nil
	note.Subtotal, note.TotalTaxAmountImported = nothing, nothing
	for i, l := range lines {
		line := ofProduct("P-"+l[0], l[1])
		line.LineNo, line.ID, line.TaxAmountImported = i, fmt.Sprint("txi_", h.made, "_", i), amountOf(l[2])
		at := 0
		_, err := fmt.Sscan(l[0], &at)
		require.NoError(h.t, err)
		line.OriginalLine = &at
		note.Items = append(note.Items, line)
		note.Subtotal = add(h.t, note.Subtotal, line.Amount)
		note.TotalTaxAmountImported = add(h.t, note.TotalTaxAmountImported, line.TaxAmountImported)
	}
	if h.sale.PricesIncludeTax() {
		note.GrossAmount = &note.Subtotal
		NotePrices(&note)
	}
	r := &refundOf{Transaction: note}
	h.refunds = append(h.refunds, r)
	h.decideFrom(len(h.refunds) - 1)
	return r
}

func (h *history) credit(lines ...[3]string) *refundOf {
	h.t.Helper()
	return h.refund(models.TypePartialCreditNote, lines...)
}

// cancel cancels a refund. Those that were committed after it are decided again.
func (h *history) cancel(r *refundOf) {
	h.t.Helper()
	i := slices.Index(h.refunds, r)
	h.refunds = slices.Delete(h.refunds, i, i+1)
	h.decideFrom(i)
}

// documents are the decisions that count.
func (h *history) documents() []models.TaxOutcome {
	all := []models.TaxOutcome{h.sold}
	for _, r := range h.refunds {
		all = append(all, r.outcome)
	}
	return all
}

// owed is the sum of the liabilities.
func (h *history) owed() string {
	h.t.Helper()
	sum := nothing
	for _, o := range h.documents() {
		sum = add(h.t, sum, o.LiabilityAmount)
	}
	return money.Format(sum)
}

// owedAtPlaces adds up what is owed to an authority by place, as readers of the totals find it.
func (h *history) owedAtPlaces(state string) map[string]string {
	h.t.Helper()
	var sums placeTaxes
	for _, o := range h.documents() {
		i := slices.IndexFunc(o.Totals, func(t models.AuthorityTotal) bool { return t.StateCode == state })
		require.GreaterOrEqual(h.t, i, 0)
		total, taxes := &o.Totals[i], make(documentTaxes, len(authoritiesOf(h.sale)))
		require.NoError(h.t, taxes.addItems(itemsOf(o)))
		of := saidAt{places: sums}
		require.NoError(h.t, of.addPlaces(total, taxes[min(i, len(taxes)-1)]))
		sums = of.places
		if total.Places != nil {
			require.Equal(h.t, money.Format(total.Liability), money.Format(sumOfPlaces(h.t, total.Places)))
		}
	}
	owed := map[string]string{}
	for _, p := range sums {
		if !p.amount.IsZero() {
			owed[p.kind+" "+p.name] = money.Format(p.amount)
		}
	}
	return owed
}

// itemsOf returns the lines of a decision with their tax lines.
func itemsOf(o models.TaxOutcome) (items []models.TransactionItem) {
	for _, l := range o.Lines {
		items = append(items, models.TransactionItem{TaxItems: l.TaxItems})
	}
	return items
}

func sumOfPlaces(t *testing.T, places []models.OwedPlace) decimal.Decimal {
	t.Helper()
	sum := nothing
	for _, p := range places {
		sum = add(t, sum, p.Amount)
	}
	return sum
}

// explained are the amounts that the explanation of a refund names.
func (r *refundOf) explained(t *testing.T) string {
	t.Helper()
	var e struct {
		Original struct {
			Before string `json:"owed_before"`
			After  string `json:"owed_after"`
		}
	}
	require.NoError(t, json.Unmarshal(r.outcome.Explanation, &e))
	return e.Original.Before + " " + e.Original.After
}
