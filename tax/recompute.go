package tax

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"levy/tax/money"
)

// ErrNoInput is returned for an explanation that does not hold what the
// calculation was told, so that it cannot be done again.
var ErrNoInput = errors.New("the explanation holds no input")

func explainPlace(p *Place) *ExplainedPlace {
	if p == nil {
		return nil
	}
	return &ExplainedPlace{AddressType: p.AddressType, City: p.City, State: p.State, PostalCode: p.PostalCode,
		Country:    p.Country,
		Resolution: p.Resolution, Jurisdictions: p.Jurisdictions, Ambiguous: p.Ambiguous, Alternatives: p.Alternatives,
		Completeness: p.Completeness, Confidence: p.Confidence, Fault: p.fault()}
}

func (p *ExplainedPlace) place() *Place {
	if p == nil {
		return nil
	}
	place := &Place{AddressType: p.AddressType, City: p.City, State: p.State, PostalCode: p.PostalCode, Country: p.Country,
		Resolution: p.Resolution, Jurisdictions: p.Jurisdictions, Ambiguous: p.Ambiguous, Alternatives: p.Alternatives,
		Completeness: p.Completeness, Confidence: p.Confidence}
	if p.Fault != "" {
		place.Status, place.Reason = StatusInvalid, p.Fault
	}
	return place
}

func (k *calculation) explainInput() *ExplainedInput {
	in := &ExplainedInput{Currency: k.req.Currency, Rounding: k.req.Rounding, Marketplace: k.req.Marketplace,
		SmallestUnit: explainedUnit(k.unit), PricesIncludeTax: k.req.PricesIncludeTax,
		Seller: k.req.Seller, Registered: k.req.Registered,
		CustomerVAT:         k.req.CustomerVAT,
		BelowUnionThreshold: k.req.BelowUnionThreshold, Rates: k.req.Rates,
		Overrides:   k.givenOverrides(),
		Destination: *explainPlace(&k.req.Destination), Origin: explainPlace(k.req.Origin),
		Coupons: k.spread,
		Items:   make([]ExplainedInputItem, len(k.lines))}
	for i := range k.lines {
		in.Items[i] = ExplainedInputItem{
			Quantity: k.lines[i].line.Quantity.Trim(1).Pad(1), Exempt: k.lines[i].line.Exempt, Terms: k.lines[i].line.Terms,
		}
	}
	return in
}

// explainedUnit is a smallest unit as explanations have it: none for a cent.
func explainedUnit(unit int64) int64 {
	if unit == 1 {
		return 0
	}
	return unit
}

// Request is the request that the explanation explains. Error: ErrNoInput.
func (e *Explanation) Request() (Request, error) {
	in := e.Input
	if in == nil || len(in.Items) != len(e.Items) {
		return Request{}, ErrNoInput
	}
	req := Request{TaxDate: e.TaxDate, Currency: in.Currency, Rounding: in.Rounding, Marketplace: in.Marketplace,
		SmallestUnit: cmp.Or(in.SmallestUnit, 1), PricesIncludeTax: in.PricesIncludeTax,
		Seller: in.Seller, Registered: in.Registered,
		CustomerVAT:         in.CustomerVAT,
		BelowUnionThreshold: in.BelowUnionThreshold, Rates: in.Rates,
		Overrides:   in.Overrides,
		Destination: *in.Destination.place(), Origin: in.Origin.place(), Lines: make([]Line, len(e.Items)),
		EachAlone: !in.Coupons}
	for i, item := range e.Items {
		req.Lines[i] = Line{ID: item.ItemID, ExternalID: item.ExternalID, ExternalProductID: item.ExternalProductID,
			Class:          item.TaxClass,
			Classification: item.Classification, Amount: item.Amount, Discount: item.TotalDiscount,
			Quantity: in.Items[i].Quantity, Exempt: in.Items[i].Exempt, Terms: in.Items[i].Terms}
	}
	return req, nil
}

// Difference is one figure of an explanation that does not come out again.
type Difference struct{ Where, Stored, Recomputed string }

// Compare lists the figures in which two explanations of one sale differ.
// Sources and sentences do not count. The hash of the input counts when both
// were made with one version of the content, which is part of it.
func Compare(stored, recomputed *Explanation) []Difference {
	var found []Difference
	differ := func(where string, a, b any) {
		if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
			found = append(found, Difference{where, x, y})
		}
	}
	differ("sourcing", stored.Sourcing.Rule, recomputed.Sourcing.Rule)
	differ("taxable amount", stored.Totals.TaxableAmount, recomputed.Totals.TaxableAmount)
	differ("tax", stored.Totals.TaxAmount, recomputed.Totals.TaxAmount)
	differ("rate", stored.Totals.TaxRate, recomputed.Totals.TaxRate)
	differ("items", len(stored.Items), len(recomputed.Items))
	for i := range min(len(stored.Items), len(recomputed.Items)) {
		a, b := &stored.Items[i], &recomputed.Items[i]
		item := fmt.Sprintf("item %d ", i+1)
		differ(item+"net amount", a.NetAmount, b.NetAmount)
		differ(item+"exempt", a.Exempt, b.Exempt)
		differ(item+"exemption", a.TaxExemption, b.TaxExemption)
		differ(item+"unrounded tax", a.Rounding.UnroundedTotal, b.Rounding.UnroundedTotal)
		differ(item+"tax", a.Rounding.RoundedTotal, b.Rounding.RoundedTotal)
		names := taxesOf(a, b)
		for _, name := range names {
			x, y := partOf(a, name), partOf(b, name)
			differ(item+name, x, y)
		}
	}
	if len(found) == 0 {
		differ("result hash", stored.ResultHash, recomputed.ResultHash)
	}
	if stored.ContentVersion == recomputed.ContentVersion {
		differ("input hash", stored.InputHash, recomputed.InputHash)
	}
	return found
}

// taxesOf names the taxes of both items, once each.
func taxesOf(items ...*ExplainedItem) []string {
	var names []string
	for _, item := range items {
		for i := range item.Lines {
			if name := item.Lines[i].RuleID; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// partOf writes what a rule takes of an item, with all its parts in order.
func partOf(item *ExplainedItem, rule string) (text string) {
	for i := range item.Lines {
		if l := &item.Lines[i]; l.RuleID == rule {
			if text != "" {
				text += "; "
			}
			text += fmt.Sprintf("%s on %s is %s, %s", money.FormatRate(l.Rate), l.TaxableAmount, l.Amount, l.Reason)
		}
	}
	if text == "" {
		return "none"
	}
	return text
}
