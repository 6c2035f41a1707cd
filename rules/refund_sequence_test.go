package rules

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// A sale, at times with coupon lines, is refunded by any number of notes: of units, lower prices and tax alone. Some are
// cancelled again. It ends at zero: of what was sold, calculated, collected and owed, for every authority, and is fully
// refunded then. Until then no note refunds more than is left.
func TestCreditNotesOfASaleAddUpToTheSale(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(16, 3))
	for n := range 300 {
		s := newSequence(t, random, engine)
		for !s.usedUp() {
			if random.IntN(6) == 0 {
				s.giveTaxAlone(false)
			}
			s.give(s.part())
			if random.IntN(4) == 0 {
				s.cancelOne()
			}
		}
		s.giveTaxAlone(true) // that of a cancelled refund of tax
		require.Equal(t, "0.00 0.00 0.00 0.00 0.00", s.left(), "sale %d: %s", n, s.story)
		for authority, left := range s.totals() {
			require.Equal(t, "0.00 0.00 0.00 0.00 0.00", left, "sale %d to %s: %s", n, authority, s.story)
		}
		require.Equal(t, "0.00 0.00 0.00", s.countedForNexus(), "sale %d: %s", n, s.story)
		require.Equal(t, "FULLY_REFUNDED", s.status(), "sale %d: %s", n, s.story)
	}
}

// sequence is a sale with the notes that refund it.
type sequence struct {
	t       *testing.T
	random  *rand.Rand
	engine  *tax.Content
	sale    models.Transaction
	sold    models.TaxOutcome
	netsOf  []int64
	notes   []models.Transaction
	results []models.TaxOutcome
	counted []models.NexusOutcome // the sale, then the notes
	made    int                   // notes, with those that were cancelled
	story   string
}

func newSequence(t *testing.T, random *rand.Rand, engine *tax.Content) *sequence {
	s := &sequence{t: t, random: random, engine: engine, sale: sale()}
	place := engine.Resolve([]tax.Address{
		{Street1: "350 5th Ave", City: "New York", State: "NY", PostalCode: "10118", Country: "US"},
		{City: "Austin", State: "TX", PostalCode: "78701", Country: "US"},
		{City: "Montreal", State: "QC", PostalCode: "H2Y 1C6", Country: "CA"},
		{City: "Berlin", PostalCode: "10115", Country: "DE"},
		{City: "Miami", State: "FL", PostalCode: "33128", Country: "US"},
	}[random.IntN(5)])
	s.sale.Place, s.sale.TotalDiscount = &place, nothing
	s.sale.Currency = map[string]string{"US": "USD", "CA": "CAD", "DE": "EUR"}[place.Country]
	rates := Rates{}
	if random.IntN(2) == 0 {
		pair := models.CurrencyPair{From: "GBP", To: s.sale.Currency, Day: s.sale.TaxDate}
		rates[pair] = models.ConversionRate{Rate: decimal.MustNew(random.Int64N(3_000_000_000), 9), Day: pair.Day}
		s.sale.Currency = pair.From
	}
	if random.IntN(2) == 0 {
		s.oblige(place)
	}
	sub, all := int64(0), int64(0)
	for i := range 1 + random.IntN(3) {
		amount, discount, collected := random.Int64N(30000), int64(0), random.Int64N(2000)
		if random.IntN(2) == 0 && amount > 0 {
			discount = random.Int64N(amount)
		}
		if random.IntN(4) == 0 {
			collected = 0
		}
		line := ofProduct(fmt.Sprint("P-", i), money.Format(money.FromCents(amount)))
		line.ExternalID = given(fmt.Sprint("L-", i))
		line.LineNo, line.ID, line.TaxClass = i, fmt.Sprint("txi_", i),
			[]tax.TaxClass{tax.ClassPhysical, tax.ClassFood, tax.ClassService}[random.IntN(3)]
		line.TotalDiscount, line.TaxAmountImported = money.FromCents(discount), money.FromCents(collected)
		s.sale.Items = append(s.sale.Items, line)
		s.netsOf, sub, all = append(s.netsOf, amount-discount), sub+amount, all+collected
		s.sale.TotalDiscount = add(t, s.sale.TotalDiscount, line.TotalDiscount)
	}
	if random.IntN(2) == 0 {
		coupons, taxes := s.addCoupons(sub-mustCents(t, s.sale.TotalDiscount), all)
		sub, all = sub-coupons, all-taxes
	}
	if random.IntN(4) == 0 {
		all = random.Int64N(2000) // the lines do not hold all of it
	}
	s.sale.Subtotal, s.sale.TotalTaxAmountImported = money.FromCents(sub), money.FromCents(all)
	counted, err := DecideNexus(s.sale, rates, engine.Calculate)
	require.NoError(t, err)
	settings := models.OrganizationSettings{PreferCollectedTaxAmounts: random.IntN(2) == 0}
	s.sold, err = DecideTax(s.sale, settings, rates, engine.Calculate)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingProcessed, s.sold.To, s.sold.Reason)
	requireRepeated(t, engine.Calculate, s.sold.Explanation, nil, "sale")
	s.sale.NexusExemptLines, s.counted = counted.ExemptLines, []models.NexusOutcome{counted}
	for i, line := range s.sold.Lines { // as it is stored
		s.sale.Items[i].Exempt, s.sale.Items[i].TaxExemption = line.Exempt, &line.TaxExemption
	}
	again, err := CountNexus(s.sale)
	require.NoError(t, err)
	require.Equal(t, counted, again, "the exemptions of stage 4 change nothing")
	s.sale.ProcessingStatus, s.sale.TotalTaxAmountCalculated = models.ProcessingProcessed, s.sold.TaxAmount
	s.story = fmt.Sprint(place.Country, " ", s.netsOf, " collected ", s.sale.TotalTaxAmountImported)
	return s
}

