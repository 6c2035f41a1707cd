package rules

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// SplitWaiting separates the refunds that wait for their original.
func SplitWaiting(transactions []models.Transaction) (ready []models.Transaction, waiting []models.Ref) {
	ready = make([]models.Transaction, 0, len(transactions))
	for _, t := range transactions {
		if t.Original != nil && WaitsForOriginal(&t, t.Original.ProcessingStatus) {
			waiting = append(waiting, t.Ref())
		} else {
			ready = append(ready, t)
		}
	}
	return ready, waiting
}

// SplitRefunds separates the refunds, and the sales with refunds: their locks come before their decision.
func SplitRefunds(transactions []models.Transaction) (sales, refunds []models.Transaction) {
	sales = make([]models.Transaction, 0, len(transactions))
	for _, t := range transactions {
		if t.Type.IsCredit() || len(t.Refunds) > 0 {
			refunds = append(refunds, t)
		} else {
			sales = append(sales, t)
		}
	}
	return sales, refunds
}

// WaitsForOriginal reports whether a refund is not calculated before its original. Only one that is COMMITTED is
// calculated; the others end at once.
func WaitsForOriginal(refund *models.Transaction, original models.ProcessingStatus) bool {
	// guard: refund: one that ends at once waits for nothing
	return refund.Status == models.StatusCommitted && !original.Calculated()
}

// refundedLines returns what the refund took of the lines of its original.
func refundedLines(t models.Transaction, outcome models.TaxOutcome) []models.TransactionItem {
	items := make([]models.TransactionItem, 0, len(outcome.Lines))
	for i, line := range outcome.Lines {
		item := t.Items[i]
		item.Amount, item.TaxAmountCalculated, item.TaxItems = amountToTax(t, item), line.TaxAmount, line.TaxItems
		// Below zero is the tax of a coupon line, whatever sign the refund has.
		if of := item.TaxAmountImported; t.TotalTaxAmountImported.IsNeg() {
			item.TaxAmountImported = of.Neg()
		}
		items = append(items, item)
	}
	return items
}

// originalSale names the sale in the explanation of a refund.
type originalSale struct {
	TransactionID  string        `json:"transaction_id"`
	TaxDate        calendar.Date `json:"tax_date"`
	ContentVersion string        `json:"content_version"`
	Method         string        `json:"method"`
	// The sale and its refunds owe OwedBefore without the refund, and OwedAfter with it.
	OwedBefore decimal.Decimal `json:"owed_before"`
	OwedAfter  decimal.Decimal `json:"owed_after"`
}

// DecideRefund is stage 4 for one refund: the tax of its original in reverse. law returns the law of a version of the
// content, for lower prices; nil for a version that is not there.
func DecideRefund(t models.Transaction, rates Rates, law Law) (models.TaxOutcome, error) {
	if t.Original == nil || t.Original.Explanation == nil {
		return models.TaxOutcome{}, fmt.Errorf("the calculation of the original is not there")
	}
	var sold explanation
	if err := json.Unmarshal(t.Original.Explanation, &sold); err != nil {
		return models.TaxOutcome{}, fmt.Errorf("read the explanation of the original: %w", err)
	}
	t = *AsSubmitted(&t)
	var err error
	if t.Original, err = earlier(t); err != nil {
		return models.TaxOutcome{}, err
	}
	converted, ok := conversionOfRefund(t, sold.Conversion, rates)
	if !ok {
		return needsRate(t, pairOf(t)), nil
	}
	request, err := refundRequest(t, sold.Explanation)
	if err != nil {
		return models.TaxOutcome{}, err
	}
	if lowersPrice(t) {
		if request.Calculate, err = law(sold.ContentVersion); err != nil {
			return models.TaxOutcome{}, err
		}
	}
	result, err := tax.Refund(request)
	if err != nil {
		return needsRefetch(t, notCalculable(err)), nil
	}
	if t.PricesIncludeTax() {
		if err := takeTaxOfRefund(&t, &result); err != nil {
			return models.TaxOutcome{}, err
		}
	}
	if err := warnOfExcess(t, sold.Explanation, &result); err != nil {
		return models.TaxOutcome{}, err
	}
	if err := warnOfTotal(t, &result); err != nil {
		return models.TaxOutcome{}, err
	}
	c := calculation{result: result, converted: converted, original: &originalSale{
		TransactionID: t.Original.ID, TaxDate: sold.TaxDate, ContentVersion: sold.ContentVersion, Method: tax.RefundMethod,
	}}
	if err := c.oweRefund(t, &sold); err != nil {
		return models.TaxOutcome{}, err
	}
	return c.outcome(t)
}

