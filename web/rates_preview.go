package web

import (
	"cmp"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"levy/contract"
)

// ratePreview is what a typed rate means, for the person who confirms it.
type ratePreview struct {
	Place, Percent string
	On100          string // the tax on 100.00
	Before         string // in percent, the last rate that was set for the place; empty if there is none
	BeforeRate     string // as a decimal
	BeforeOn100    string
	Unusual        bool // the rate is far from the one before, or from those that laws have
	Rate           string
	Sure           field // the box that confirms an unusual rate
}

// Rates below one percent, and above thirty, are no usual rates of a sales tax or a value added tax. A rate of three
// times the one before, or of less than a third of it, is a leap.
var leastUsual, mostUsual, leap = big.NewRat(1, 100), big.NewRat(30, 100), big.NewRat(3, 1)

// fractionOf returns a typed rate in percent as a fraction: "8.25" and "8.25 %" are 0.0825. ok is false if it is no
// number.
func fractionOf(percent string) (fraction *big.Rat, ok bool) {
	number := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(percent), "%"))
	if strings.Trim(number, "0123456789.-") != "" {
		return nil, false
	}
	if fraction, ok = new(big.Rat).SetString(number); ok {
		fraction.Quo(fraction, big.NewRat(100, 1))
	}
	return fraction, ok
}

// decimalOf returns a fraction with all its decimals.
func decimalOf(fraction *big.Rat) string {
	places, _ := fraction.FloatPrec() // all digits: rates are decimals
	return fraction.FloatString(places)
}

// isUnusual reports whether a rate is a leap from the one before, or no usual rate. before is nil if there is none. A
// rate of 0 is usual: many things are zero-rated.
func isUnusual(rate, before *big.Rat) bool {
	if before != nil && before.Sign() > 0 && rate.Sign() > 0 {
		return rate.Cmp(new(big.Rat).Mul(before, leap)) >= 0 || before.Cmp(new(big.Rat).Mul(rate, leap)) >= 0
	}
	return rate.Sign() > 0 && rate.Cmp(leastUsual) < 0 || rate.Cmp(mostUsual) > 0
}

// setRate sets a rate after the person has seen what it means.
func (c *Console) setRate(v *pageRequest) error {
	form := rateForm()
	sent := form.body(nil, v.PostForm)
	if class, typed := sent["tax_class"].(string); typed {
		sent["tax_class"] = classCode(class)
	}
	rate, isNumber := fractionOf(v.PostFormValue("rate"))
	switch {
	case isNumber:
		sent["rate"] = decimalOf(rate)
	case v.PostFormValue("rate") != "": // such as 1e0, which the service would read as a fraction
		sent["rate"] = "?"
	}
	if isNumber && isPart(rate) && form.isComplete(v.PostForm.Get) { // the service refuses others
		preview, err := v.previewRate(rate, sent)
		if err != nil {
			return err
		}
		sure := !preview.Unusual || v.PostFormValue(preview.Sure.Name) != ""
		shown := v.PostFormValue("seen") == preview.Rate && v.PostFormValue("before") == preview.BeforeRate
		// guard: rates: a typed rate is set after it was shown next to the rate before, and a leap after it was confirmed
		if !shown || !sure {
			return c.showRates(v, http.StatusOK, rateList{Form: form.filled(nil, v.PostForm), Check: preview})
		}
	}
	session, err := v.sending(sent)
	if err == nil {
		_, err = session.CreateRateOverride(v.Context(), contract.CreateRateOverrideRequest{})
	}
	if refused, ok := correctable(err); ok {
		for i, e := range refused.Errors {
			if pathOf(e.Location) == "rate" && strings.TrimSpace(v.PostFormValue("rate")) != "" {
				refused.Errors[i].Message = "Must be a number of percent from 0 to 100, such as 8.25."
			}
		}
		list := rateList{Form: form.filled(nil, v.PostForm)}
		list.Faults = list.Form.mark(refused)
		return c.showRates(v, refused.Status, list)
	}
	return v.goBack(err)
}

// isPart reports whether a fraction is from 0 to 1.
func isPart(fraction *big.Rat) bool {
	return fraction.Sign() >= 0 && fraction.Cmp(big.NewRat(1, 1)) <= 0
}

// isComplete reports whether every required field has a value.
func (f htmlForm) isComplete(typed func(name string) string) bool {
	return !slices.ContainsFunc(f.fields(), func(f field) bool { return f.Required && strings.TrimSpace(typed(f.Name)) == "" })
}

// previewRate returns what a rate means, next to the last one that was set for the same place and class.
func (v *pageRequest) previewRate(rate *big.Rat, sent map[string]any) (*ratePreview, error) {
	preview := &ratePreview{Place: textOf(sent["jurisdiction_name"]), Rate: decimalOf(rate)}
	preview.Percent, preview.On100 = percentOf(preview.Rate), onHundred(rate)
	country, state := textOf(sent["country_code"]), textOf(sent["state_code"])
	params := contract.ListRateOverridesParams{CountryCode: country, StateCode: state, Size: 100}
	found, err := v.session.ListRateOverrides(v.Context(), contract.ListRateOverridesRequest{Params: params})
	if err != nil {
		return nil, err
	}
	var before *big.Rat
	var since string
	for _, each := range found.Items {
		same := strings.EqualFold(each.JurisdictionName, preview.Place) &&
			string(each.JurisdictionType) == textOf(sent["jurisdiction_type"]) &&
			string(valueOf(each.TaxClass)) == textOf(sent["tax_class"])
		if set, ok := new(big.Rat).SetString(each.Rate); ok && same && cmp.Compare(plain(each.StartDate), since) > 0 {
			before, since = set, plain(each.StartDate)
			preview.BeforeRate = decimalOf(set)
			preview.Before, preview.BeforeOn100 = percentOf(each.Rate), onHundred(set)
		}
	}
	preview.Unusual = isUnusual(rate, before)
	preview.Sure = field{Name: "sure", Kind: "check", Label: "Yes, " + preview.Percent + " is meant"}
	return preview, nil
}

// onHundred returns the tax on 100.00 at a rate, with all its decimals and at least two.
func onHundred(rate *big.Rat) string {
	tax := new(big.Rat).Mul(rate, big.NewRat(100, 1))
	places, _ := tax.FloatPrec()
	return tax.FloatString(max(places, 2))
}
