package tax

import "levy/tax/money"

// namedBy is the remedy of a doubt about a class in a state. It names the rate where the class is taxed, the authority
// that knows, and how to end the warning.
func (k *calculation) namedBy(w *work) string {
	rate := int64(0)
	for _, j := range k.set {
		if r, _ := k.c.jurisdictions[j].rateOfKey(keyAny, k.req.TaxDate); r != nil {
			rate += r.nano
		}
	}
	text := ""
	if rate != 0 {
		text = " Where the law taxes it, the rate here is " + string(money.AppendPercent(nil, rate)) + "."
	}
	if by := k.c.authorities[Authority{"US", k.state.code}]; by != "" {
		text += " Ask the " + by + " (" + k.c.FilingSite("US", k.state.code) + "), and set the rate of " +
			string(w.line.Class) + " there at /v1/rate_overrides, 0 where it is free."
	}
	return text
}

// inheritedRule says that a class was taken by the rule of the class above it, because the content has no other one.
func (k *calculation) inheritedRule(w *work) string {
	taken := "taxed"
	if w.takenAsFree() {
		taken = "free of tax"
	}
	return "Whether the law of " + k.where() + " treats " + classNouns[w.class] + " unlike " + classNouns[w.law.class] +
		" is not in the content; they were taken as those, " + taken + "." + k.namedBy(w)
}
