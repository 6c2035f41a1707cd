package tax

import "slices"

// ownBases are the states whose local governments decide for themselves what they tax. Sources: ARSSTC Uniform Code; Ala.
// Code 11-51-200; Model City Tax Code of Arizona; Colo. Const. art. XX, section 6; La. Const. art. VI, section 29.
var ownBases = []string{"AK", "AL", "AZ", "CO", "LA"}

// placeMatters reports whether another place that the address can lie in, or a tax that is missing here, could change the
// result.
func (k *calculation) placeMatters() bool {
	complete := k.taxed.Completeness == CompletenessComplete
	if k.state == nil || complete && !k.taxed.Ambiguous {
		return true
	}
	// guard: places: a doubt about the state is told
	if k.otherStateMeant() {
		return true
	}
	if complete && k.sameElsewhere() {
		return false
	}
	// guard: places: a doubt that no line bears is not told
	return slices.ContainsFunc(k.lines, func(w work) bool { return k.localsMatter(&w) })
}

// otherStateMeant reports whether the address can lie in another state. That one has rules of its own, which the rates of
// its places do not tell.
func (k *calculation) otherStateMeant() bool {
	if !k.taxed.Ambiguous {
		return false
	}
	return len(k.taxed.Alternatives) == 0 || slices.ContainsFunc(k.taxed.Alternatives, func(ids []string) bool {
		if len(ids) == 0 {
			return true
		}
		j, ok := k.c.byID[ids[0]]
		return !ok || k.c.jurisdictions[j].State != k.state.code
	})
}

// localsMatter reports whether a local tax of another place could be due on a line.
func (k *calculation) localsMatter(w *work) bool {
	switch {
	case w.coupon, w.net == 0, w.class == keyNotTaxable, k.freedBy(w.line) != nil:
		return false
	case w.law == nil:
		return true
	case w.law.treatment == treatFollowsItems && len(w.delivered) > 0:
		return slices.ContainsFunc(w.delivered, k.localsMatter)
	case w.law.local == localNone, w.law.local == localFixed:
		return k.state.ratedLocally(w.class) || slices.Contains(ownBases, k.state.code)
	}
	return true
}

// ratedLocally reports whether a local government of a state has a rate of its own for a class, or for one above it.
func (s *state) ratedLocally(class classKey) bool {
	for ; class != keyAny; class = classParents[class] {
		if s.localRates[class] {
			return true
		}
	}
	return false
}

// sameElsewhere reports whether all lines have one tax in all places that the address can lie in.
func (k *calculation) sameElsewhere() bool {
	if len(k.overrides) > 0 || len(k.taxed.Alternatives) == 0 || k.dividesPrices(k.set) {
		return false
	}
	for i := range k.state.rules {
		if r := &k.state.rules[i]; len(r.jurisdictions) > 0 && r.Holds(k.req.TaxDate) {
			return false
		}
	}
	var buf [16]uint16
	for _, ids := range k.taxed.Alternatives {
		set, err := k.c.indexes(buf[:0], ids)
		if err != nil || k.dividesPrices(set) {
			return false
		}
		for i := range k.lines {
			for class := k.lines[i].class; ; class = classParents[class] {
				if k.c.rateOfSet(set, class, k.req.TaxDate) != k.c.rateOfSet(k.set, class, k.req.TaxDate) {
					return false
				}
				if class == keyAny {
					break
				}
			}
		}
	}
	return true
}

// dividesPrices reports whether a local government has rates for parts of the price of an item.
func (k *calculation) dividesPrices(set []uint16) bool {
	return slices.ContainsFunc(set, func(j uint16) bool { return k.c.jurisdictions[j].tiers != nil })
}
