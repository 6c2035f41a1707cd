package rules

import (
	"github.com/govalues/decimal"

	"levy/tax"
	"levy/tax/money"
)

// owedCase is the case by which a document owes tax to an authority: the first one that applies.
type owedCase int

const (
	caseMarketplace owedCase = iota + 1 // the marketplace owes
	caseHandedOver                      // no obligation: what was collected is owed
	caseNothing                         // no obligation, and nothing was collected
	casePreferred                       // the organization prefers what it collected
	caseLarger                          // the larger of calculated and collected tax
)

// sentence says in words what is owed by a case. collected reports whether that is the collected tax.
func (c owedCase) sentence(collected bool) string {
	switch c {
	case caseMarketplace:
		return "The marketplace collects and remits the tax: nothing is owed."
	case caseHandedOver:
		return "No obligation on the tax date, but tax was collected: what was collected is owed."
	case caseNothing:
		return "No obligation on the tax date and no tax collected: nothing is owed."
	case casePreferred:
		return "The organization prefers collected amounts: what was collected is owed."
	case caseLarger:
	}
	if collected {
		return "More was collected than the calculated tax: what was collected is owed until it is given back."
	}
	return "The calculated tax is owed."
}

// owedTerms are how a sale and its refunds owe tax to each of their authorities. They are decided with the sale.
type owedTerms struct {
	authorities []tax.Authority
	obliged     []bool            // by authority
	cases       []owedCase        // by authority
	sold        []decimal.Decimal // the calculated tax of the sale alone, by authority
	unmatched   bool              // a return without its sale: all lines are negative
	imported    bool              // tax was collected with the sale
}

// decideCases sets the case of each authority by its part of the collected tax of the sale.
func (t *owedTerms) decideCases(marketplace, prefersCollected bool, collected []decimal.Decimal) {
	t.cases = make([]owedCase, len(t.authorities))
	for i := range t.cases {
		switch {
		case marketplace:
			t.cases[i] = caseMarketplace
		case !t.obliged[i] && !collected[i].IsZero():
			t.cases[i] = caseHandedOver
		case !t.obliged[i]:
			t.cases[i] = caseNothing
		case prefersCollected && !collected[i].IsZero():
			t.cases[i] = casePreferred
		default:
			t.cases[i] = caseLarger
		}
	}
}

// taxSums are the taxes of a document, or of a sale and some of its refunds together.
type taxSums struct {
	calculated []decimal.Decimal // by authority
	named      []decimal.Decimal // collected tax that imported lines name, by authority
	collected  decimal.Decimal   // in all
}

// less returns what a refund leaves: calculated is negative, and takes away what it says. Collected tax moves to zero,
// and not beyond it, whatever sign the refund has. Errors: money.ErrOverflow.
func (s taxSums) less(refund taxSums) (left taxSums, err error) {
	left = taxSums{calculated: zeros(len(s.calculated)), named: zeros(len(s.calculated))}
	for i := range s.calculated {
		if left.calculated[i], err = money.Add(s.calculated[i], refund.calculated[i]); err != nil {
			return left, err
		}
		if left.named[i], err = towardsZero(s.named[i], refund.named[i]); err != nil {
			return left, err
		}
	}
	left.collected, err = towardsZero(s.collected, refund.collected)
	return left, err
}

// collectedBy divides the collected tax of a document among its authorities. Each gets what the imported lines name.
// The rest goes to those with an obligation up to their calculated tax, then to the others likewise, an excess to all.
// Errors: money.ErrOverflow.
func (t *owedTerms) collectedBy(s taxSums) ([]decimal.Decimal, error) {
	if len(t.authorities) == 1 || s.collected.IsZero() {
		parts := zeros(len(t.authorities))
		parts[0] = s.collected
		return parts, nil
	}
	parts, err := sumsNamed(s)
	if err != nil {
		return nil, err
	}
	weights := weightsOf(s.calculated, s.collected)
	if !anyOf(weights) { // everything has gone back but tax: it stays where it belonged
		weights = weightsOf(t.sold, s.collected)
	}
	for _, obliged := range []bool{true, false} {
		room := make([]decimal.Decimal, len(parts))
		for i := range room {
			room[i] = nothing
			if t.obliged[i] == obliged {
				if room[i], err = towardsZero(weights[i], parts[i]); err != nil {
					return nil, err
				}
			}
		}
		if parts, err = fill(parts, room, s.collected); err != nil {
			return nil, err
		}
	}
	rest, err := restOf(s.collected, parts)
	if err != nil || rest.IsZero() {
		return parts, err
	}
	if !anyOf(weights) {
		weights = make([]decimal.Decimal, len(parts))
		weights[max(0, indexOf(t.obliged, true))] = decimal.One
	}
	return spread(parts, weights, rest)
}

