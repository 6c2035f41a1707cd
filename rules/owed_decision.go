package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// document is what a transaction owes, and what its document owes with it: a sale and the refunds that were decided
// before. An ordinary sale is the whole document.
type document struct {
	terms    *owedTerms
	after    judged // the document
	change   judged // the transaction by itself
	taxables []decimal.Decimal
	said     []decidedDocument // the other documents
	net      documentTaxes     // all tax lines; nil without other documents
	imported []models.TransactionItem
	capped   bool // it would add to what is owed, but a refund adds nothing
}

// owe decides what a sale owes. Refunds in a return are not decided again: the sale owes what they leave to it. Errors:
// money.ErrOverflow.
func (c *calculation) owe(t models.Transaction, settings models.OrganizationSettings) (err error) {
	authorities := authoritiesOf(t)
	w := document{imported: t.Items}
	var taxes []decimal.Decimal
	if taxes, w.taxables, err = taxesOf(c.result, authorities); err != nil {
		return err
	}
	o := obligationOf(t)
	w.terms = termsOf(t, o, authorities, taxes)
	sums := taxSums{calculated: taxes, collected: t.TotalTaxAmountImported.Pad(2)} // zero loses its decimals
	if sums.named, err = namedBy(t.Items, authorities); err != nil {
		return err
	}
	w.after = judged{calculated: taxes}
	if w.after.collected, err = w.terms.collectedBy(sums); err != nil {
		return err
	}
	w.terms.decideCases(t.Marketplace, settings.PreferCollectedTaxAmounts, w.after.collected)
	if err = w.after.settle(w.terms); err != nil {
		return err
	}
	w.change = w.after
	c.owes = liability{
		Amount: w.after.sum, CollectedAmount: sums.collected, CalculatedAmount: c.result.Tax,
		NexusID: given(o.NexusID), NexusStatus: given(o.NexusStatus), ObligationStartDate: given(o.StartDate),
		Marketplace: t.Marketplace,
	}
	if err = c.owes.describe(w.terms, w.after); err != nil {
		return err
	}
	c.document = &w
	if slices.ContainsFunc(t.Refunds, settled) {
		return c.leaveToSale(t, sums)
	}
	return nil
}

// settled reports whether a refund is in a return, and so is not decided again.
func settled(r models.DecidedRefund) bool { return r.Locked && r.Calculated }

// leaveToSale lets a sale take the difference between what its document owes and what its locked refunds say. Errors:
// money.ErrOverflow.
func (c *calculation) leaveToSale(t models.Transaction, sums taxSums) (err error) {
	w := c.document
	w.net = make(documentTaxes, len(w.terms.authorities))
	if err = w.net.addResult(&c.result, w.terms.authorities); err != nil {
		return err
	}
	amount := nothing
	for i := range t.Refunds {
		r := &t.Refunds[i]
		if !settled(*r) {
			continue
		}
		if sums, err = w.take(sums, r); err != nil {
			return err
		}
		if amount, err = money.Add(amount, r.Liability); err != nil {
			return err
		}
	}
	if w.after, err = w.terms.judge(sums); err != nil {
		return err
	}
	if c.owes.Amount, err = money.Sub(w.after.sum, amount); err != nil {
		return err
	}
	c.owes.Rule += " Refunds of it are in returns: the sale owes what they leave of the whole document."
	w.change.owed, err = sharesOf(c.owes.Amount, w.change.owed, w.change.sum)
	return err
}

// take counts a decided refund. It returns the taxes that the refund leaves. Errors: money.ErrOverflow.
func (w *document) take(sums taxSums, r *models.DecidedRefund) (taxSums, error) {
	of, taxes, err := sumsOfRefund(r, w.terms.authorities)
	if err != nil {
		return sums, err
	}
	if err := w.net.addItems(r.Items); err != nil {
		return sums, err
	}
	w.said = append(w.said, decidedDocument{totals: r.Totals, taxes: taxes})
	return sums.less(of)
}

// oweRefund decides what a refund takes off what is owed. That is what its sale and the refunds before it say, less what
// the document owes after it. Errors: money.ErrOverflow.
func (c *calculation) oweRefund(t models.Transaction, sold *explanation) (err error) {
	o := t.Original
	authorities := authoritiesOf(t)
	w := document{imported: o.Imported, net: make(documentTaxes, len(authorities))}
	c.document = &w
	ofSale := make(documentTaxes, len(authorities))
	if err = ofSale.addSold(&sold.Explanation); err != nil {
		return err
	}
	if err = w.net.addSold(&sold.Explanation); err != nil {
		return err
	}
	sums := taxSums{collected: o.Sold.Collected}
	if sums.calculated, err = ofSale.sums(); err != nil {
		return err
	}
	if sums.named, err = namedBy(o.Imported, authorities); err != nil {
		return err
	}
	w.terms = termsOfSold(sold, o, authorities, sums.calculated)
	w.said = append(w.said, decidedDocument{totals: o.SoldTotals, taxes: ofSale})
	for i := range o.Refunds {
		if sums, err = w.take(sums, &o.Refunds[i]); err != nil {
			return err
		}
	}
	before, err := w.terms.judge(sums)
	if err != nil {
		return err
	}
	own := taxSums{collected: t.TotalTaxAmountImported}
	if own.calculated, w.taxables, err = taxesOf(c.result, authorities); err != nil {
		return err
	}
	if own.named, err = namedBy(t.Items, authorities); err != nil {
		return err
	}
	if err = w.net.addResult(&c.result, authorities); err != nil {
		return err
	}
	if sums, err = sums.less(own); err != nil {
		return err
	}
	if w.after, err = w.terms.judge(sums); err != nil {
		return err
	}
	if w.change, err = w.after.since(before); err != nil {
		return err
	}
	w.change.calculated = own.calculated
	return c.takeOff(t, sold.Liability)
}

