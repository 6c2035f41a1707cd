package tax

import (
	"slices"

	"levy/tax/money"
)

// round rounds each tax once per rounding unit, half away from zero, to the smallest unit of the currency. It divides
// the rounded amount among the jurisdictions, so that jurisdictions add up to lines and lines to the document.
func (k *calculation) round() error {
	for tax := range uint8(max(1, len(k.levies))) {
		if err := k.roundTax(tax); err != nil {
			return err
		}
	}
	return nil
}

func (k *calculation) roundTax(tax uint8) error {
	switch k.req.Rounding {
	case TaxPerDocument:
		return k.roundDocument(tax)
	case JurisdictionPerLine:
		for i := range k.lines {
			w := &k.lines[i]
			shares := k.sharesOfTax(w, tax)
			for j := range shares {
				units, err := shares[j].unrounded.Units(k.unit)
				if err != nil {
					return err
				}
				w.take(&shares[j], units*k.unit)
			}
		}
	case TaxPerLine:
		for i := range k.lines {
			w := &k.lines[i]
			shares := k.sharesOfTax(w, tax)
			units, err := unroundedOf(shares).Units(k.unit)
			if err != nil {
				return err
			}
			if err := w.allocate(units, shares, k.unit); err != nil {
				return err
			}
		}
	}
	return nil
}

// take adds the rounded amount of a jurisdiction to the line.
func (w *work) take(s *share, cents int64) {
	s.amount = cents
	w.tax += cents
}

// sharesOfTax is the part of the shares of a line that belongs to one tax.
func (k *calculation) sharesOfTax(w *work, tax uint8) []share {
	shares := k.sharesOf(w)
	if len(k.levies) < 2 {
		return shares
	}
	from := 0
	for from < len(shares) && shares[from].tax != tax {
		from++
	}
	to := from
	for to < len(shares) && shares[to].tax == tax {
		to++
	}
	return shares[from:to]
}

func unroundedOf(shares []share) (sum money.Exact) {
	for i := range shares {
		sum = sum.Plus(shares[i].unrounded)
	}
	return sum
}

// allocate spreads the rounded units of a tax on the line over its jurisdictions.
func (w *work) allocate(units int64, shares []share, unit int64) error {
	if len(shares) == 1 {
		w.take(&shares[0], units*unit)
		return nil
	}
	var partsBuf, remaindersBuf [12]int64
	parts, remainders := partsBuf[:0], remaindersBuf[:0]
	for i := range shares {
		part, remainder, err := shares[i].unrounded.Cut(unit)
		if err != nil {
			return err
		}
		parts, remainders = append(parts, part), append(remainders, remainder)
		units -= part
	}
	if units != 0 {
		money.SpreadLeftovers(
			parts, remainders, money.ExactPerCent*unit, units, func(i int) { shares[i].leftover = true },
		)
	}
	for i := range shares {
		w.take(&shares[i], parts[i]*unit)
	}
	return nil
}

// placeTax is one tax in one jurisdiction on the whole document.
type placeTax struct {
	jurisdiction uint16
	unrounded    money.Exact
}

// roundDocument rounds a tax once on the whole document. The rounded amount goes to the jurisdictions first, and that of
// each jurisdiction to its lines. So a return is right by place although the lines are small.
func (k *calculation) roundDocument(tax uint8) error {
	places, sum := k.placeTaxes(tax)
	total, err := sum.Units(k.unit)
	if err != nil {
		return err
	}
	unrounded := make([]money.Exact, len(places))
	for i := range places {
		unrounded[i] = places[i].unrounded
	}
	parts, err := k.apportion(total, unrounded, nil)
	if err != nil {
		return err
	}
	for i := range places {
		if err := k.roundPlace(tax, places[i].jurisdiction, parts[i]); err != nil {
			return err
		}
	}
	return nil
}

// placeTaxes adds up a tax by jurisdiction, in the order of the jurisdictions.
func (k *calculation) placeTaxes(tax uint8) (places []placeTax, sum money.Exact) {
	for i := range k.lines {
		shares := k.sharesOfTax(&k.lines[i], tax)
		for j := range shares {
			s := &shares[j]
			at := slices.IndexFunc(places, func(p placeTax) bool { return p.jurisdiction == s.jurisdiction })
			if at < 0 {
				at = len(places)
				places = append(places, placeTax{jurisdiction: s.jurisdiction})
			}
			places[at].unrounded = places[at].unrounded.Plus(s.unrounded)
			sum = sum.Plus(s.unrounded)
		}
	}
	slices.SortStableFunc(places, func(a, b placeTax) int {
		return slices.Index(k.set, a.jurisdiction) - slices.Index(k.set, b.jurisdiction)
	})
	return places, sum
}

// roundPlace spreads the units of a jurisdiction over its parts of the lines.
func (k *calculation) roundPlace(tax uint8, jurisdiction uint16, units int64) error {
	var of []*share
	var by []*work
	var unrounded []money.Exact
	for i := range k.lines {
		shares := k.sharesOfTax(&k.lines[i], tax)
		for j := range shares {
			if s := &shares[j]; s.jurisdiction == jurisdiction {
				of, by, unrounded = append(of, s), append(by, &k.lines[i]), append(unrounded, s.unrounded)
			}
		}
	}
	parts, err := k.apportion(units, unrounded, func(i int) { of[i].leftover = true })
	if err != nil {
		return err
	}
	for i, s := range of {
		by[i].take(s, parts[i]*k.unit)
	}
	return nil
}

// apportion cuts the parts of a rounded sum to units. The missing units go one by one to the largest remainders, the
// earlier of equal ones first.
func (k *calculation) apportion(units int64, unrounded []money.Exact, got func(int)) ([]int64, error) {
	parts, remainders := make([]int64, len(unrounded)), make([]int64, len(unrounded))
	for i := range unrounded {
		var err error
		if parts[i], remainders[i], err = unrounded[i].Cut(k.unit); err != nil {
			return nil, err
		}
		units -= parts[i]
	}
	if units != 0 {
		money.SpreadLeftovers(parts, remainders, money.ExactPerCent*k.unit, units, got)
	}
	return parts, nil
}