// sumsNamed returns the collected tax that imported lines name, by authority: no more than was collected.
func sumsNamed(s taxSums) ([]decimal.Decimal, error) {
	sum, err := sumExactly(s.named)
	if err != nil {
		return nil, err
	}
	if sum.Sign() == -s.collected.Sign() || sum.CmpAbs(s.collected) > 0 {
		named := weightsOf(s.named, s.collected)
		if !anyOf(named) {
			return zeros(len(s.named)), nil
		}
		return money.Allocate(s.collected, named)
	}
	return append([]decimal.Decimal(nil), s.named...), nil
}

// fill adds to the parts what is left of a whole, in proportion to the room that each has, and no more than that.
func fill(parts, room []decimal.Decimal, whole decimal.Decimal) ([]decimal.Decimal, error) {
	rest, err := restOf(whole, parts)
	if err != nil || rest.IsZero() || !anyOf(room) {
		return parts, err
	}
	all, err := sumExactly(room)
	if err != nil {
		return nil, err
	}
	if rest.CmpAbs(all) > 0 {
		rest = all
	}
	return spread(parts, room, rest)
}

// spread adds an amount to parts in proportion to weights, the missing cents to the largest remainders.
func spread(parts, weights []decimal.Decimal, amount decimal.Decimal) ([]decimal.Decimal, error) {
	shares, err := money.Allocate(amount, weights)
	if err != nil {
		return nil, err
	}
	for i := range shares {
		if shares[i], err = money.Add(shares[i], parts[i]); err != nil {
			return nil, err
		}
	}
	return shares, nil
}

// restOf returns what parts leave of a whole; zero if they are all of it or more.
func restOf(whole decimal.Decimal, parts []decimal.Decimal) (decimal.Decimal, error) {
	sum, err := sumExactly(parts)
	if err != nil {
		return sum, err
	}
	rest, err := money.Sub(whole, sum)
	if err != nil || rest.Sign() == -whole.Sign() {
		return nothing, err
	}
	return rest, nil
}

// weightsOf returns the amounts that have the sign of a whole, and zero for the others.
func weightsOf(amounts []decimal.Decimal, whole decimal.Decimal) []decimal.Decimal {
	weights := make([]decimal.Decimal, len(amounts))
	for i, a := range amounts {
		weights[i] = nothing
		if a.Sign() == whole.Sign() {
			weights[i] = a
		}
	}
	return weights
}

func anyOf(amounts []decimal.Decimal) bool {
	for _, a := range amounts {
		if !a.IsZero() {
			return true
		}
	}
	return false
}

func indexOf[T comparable](values []T, wanted T) int {
	for i, v := range values {
		if v == wanted {
			return i
		}
	}
	return -1
}

// owedBy returns what a document owes to each authority.
func (t *owedTerms) owedBy(calculated, collected []decimal.Decimal) []decimal.Decimal {
	owed := make([]decimal.Decimal, len(t.cases))
	for i, c := range t.cases {
		switch c {
		case caseMarketplace:
			owed[i] = nothing
		case caseHandedOver, caseNothing, casePreferred:
			owed[i] = collected[i].Pad(2)
		case caseLarger:
			// guard: liability: the larger of calculated and collected tax
			owed[i] = calculated[i].Max(collected[i]).Pad(2)
			if t.unmatched && collected[i].IsZero() {
				owed[i] = calculated[i]
			}
		}
	}
	return owed
}

// judged are the taxes of a document and what it owes of them, by authority.
type judged struct {
	calculated, collected, owed []decimal.Decimal
	sum                         decimal.Decimal // of owed
}

// judge decides what a sale, or a sale and some of its refunds together, owes. Errors: money.ErrOverflow.
func (t *owedTerms) judge(s taxSums) (j judged, err error) {
	j.calculated = s.calculated
	if j.collected, err = t.collectedBy(s); err != nil {
		return j, err
	}
	j.owed = t.owedBy(j.calculated, j.collected)
	j.sum, err = sumExactly(j.owed)
	j.sum = j.sum.Pad(2)
	return j, err
}

// excess returns by how much more, or less, was collected than calculated. Only obligations with an imported tax count.
func (t *owedTerms) excess(j judged, i int) (decimal.Decimal, error) {
	if !t.imported || t.cases[i] != casePreferred && t.cases[i] != caseLarger {
		return nothing, nil
	}
	return money.Sub(j.collected[i], j.calculated[i])
}