// oblige lets the seller have an obligation to the state, or in Canada to the country alone.
func (s *sequence) oblige(place tax.Place) {
	from := calendar.MustDate("2020-01-01").Time()
	state := place.State
	if place.Country != "US" {
		state = place.Country
	}
	s.sale.Obligations = []models.NexusObligation{
		{ID: "nexus_1", CountryCode: place.Country, StateCode: state, Obligation: models.Obligation{From: &from}},
	}
}

// addCoupons adds coupon lines to the sale, of at most a part of what its other lines cost. Some have tax of their own,
// and somebody else pays some. It returns their amounts and tax.
func (s *sequence) addCoupons(net, collected int64) (amounts, taxes int64) {
	for i := range 1 + s.random.IntN(2) {
		amount, of := s.random.Int64N(net/3+1), nothing
		if s.random.IntN(2) == 0 {
			part := s.random.Int64N(collected/3 + 1)
			of, taxes = money.FromCents(-part), taxes+part
		}
		if amount == 0 {
			continue
		}
		product := []string{"OFF", "P-0"}[s.random.IntN(2)]
		line := ofProduct(product, money.Format(money.FromCents(-amount)))
		line.LineNo, line.ID, line.TaxClass = len(s.sale.Items), fmt.Sprint("txi_off_", i), tax.ClassPhysical
		line.TaxAmountImported, line.ExternalID = of, given(fmt.Sprint("OFF-", i))
		line.SetTerms(tax.DiscountTerms{
			ReimbursedBy: []tax.Reimburser{"", tax.ReimbursedByManufacturer}[s.random.IntN(2)], TradeIn: s.random.IntN(4) == 0,
		})
		s.sale.Items, amounts = append(s.sale.Items, line), amounts+amount
	}
	require.NoError(s.t, SpreadCoupons(s.sale.Items, s.sale.Currency))
	s.netsOf = nil
	for i := range s.sale.Items {
		left, err := s.sale.Items[i].NetAmount()
		require.NoError(s.t, err)
		s.netsOf = append(s.netsOf, mustCents(s.t, left))
	}
	return amounts, taxes
}