// refundRequest returns the request to the engine about a refund. Errors: a line that refunds no line of the original.
func refundRequest(t models.Transaction, sold tax.Explanation) (tax.RefundRequest, error) {
	request := tax.RefundRequest{TransactionID: t.Original.ID, TaxDate: calendar.DateOf(t.TaxDate), Original: sold}
	byID := make(map[string]int, len(sold.Items))
	for i := range sold.Items {
		byID[sold.Items[i].ItemID] = i
	}
	byLine := make(map[int]int, len(t.Original.Items)) // line of the original -> line of its explanation
	for _, item := range t.Original.Items {
		if i, ok := byID[item.ID]; ok {
			byLine[item.LineNo] = i
		}
	}
	coupons, parts, err := couponsOfRefund(&t)
	if err != nil {
		return request, err
	}
	alone := isTaxAlone(t)
	for n, item := range t.Items {
		if item.OriginalLine == nil {
			return request, fmt.Errorf("line %d refunds no line of the original", item.LineNo)
		}
		line, ok := byLine[*item.OriginalLine]
		if !ok {
			return request, fmt.Errorf("line %d: %w", item.LineNo, tax.ErrRefundedLine)
		}
		request.Lines = append(request.Lines, tax.RefundLine{
			ID: item.ID, ExternalID: text(item.ExternalID), ExternalProductID: item.ExternalProductID,
			Line: line, Amount: amountToTax(t, item), Quantity: item.Quantity, Tax: taxAlone(t, item, alone),
		})
		of := &request.Lines[n]
		if coupons != nil {
			of.Coupons = coupons[n]
		}
		of.Free = !item.Quantity.IsZero() && t.Type != models.TypeTaxRefund && of.Tax.IsZero() && !of.Coupons.IsNeg()
	}
	for _, part := range parts {
		of := &request.Lines[part.From]
		of.Spread = append(of.Spread, part)
	}
	if request.Collected, err = collectedOfSold(t.Original, sold, byLine); err != nil {
		return request, err
	}
	for _, item := range t.Original.Refunded {
		if line, ok := byLine[*item.OriginalLine]; ok {
			earlier := refundedLine(line, item)
			// guard: gross prices: what was given back of a price is net and tax
			if t.PricesIncludeTax() && !earlier.Amount.IsZero() {
				if earlier.Amount, err = money.Add(earlier.Amount.Abs(), item.TaxAmountCalculated.Abs()); err != nil {
					return request, err
				}
			}
			request.Earlier = append(request.Earlier, earlier)
		}
	}
	return request, nil
}

// Law returns the calculation by a version of the content; nil if the version is not there.
type Law func(version string) (func(tax.Request) (tax.Result, error), error)

// lowersPrice reports whether a line of a refund lowers a price: no unit comes back.
func lowersPrice(t models.Transaction) bool {
	return slices.ContainsFunc(t.Items, func(i models.TransactionItem) bool {
		return i.Quantity.IsZero() && !amountToTax(t, i).IsZero()
	})
}

// collectedOfSold returns the collected tax of each explained line of a sale. byLine has their positions. Errors:
// money.ErrOverflow.
func collectedOfSold(o *models.Original, sold tax.Explanation, byLine map[int]int) ([]decimal.Decimal, error) {
	if o.Sold.Collected.IsZero() {
		return nil, nil
	}
	sale := models.Transaction{Items: o.Items, TotalTaxAmountImported: o.Sold.Collected}
	lines, err := collectedByLine(&sale)
	if err != nil {
		return nil, err
	}
	sign := o.Sold.Collected.Sign()
	if sold.Input != nil && sold.Input.Coupons {
		lines, err = alongCoupons(lines, sign, o.Items, explainedCoupons(&sold, o.Items))
	} else {
		lines, err = withoutCoupons(lines, sign, o.Items)
	}
	if err != nil {
		return nil, err
	}
	collected := zeros(len(sold.Items))
	for i, item := range o.Items {
		if at, ok := byLine[item.LineNo]; ok {
			collected[at] = lines[i]
			if sign < 0 {
				collected[at] = collected[at].Neg()
			}
		}
	}
	return collected, nil
}

// refundedLine returns what an earlier refund took of a line.
func refundedLine(line int, item models.TransactionItem) tax.RefundedLine {
	earlier := tax.RefundedLine{
		Line: line, Amount: item.Amount, Quantity: item.Quantity, Collected: item.TaxAmountImported,
	}
	for _, part := range item.TaxItems {
		if part.Type == models.TaxItemCalculated && part.TaxableAmount != nil {
			earlier.Taxes = append(earlier.Taxes, tax.RefundedTax{
				RuleID: part.RuleID, JurisdictionType: tax.JurisdictionType(part.JurisdictionType),
				JurisdictionName: part.JurisdictionName,
				TaxableAmount:    *part.TaxableAmount, Amount: part.Amount,
			})
		}
	}
	return earlier
}

// amountToTax returns the refunded amount of a line before tax, less its discount. A tax refund refunds tax alone,
// whatever amounts its lines have.
func amountToTax(t models.Transaction, item models.TransactionItem) decimal.Decimal {
	if t.Type == models.TypeTaxRefund {
		return nothing
	}
	net, err := item.NetAmount()
	if err != nil {
		return item.Amount // unreachable: the discount is a part of the amount
	}
	return net
}

// isTaxAlone reports whether a refund refunds nothing but tax: its lines come to nothing before tax.
func isTaxAlone(t models.Transaction) bool {
	var net exactSum
	for i := range t.Items {
		net.add(amountToTax(t, t.Items[i]))
	}
	return net.of.IsZero() && !t.TotalTaxAmountImported.IsZero()
}

// taxAlone returns the tax that a line refunds without an amount before tax. Its share of the tax comes with an amount.
// In a refund of tax alone none does, unless nothing was left of its line.
func taxAlone(t models.Transaction, item models.TransactionItem, alone bool) decimal.Decimal {
	if t.Type != models.TypeTaxRefund && !item.Amount.IsZero() && (!alone || !item.TotalDiscount.IsZero()) {
		return nothing
	}
	return item.TaxAmountImported
}

// taxOfLines returns the sum of the calculated tax of lines. Errors: money.ErrOverflow.
func taxOfLines(items []models.TransactionItem) (sum decimal.Decimal, err error) {
	sum = nothing
	for i := range items {
		if sum, err = money.Add(sum, items[i].TaxAmountCalculated); err != nil {
			return sum, err
		}
	}
	return sum, nil
}
