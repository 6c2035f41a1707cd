package report

import (
	"cmp"
	"fmt"
	"strconv"

	"levy/tax/calendar"
	"levy/tax/money"
)

// Difference is a wrong value in a report. Where names the member, such as "totals.amount", or a transaction by its id.
type Difference struct {
	Where, Stated, Found string
}

// MaxDifferences is the most listed differences. The first ones lead to the others.
const MaxDifferences = 100

// Result is the result of a check.
type Result struct {
	Hash         string // the computed hash, in hexadecimal
	Transactions int64
	Differences  []Difference // the first 100
	Truncated    bool         // there are more differences
}

// Same reports whether there is no difference.
func (v *Result) Same() bool { return len(v.Differences) == 0 }

// Add adds a difference.
func (v *Result) Add(d Difference) {
	if len(v.Differences) == MaxDifferences {
		v.Truncated = true
		return
	}
	v.Differences = append(v.Differences, d)
}

// Compare adds a difference if the stated value is not the found one.
func (v *Result) Compare(where, stated, found string) {
	if stated != found {
		v.Add(Difference{where, stated, found})
	}
}

// Check computes everything that follows from the transactions of a report again: its hash, its totals and its counts.
type Check struct {
	head   *Head
	hash   *Hash
	result Result
	last   string // the id of the previous transaction

	sales, taxable, calculated, collected, liability money.Total
	counted, marketplace                             int64
}

// NewCheck begins the check of a report.
func NewCheck(h *Head) (*Check, error) {
	hash, err := NewHash(h)
	return &Check{head: h, hash: hash}, err
}

// Transaction adds a transaction of the report. Errors: tax.ErrFormat, tax.ErrPrecision
// and tax.ErrOverflow of its amounts.
func (c *Check) Transaction(t *Transaction) error {
	c.result.Transactions++
	if t.ID <= c.last {
		c.result.Add(Difference{"order of " + t.ID, "after " + c.last, "not after it"})
	}
	c.last = t.ID
	for _, add := range []struct {
		to     *money.Total
		amount string
	}{
		{&c.sales, t.NetAmount}, {&c.taxable, t.TaxableAmount}, {&c.calculated, t.TaxCalculated},
		{&c.collected, t.TaxCollected}, {&c.liability, t.TaxLiability},
	} {
		if err := addTo(add.to, add.amount); err != nil {
			return fmt.Errorf("transaction %s: %w", t.ID, err)
		}
	}
	if t.Marketplace {
		c.marketplace++
	} else {
		c.counted++
	}
	return c.hash.Transaction(t)
}

// Result ends the check and returns its result.
func (c *Check) Result() (*Result, error) {
	var err error
	if c.result.Hash, err = c.hash.Sum(); err != nil {
		return nil, err
	}
	v, t := &c.result, &c.head.Totals
	if c.head.Hash != nil {
		v.Compare("report_hash", *c.head.Hash, v.Hash)
	}
	if c.head.Filing.Category == string(calendar.FilingPrepayment) && c.result.Transactions == 0 {
		return v, nil // it claims none: its totals are those of its days when it was approved
	}
	v.Compare("totals.amount_sales", t.AmountSales, c.sales.String())
	v.Compare("totals.total_taxable_sales", t.TotalTaxableSales, c.taxable.String())
	v.Compare("totals.amount_calculated", t.AmountCalculated, c.calculated.String())
	v.Compare("totals.amount_tax_collected", t.AmountTaxCollected, c.collected.String())
	v.Compare("totals.total_tax_liability", t.TotalTaxLiability, c.liability.String())
	v.Compare("totals.transaction_count", strconv.FormatInt(t.TransactionCount, 10), strconv.FormatInt(c.counted, 10))
	v.Compare(
		"totals.marketplace_transaction_count", strconv.FormatInt(t.MarketplaceTransactionCount, 10),
		strconv.FormatInt(c.marketplace, 10),
	)
	if err := c.amounts(); err != nil {
		return nil, err
	}
	return v, nil
}

// amounts checks the sums within the totals.
func (c *Check) amounts() error {
	t := &c.head.Totals
	var amount, off, jurisdictions, calculated money.Total
	for _, plus := range []string{
		t.TotalTaxLiability, t.AmountAdjusted, t.AmountFees, t.AmountPenalties, given(t.AmountCreditCarried),
	} {
		if err := addTo(&amount, plus); err != nil {
			return fmt.Errorf("totals: %w", err)
		}
	}
	for _, minus := range []string{
		t.AmountDiscounts, given(t.AmountPrepaid), given(t.AmountCreditApplied), given(t.AmountDeferred),
	} {
		if err := addTo(&off, minus); err != nil {
			return fmt.Errorf("totals: %w", err)
		}
	}
	amount, err := amount.Minus(off)
	if err != nil {
		return fmt.Errorf("totals: %w", err)
	}
	for _, j := range c.head.Jurisdictions {
		if err := addTo(&jurisdictions, j.TaxAmount); err != nil {
			return fmt.Errorf("jurisdiction %s: %w", j.Name, err)
		}
		if j.TaxCalculated == nil {
			continue
		}
		if err := addTo(&calculated, *j.TaxCalculated); err != nil {
			return fmt.Errorf("jurisdiction %s: %w", j.Name, err)
		}
	}
	c.result.Compare("totals.amount", t.Amount, amount.String())
	if all := c.head.Jurisdictions; len(all) > 0 && all[0].TaxCalculated == nil { // an early report
		c.result.Compare("sum of jurisdictions", jurisdictions.String(), c.calculated.String())
		return nil
	}
	c.result.Compare("sum of jurisdictions", jurisdictions.String(), c.liability.String())
	c.result.Compare("calculated sum of jurisdictions", calculated.String(), c.calculated.String())
	return nil
}

// given returns an amount that a report may omit.
func given(amount string) string { return cmp.Or(amount, "0.00") }

// addTo adds an amount to a sum, exactly. Errors: those of money.ParseTotal and money.Total.Plus.
func addTo(sum *money.Total, amount string) error {
	plus, err := money.ParseTotal(amount)
	if err != nil {
		return err
	}
	*sum, err = sum.Plus(plus)
	return err
}