// account is the sale with the refunds of the notes that are not cancelled.
func (s *sequence) account() *models.CreditAccount {
	a := &models.CreditAccount{
		Sale: s.sale, Lines: map[int]models.LineCredit{}, Explanation: s.sold.Explanation, Law: s.law, Others: s.others(),
	}
	require.NoError(s.t, ReadCoupons(a, s.sold.Explanation))
	for i, n := range s.notes {
		a.Total, a.Collected = add(s.t, a.Total, n.TotalAmount.Abs()), add(s.t, a.Collected, n.TotalTaxAmountImported.Abs())
		a.Calculated = add(s.t, a.Calculated, s.results[i].TaxAmount.Abs())
		for j, item := range n.Items {
			credit := a.Lines[*item.OriginalLine]
			credit.Collected = add(s.t, credit.Collected, item.TaxAmountImported)
			credit.Calculated = add(s.t, credit.Calculated, s.results[i].Lines[j].TaxAmount.Abs())
			if n.Type != models.TypeTaxRefund {
				net, err := item.NetAmount()
				require.NoError(s.t, err)
				a.Net, credit.Amount = add(s.t, a.Net, net.Abs()), add(s.t, credit.Amount, net.Abs())
				if item.Amount.IsNeg() {
					credit.Coupons = add(s.t, credit.Coupons, item.CouponAmount().Abs())
				}
			}
			a.Lines[*item.OriginalLine] = credit
		}
	}
	return a
}

// others are the notes as an account has them. Those that are not calculated yet are calculated for it.
func (s *sequence) others() []models.Transaction {
	others := slices.Clone(s.notes)
	for i := range others {
		if s.random.IntN(2) == 0 {
			continue
		}
		others[i].ProcessingStatus, others[i].Items = models.ProcessingProcessed, slices.Clone(others[i].Items)
		for j, line := range s.results[i].Lines {
			others[i].Items[j].TaxItems = line.TaxItems
		}
	}
	return others
}

// status is the refund status of the sale after the last note.
func (s *sequence) status() string {
	last := s.notes[len(s.notes)-1]
	s.notes, s.results = s.notes[:len(s.notes)-1], s.results[:len(s.results)-1]
	a := s.account()
	a.Committed = a.CreditSums
	status, err := RefundStatus(a, &models.RefundDraft{TransactionDraft: models.TransactionDraft{Transaction: last}})
	require.NoError(s.t, err)
	return *status
}

// giveTaxAlone refunds some of the collected tax that is left, or all of it.
func (s *sequence) giveTaxAlone(all bool) {
	a := s.account()
	left, err := money.Sub(s.sale.TotalTaxAmountImported, a.Collected)
	require.NoError(s.t, err)
	creditable, err := s.sale.Creditable()
	require.NoError(s.t, err)
	rest, err := money.Sub(creditable, a.Total)
	require.NoError(s.t, err)
	amount := max(0, min(mustCents(s.t, left), mustCents(s.t, rest)))
	if !all {
		amount = s.random.Int64N(amount + 1)
	}
	if amount == 0 {
		return
	}
	line := ofProduct("P-0", "0.00")
	d := creditOf(money.Format(money.FromCents(amount)), line)
	d.Type, d.Currency, d.TotalTaxAmountImported = models.TypeTaxRefund, s.sale.Currency, money.FromCents(amount)
	d.Items[0].TaxAmountImported = money.FromCents(amount)
	s.give(d)
}

// usedUp reports whether nothing of the lines is left.
func (s *sequence) usedUp() bool {
	a := s.account()
	for i, net := range s.netsOf {
		if a.Lines[i].Amount.Cmp(money.FromCents(net)) < 0 {
			return false
		}
	}
	return len(s.notes) > 0
}