// takeOff writes the liability of a refund. Errors: money.ErrOverflow.
func (c *calculation) takeOff(t models.Transaction, sold liability) (err error) {
	w := c.document
	c.owes = sold
	l := &c.owes
	l.Case, l.Authorities = w.terms.cases[0], nil
	l.CollectedAmount, l.CalculatedAmount = Signed(t.Type, t.TotalTaxAmountImported), c.result.Tax
	if l.Amount, err = money.Sub(w.after.sum, t.Original.Left.Liability); err != nil {
		return err
	}
	l.Amount = l.Amount.Pad(2)
	// guard: liability: a refund adds nothing to what is owed
	if l.Amount.IsPos() && !w.terms.unmatched {
		l.Amount, w.capped = nothing, true
	}
	c.original.OwedBefore, c.original.OwedAfter = t.Original.Left.Liability.Pad(2), w.after.sum
	l.Rule = "The sale and its refunds owed " + money.Format(c.original.OwedBefore) + ". With this refund they owe " +
		money.Format(w.after.sum) + ": the difference is not owed any more."
	if l.Amount.IsZero() {
		l.Rule = "The sale and its refunds owe " + money.Format(w.after.sum) + ", as before this refund."
	}
	obliged, collects := nothing, false
	for i, c := range w.terms.cases {
		if w.terms.obliged[i] && c == caseLarger {
			if obliged, err = money.Add(obliged, w.change.calculated[i]); err != nil {
				return err
			}
		}
		collects = collects || c == casePreferred || c == caseHandedOver && len(w.terms.cases) == 1
	}
	l.Source = models.LiabilityCalculated
	if collects || l.Amount.Cmp(obliged) != 0 {
		l.Source = models.LiabilityCollected
	}
	return nil
}

// termsOfSold returns how a sale owes tax, as its explanation says. An explanation of an earlier release names no case:
// its source, and what it owes to each authority, tell it.
func termsOfSold(
	sold *explanation, o *models.Original, authorities []tax.Authority, calculated []decimal.Decimal,
) *owedTerms {
	terms := &owedTerms{
		authorities: authorities, obliged: make([]bool, len(authorities)), cases: make([]owedCase, len(authorities)),
		sold: calculated, imported: !o.Sold.Collected.IsZero(), unmatched: onlyBelow(&sold.Explanation),
	}
	l := &sold.Liability
	for i, a := range authorities {
		switch {
		case len(l.Authorities) == len(authorities):
			terms.cases[i], terms.obliged[i] = l.Authorities[i].Case, l.Authorities[i].Obligation
		case l.Case != 0:
			terms.cases[i] = l.Case
			terms.obliged[i] = l.Case == casePreferred || l.Case == caseLarger
		case l.Marketplace:
			terms.cases[i] = caseMarketplace
		case l.Source == models.LiabilityCollected:
			terms.cases[i] = caseHandedOver
		case owedOnceTo(a, o.SoldTotals, calculated[i], l):
			terms.cases[i], terms.obliged[i] = caseLarger, true
		default:
			terms.cases[i] = caseNothing
		}
	}
	return terms
}

// owedOnceTo reports whether a sale of an earlier release owed its calculated tax to an authority.
func owedOnceTo(a tax.Authority, totals []models.AuthorityTotal, calculated decimal.Decimal, l *liability) bool {
	if calculated.IsZero() || len(totals) == 0 {
		return l.NexusStatus != nil && l.ObligationStartDate != nil || !l.Amount.IsZero()
	}
	a = asRegistered(a)
	for i := range totals {
		if totals[i].CountryCode == a.Country && totals[i].StateCode == a.State {
			return !totals[i].Liability.IsZero()
		}
	}
	return false
}

// onlyBelow reports whether the lines of a calculated sale only take back.
func onlyBelow(sold *tax.Explanation) bool {
	below := false
	for i := range sold.Items {
		switch sold.Items[i].Amount.Sign() {
		case 1:
			return false
		case -1:
			below = true
		}
	}
	return below
}

// settle decides what is owed of taxes by authority. Errors: money.ErrOverflow.
func (j *judged) settle(terms *owedTerms) (err error) {
	j.owed = terms.owedBy(j.calculated, j.collected)
	j.sum, err = sumExactly(j.owed)
	j.sum = j.sum.Pad(2)
	return err
}

// since returns how taxes changed. Errors: money.ErrOverflow.
func (j judged) since(before judged) (change judged, err error) {
	change = judged{collected: zeros(len(j.owed)), owed: zeros(len(j.owed))}
	for i := range j.owed {
		if change.collected[i], err = money.Sub(j.collected[i], before.collected[i]); err != nil {
			return change, err
		}
		if change.owed[i], err = money.Sub(j.owed[i], before.owed[i]); err != nil {
			return change, err
		}
	}
	change.sum, err = money.Sub(j.sum, before.sum)
	return change, err
}
