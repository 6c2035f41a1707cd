package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// JudgesPrices reports whether the law of a sale decides how much collected tax a refund takes back. The refund lowers a
// price, and the tax of the sale is known.
func JudgesPrices(a *models.CreditAccount, d *models.RefundDraft) bool {
	sale := &a.Sale
	if !d.Sent.TaxFromOriginal || !d.Status.Reserves() || d.Ended || sale.TotalTaxAmountImported.IsZero() ||
		!sale.ProcessingStatus.Calculated() {
		return false
	}
	return slices.ContainsFunc(d.Items, func(i models.TransactionItem) bool {
		return i.Quantity.IsZero() && !i.Amount.IsZero()
	})
}

// takenTax is the calculated tax that a line of a refund takes, and what was left of its line before.
type takenTax struct{ taken, left decimal.Decimal }

// takenByLaw returns the calculated tax that each line of a refund takes, after all other refunds of the sale. It is nil
// if the law of the sale does not decide. Errors: money.ErrOverflow, those of the law.
func takenByLaw(a *models.CreditAccount, d *models.RefundDraft) ([]takenTax, error) {
	if a.Explanation == nil || a.Law == nil {
		return nil, nil
	}
	var sold explanation
	if err := json.Unmarshal(a.Explanation, &sold); err != nil {
		return nil, fmt.Errorf("read the explanation of the original: %w", err)
	}
	calculate, err := a.Law(sold.ContentVersion)
	if err != nil || calculate == nil {
		return nil, err
	}
	original := &models.Original{ID: a.Sale.ID, Items: a.Sale.Items}
	original.Sold.Collected = a.Sale.TotalTaxAmountImported
	var earlier []tax.RefundedLine
	decided := true // those after one that is not will be decided anew
	for i := range a.Others {
		other := a.Others[i]
		if decided = decided && other.ProcessingStatus.Calculated(); decided {
			original.Refunded = append(original.Refunded, linesOfStored(&other)...)
			continue
		}
		if _, earlier, err = refundAfter(*AsSubmitted(&other), original, &sold, calculate, earlier); err != nil {
			return nil, notJudged(err)
		}
	}
	own := d.Transaction
	if a.Sale.PricesIncludeTax() {
		own.GrossAmount = &nothing
	}
	request, _, err := refundAfter(own, original, &sold, calculate, earlier)
	if err != nil {
		return nil, notJudged(err)
	}
	return takenOfLines(&sold, request)
}

// notJudged drops errors of refunds that cannot be calculated: the stages tell them.
func notJudged(err error) error {
	if errors.Is(err, money.ErrOverflow) {
		return err
	}
	return nil
}

// judgedRefund is a refund that is calculated by the law of its sale.
type judgedRefund struct {
	tax.RefundRequest
	result tax.Result
}

// refundAfter calculates a refund after earlier ones. It returns these with its own lines.
func refundAfter(
	t models.Transaction, original *models.Original, sold *explanation, calculate func(tax.Request) (tax.Result, error),
	earlier []tax.RefundedLine,
) (judgedRefund, []tax.RefundedLine, error) {
	t.Original = original
	request, err := refundRequest(t, sold.Explanation)
	if err != nil {
		return judgedRefund{}, nil, err
	}
	request.TaxDate, request.Calculate = calendar.DateOf(t.TaxDate), calculate
	request.Earlier = append(request.Earlier, earlier...)
	result, err := tax.Refund(request)
	if err != nil {
		return judgedRefund{}, nil, err
	}
	own := make([]tax.RefundedLine, len(request.Lines))
	for i, line := range request.Lines {
		own[i] = tax.RefundedLine{Line: line.Line, Amount: line.Amount, Quantity: line.Quantity}
		if own[i].Collected = t.Items[i].TaxAmountImported; t.TotalTaxAmountImported.IsNeg() {
			own[i].Collected = own[i].Collected.Neg()
		}
		for _, part := range result.Lines[i].TaxItems {
			own[i].Taxes = append(own[i].Taxes, tax.RefundedTax{
				RuleID: part.RuleID, JurisdictionType: part.JurisdictionType, JurisdictionName: part.JurisdictionName,
				TaxableAmount: part.TaxableAmount, Amount: part.Amount,
			})
		}
	}
	return judgedRefund{request, result}, append(earlier[:len(earlier):len(earlier)], own...), nil
}