// part is the next note: parts of some lines, at times before their discounts.
func (s *sequence) part() *models.RefundDraft {
	a, d := s.account(), followingTax("0.00")
	all := s.random.IntN(4) == 0
	coupons := s.sale.Items[:0:0]
	for i := range s.sale.Items {
		if s.sale.Items[i].Amount.IsNeg() {
			coupons = append(coupons, s.sale.Items[i])
			continue
		}
		left, err := money.Sub(money.FromCents(s.netsOf[i]), a.Lines[i].Amount)
		require.NoError(s.t, err)
		amount, err := money.Cents(left)
		require.NoError(s.t, err)
		switch {
		case all && s.random.IntN(2) == 0:
			amount = mustCents(s.t, s.sale.Items[i].Amount) // as its price was
		case all || amount == 0:
		default:
			amount = s.random.Int64N(amount + 1)
		}
		line := ofProduct(s.sale.Items[i].ExternalProductID, money.Format(money.FromCents(amount)))
		line.LineNo, line.ID, line.TaxClass = i, fmt.Sprint("txi_", len(s.notes), "_", i), s.sale.Items[i].TaxClass
		line.ExternalID = s.sale.Items[i].ExternalID
		if s.random.IntN(3) == 0 && !all {
			line.Quantity = decimal.Zero // a lower price
		}
		d.Items = append(d.Items, line)
	}
	s.addCouponsOf(d, coupons)
	creditable, err := s.sale.Creditable()
	require.NoError(s.t, err)
	left, err := money.Sub(creditable, a.Total)
	require.NoError(s.t, err)
	d.Subtotal, d.Currency = nothing, s.sale.Currency
	for _, i := range d.Items {
		d.Subtotal = add(s.t, d.Subtotal, i.Amount)
	}
	d.TotalAmount = left
	require.Empty(s.t, matchLines(a, d))
	require.NoError(s.t, limitLines(a, d))
	sum := netOf(s.t, d)
	shares, _, err := sharesOfLines(a, d, true)
	require.NoError(s.t, err)
	taxes := nothing
	for _, share := range shares {
		taxes = add(s.t, taxes, share)
	}
	sum = add(s.t, sum, taxes.Min(nothing.Max(add(s.t, s.sale.TotalTaxAmountImported, a.Collected.Neg()))))
	d.TotalAmount = sum.Min(left)
	if add(s.t, a.Net, netOf(s.t, d)).CmpAbs(netOf(s.t, &models.RefundDraft{
		TransactionDraft: models.TransactionDraft{Transaction: s.sale},
	})) == 0 {
		d.TotalAmount = left
	}
	return d
}

// addCouponsOf lets coupon lines come back with a note, at times all of them, at times a part.
func (s *sequence) addCouponsOf(d *models.RefundDraft, coupons []models.TransactionItem) {
	goods := int64(0)
	for i := range d.Items {
		goods += mustCents(s.t, d.Items[i].Amount)
	}
	for _, of := range coupons {
		amount := -mustCents(s.t, of.Amount)
		if s.random.IntN(2) == 0 {
			amount = s.random.Int64N(amount + 1)
		}
		if amount = min(amount, goods/2); amount == 0 || s.random.IntN(2) == 0 {
			continue
		}
		goods -= amount
		line := ofProduct(of.ExternalProductID, money.Format(money.FromCents(-amount)))
		line.LineNo, line.ID, line.TaxClass = len(d.Items), fmt.Sprint("txi_", s.made, "_", len(d.Items)), of.TaxClass
		line.ExternalID = of.ExternalID
		d.Items = append(d.Items, line)
	}
}

// give admits a note and calculates it.
func (s *sequence) give(d *models.RefundDraft) {
	a := s.account()
	err := AdmitRefund(a, d)
	if invalid := (&models.InvalidError{}); errors.As(err, &invalid) {
		s.story += fmt.Sprint(invalid.Faults, d.TotalAmount, d.Items[0].Amount)
	}
	require.NoError(s.t, err, s.story)
	note := d.Transaction
	s.made++
	note.ID, note.TaxDate, note.Place, note.Obligations = fmt.Sprintf("txn_%03d", s.made),
		s.sale.TaxDate.AddDate(0, 0, 1), s.sale.Place, s.sale.Obligations
	note.Original = s.original(len(s.notes))
	outcome, err := DecideRefund(note, nil, s.law)
	require.NoError(s.t, err)
	requireRepeated(s.t, s.engine.Calculate, s.sold.Explanation, outcome.Explanation, s.story)
	note.Original.NexusExemptLines = s.sale.NexusExemptLines
	counted, err := DecideNexus(note, nil, func(tax.Request) (tax.Result, error) {
		require.Fail(s.t, "a note is taxed like its sale, whatever the law of its day")
		return tax.Result{}, nil
	})
	require.NoError(s.t, err)
	s.notes, s.results, s.counted = append(s.notes, note), append(s.results, outcome), append(s.counted, counted)
	s.story += fmt.Sprint("; ", note.Subtotal, "-", note.TotalDiscount, " collected ", note.TotalTaxAmountImported,
		" tax ", outcome.TaxAmount)
}

// law is that of the sale, for lower prices.
func (s *sequence) law(string) (func(tax.Request) (tax.Result, error), error) {
	return s.engine.Calculate, nil
}

