package tax

import (
	"levy/tax/money"
)

func (k *calculation) roundTax(tax uint8) error {
	switch k.req.Rounding {
	case TaxPerDocument:
		return k.roundDocument(tax)
	case JurisdictionPerLine:
		for i := range k.lines {
			w := &k.lines[i]
			shares := k.sharesOfTax(w, tax)
			for j := range shares {
				var err error
				if shares[j].amount, err = shares[j].unrounded.Cents(); err != nil {
					return err
				}
				w.tax += shares[j].amount
			}
		}
	case TaxPerLine:
		for i := range k.lines {
			w := &k.lines[i]
			shares := k.sharesOfTax(w, tax)
			cents, err := unroundedOf(shares).Cents()
			if err != nil {
				return err
			}
			if err := w.allocate(cents, shares); err != nil {
				return err
			}
		}
	}
	return nil
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

func (k *calculation) roundDocument(tax uint8) error {
	parts, remainders := make([]int64, len(k.lines)), make([]int64, len(k.lines))
	var sum money.Exact
	cut := int64(0)
	for i := range k.lines {
		var err error
		u := unroundedOf(k.sharesOfTax(&k.lines[i], tax))
		if parts[i], remainders[i], err = u.Cut(); err != nil {
			return err
		}
		sum = sum.Plus(u)
		cut += parts[i]
	}
	total, err := sum.Cents()
	if err != nil {
		return err
	}
	money.SpreadLeftovers(parts, remainders, money.ExactPerCent, total-cut, nil)
	for i := range k.lines {
		w := &k.lines[i]
		if err := w.allocate(parts[i], k.sharesOfTax(w, tax)); err != nil {
			return err
		}
	}
	return nil
}

// allocate spreads the rounded amount of a tax on the line over its
// jurisdictions.
func (w *work) allocate(cents int64, shares []share) error {
	w.tax += cents
	if len(shares) == 1 {
		shares[0].amount = cents
		return nil
	}
	var partsBuf, remaindersBuf [12]int64
	parts, remainders := partsBuf[:0], remaindersBuf[:0]
	for i := range shares {
		part, remainder, err := shares[i].unrounded.Cut()
		if err != nil {
			return err
		}
		parts, remainders = append(parts, part), append(remainders, remainder)
		cents -= part
	}
	if cents != 0 {
		money.SpreadLeftovers(parts, remainders, money.ExactPerCent, cents, func(i int) { shares[i].leftover = true })
	}
	for i := range shares {
		shares[i].amount = parts[i]
	}
	return nil
}