// linesOfStored returns what a calculated refund took of the lines of its sale.
func linesOfStored(t *models.Transaction) []models.TransactionItem {
	items := make([]models.TransactionItem, 0, len(t.Items))
	for _, item := range t.Items {
		if item.OriginalLine == nil {
			continue
		}
		item.Amount = amountToTax(*t, item)
		if t.TotalTaxAmountImported.IsNeg() {
			item.TaxAmountImported = item.TaxAmountImported.Neg()
		}
		var calculated exactSum
		for i := range item.TaxItems {
			if item.TaxItems[i].Type == models.TaxItemCalculated {
				calculated.add(item.TaxItems[i].Amount)
			}
		}
		item.TaxAmountCalculated = calculated.of
		items = append(items, item)
	}
	return items
}

// takenOfLines returns the calculated tax that each line of a refund takes, and what was left of its line before. Errors:
// money.ErrOverflow.
func takenOfLines(sold *explanation, refund judgedRefund) (taken []takenTax, err error) {
	left := zeros(len(sold.Items))
	for i := range sold.Items {
		for j := range sold.Items[i].Lines {
			if left[i], err = money.Add(left[i], sold.Items[i].Lines[j].Amount.Abs()); err != nil {
				return nil, err
			}
		}
	}
	for _, line := range refund.Earlier {
		for _, part := range line.Taxes {
			if left[line.Line], err = towardsZero(left[line.Line], part.Amount); err != nil {
				return nil, err
			}
		}
	}
	taken = make([]takenTax, len(refund.Lines))
	for i, line := range refund.Lines {
		taken[i] = takenTax{refund.result.Lines[i].Tax.Abs(), left[line.Line]}
		if left[line.Line], err = towardsZero(left[line.Line], taken[i].taken); err != nil {
			return nil, err
		}
	}
	return taken, nil
}

// sharesByLaw returns the share of each line in the collected tax that is left on the refunded line. A lower price takes
// the part that it takes of the calculated tax; units that come back take theirs by amount. It also returns the amount of
// each line before tax, after coupons of the refund. Errors: money.ErrOverflow.
func sharesByLaw(a *models.CreditAccount, d *models.RefundDraft, taken []takenTax) (shares, nets []decimal.Decimal, err error) {
	left, err := leftOfSale(a)
	if err != nil {
		return nil, nil, err
	}
	if nets, err = netsOfRefund(d); err != nil {
		return nil, nil, err
	}
	shares = make([]decimal.Decimal, len(d.Items))
	for i := range d.Items {
		item, at := &d.Items[i], left.byLine[*d.Items[i].OriginalLine]
		lowers := item.Quantity.IsZero() && nets[i].IsPos() && nets[i].Cmp(left.nets[at]) < 0
		// guard: credit note: a lower price takes collected tax as it takes calculated tax
		if (lowers || left.isFree(item, nets[i])) && taken[i].left.IsPos() {
			shares[i], err = left.takePart(at, nets[i], taken[i])
		} else {
			shares[i], err = left.take(at, nets[i])
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return shares, nets, nil
}

// takePart takes an amount of a line and returns the part of its collected tax that a line takes of the calculated tax.
// Errors: money.ErrOverflow.
func (l *saleRest) takePart(at int, net decimal.Decimal, of takenTax) (share decimal.Decimal, err error) {
	share = decimal.Zero
	if l.collected[at].IsPos() {
		if share, err = money.ShareBetween(l.collected[at], decimal.Zero, of.taken.Min(of.left), of.left); err != nil {
			return share, err
		}
	}
	return share, l.remove(at, net, share)
}