// original is the sale with what the first notes took that are not cancelled.
func (s *sequence) original(notes int) *models.Original {
	net, err := NetSales(s.sale, decimal.One)
	require.NoError(s.t, err)
	original := &models.Original{
		ID: s.sale.ID, Items: s.sale.Items, Imported: s.sale.Items, Explanation: s.sold.Explanation, ProcessingStatus: models.ProcessingProcessed,
		SoldTotals: slices.Clone(s.sold.Totals), Sold: models.ReturnAmounts{
			Sales: net, Taxable: s.sold.TaxableAmount, Tax: s.sold.TaxAmount,
			Collected: s.sale.TotalTaxAmountImported, Liability: s.sold.LiabilityAmount,
		},
	}
	for i, note := range s.notes[:notes] {
		note.Original = original
		require.NoError(s.t, CountRefund(note, s.results[i]))
	}
	return original
}

func (s *sequence) cancelOne() {
	i := s.random.IntN(len(s.notes))
	s.story += fmt.Sprint("; without the one of ", s.notes[i].Subtotal)
	s.notes = append(s.notes[:i:i], s.notes[i+1:]...)
	s.results = append(s.results[:i:i], s.results[i+1:]...)
	s.counted = append(s.counted[:i+1:i+1], s.counted[i+2:]...)
	for i < len(s.notes) { // those committed later are decided anew
		note := s.notes[i]
		note.Original = s.original(i)
		var err error
		s.results[i], err = DecideRefund(note, nil, s.law)
		require.NoError(s.t, err)
		i++
	}
}

// left is the rest of the sale: sold, taxable, calculated, collected and owed.
func (s *sequence) left() string {
	net, err := money.Sub(s.sale.Subtotal, s.sale.TotalDiscount)
	require.NoError(s.t, err)
	sums := []decimal.Decimal{net, s.sold.TaxableAmount, s.sold.TaxAmount, s.sale.TotalTaxAmountImported,
		s.sold.LiabilityAmount}
	for i, n := range s.notes {
		back, err := money.Sub(n.Subtotal, n.TotalDiscount)
		require.NoError(s.t, err)
		for j, amount := range []decimal.Decimal{
			back.Neg(), s.results[i].TaxableAmount, s.results[i].TaxAmount, n.TotalTaxAmountImported.Neg(),
			s.results[i].LiabilityAmount,
		} {
			sums[j] = add(s.t, sums[j], amount)
		}
	}
	return words(sums)
}

// countedForNexus is the rest for nexus: sold, of that exempt, and collected.
func (s *sequence) countedForNexus() string {
	sums := zeros(3)
	for _, outcome := range s.counted {
		for _, c := range outcome.Contributions {
			for j, amount := range []decimal.Decimal{c.Amount, c.ExemptAmount, c.CollectedTax} {
				sums[j] = add(s.t, sums[j], amount)
			}
		}
	}
	return words(sums)
}

// totals is the rest for each authority.
func (s *sequence) totals() map[string]string {
	sums := map[string][]decimal.Decimal{}
	for _, outcome := range append([]models.TaxOutcome{s.sold}, s.results...) {
		for _, a := range outcome.Totals {
			sum := sums[a.CountryCode+a.StateCode]
			if sum == nil {
				sum = zeros(5)
			}
			for j, amount := range []decimal.Decimal{a.Sales, a.Taxable, a.Tax, a.Collected, a.Liability} {
				sum[j] = add(s.t, sum[j], amount)
			}
			sums[a.CountryCode+a.StateCode] = sum
		}
	}
	left := map[string]string{}
	for name, sum := range sums {
		left[name] = words(sum)
	}
	return left
}

func netOf(t *testing.T, d *models.RefundDraft) decimal.Decimal {
	t.Helper()
	net, err := netOfRefund(d)
	require.NoError(t, err)
	return net
}

func words(amounts []decimal.Decimal) (text string) {
	for i, amount := range amounts {
		if i > 0 {
			text += " "
		}
		text += money.Format(amount)
	}
	return text
}

func add(t *testing.T, a, b decimal.Decimal) decimal.Decimal {
	t.Helper()
	sum, err := money.Add(a, b)
	require.NoError(t, err)
	return sum
}

func mustCents(t *testing.T, amount decimal.Decimal) int64 {
	t.Helper()
	cents, err := money.Cents(amount)
	require.NoError(t, err)
	return cents
}
