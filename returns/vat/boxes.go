package vat

import (
	"levy/tax/money"
)

// Boxes are the amounts of boxes 1 to 9, in pounds. Boxes 6 to 9 are whole pounds.
type Boxes [9]money.Total

// fields are the names of the boxes, in their order.
var fields = [len(Boxes{})]string{
	"vatDueSales", "vatDueAcquisitions", "totalVatDue", "vatReclaimedCurrPeriod", "netVatDue", "totalValueSalesExVAT",
	"totalValuePurchasesExVAT", "totalValueGoodsSuppliedExVAT", "totalAcquisitionsExVAT",
}

// The boxes that follow from others, and the first of those in whole pounds, by their position.
const (
	boxSales, boxAcquired, boxDue, boxReclaimed, boxNet = 0, 1, 2, 3, 4
	firstOfPounds                                       = 5
)

// The largest amounts that a box takes.
var (
	most    = mustTotal("9999999999999.99")
	mostNet = mustTotal("99999999999.99")
)

func mustTotal(text string) money.Total {
	amount, err := money.ParseTotal(text)
	if err != nil {
		panic(err) // a constant of this file
	}
	return amount
}

// Codes of the authority for requests that it refuses.
const (
	CodeRequest      = "INVALID_REQUEST"
	CodeVRN          = "VRN_INVALID"
	CodePeriodKey    = "PERIOD_KEY_INVALID"
	CodeNumber       = "INVALID_NUMERIC_VALUE"
	CodeAmount       = "INVALID_MONETARY_AMOUNT"
	CodeTotal        = "VAT_TOTAL_VALUE"
	CodeNet          = "VAT_NET_VALUE"
	CodeNotFinal     = "NOT_FINALISED"
	CodeDuplicate    = "DUPLICATE_SUBMISSION"
	CodeNotEnded     = "TAX_PERIOD_NOT_ENDED"
	CodeUnauthorised = "CLIENT_OR_AGENT_NOT_AUTHORISED"
	CodeInsolvent    = "RULE_INSOLVENT_TRADER"
	CodeNotFound     = "NOT_FOUND"
)

// Fault returns the code of the first rule that the boxes break, and the number of the box; "" for none.
func (b Boxes) Fault() (code string, box int) {
	for i, amount := range b {
		limit := most
		if i == boxNet {
			limit = mostNet
		}
		magnitude := money.MaxTotal(amount, amount.Neg())
		// guard: vat: a box has room for so many digits, and box 5 is never below zero
		if money.MaxTotal(magnitude, limit) != limit || i == boxNet && amount.IsNeg() {
			return CodeAmount, i + 1
		}
		// guard: vat: boxes 6 to 9 are whole pounds
		if i >= firstOfPounds && amount != amount.WholeUnits() {
			return CodeAmount, i + 1
		}
	}
	due, err := b[boxSales].Plus(b[boxAcquired])
	// guard: vat: box 3 is the sum of boxes 1 and 2
	if err != nil || due != b[boxDue] {
		return CodeTotal, boxDue + 1
	}
	net, err := b.Net()
	// guard: vat: box 5 is the difference of boxes 3 and 4 without its sign
	if err != nil || money.MaxTotal(net, net.Neg()) != b[boxNet] {
		return CodeNet, boxNet + 1
	}
	return "", 0
}

// Net returns what is to be paid: below zero, what is to be given back. Errors: money.ErrOverflow.
func (b Boxes) Net() (money.Total, error) { return b[boxDue].Minus(b[boxReclaimed]) }

// ToPay reports whether something is to be paid.
func (b Boxes) ToPay() bool {
	net, err := b.Net()
	return err != nil || !net.IsNeg() && !net.IsZero()
}
