package tax

// round rounds the tax once per unit, half away from zero, and hands the
// rounded amount down so that jurisdictions add up to lines and lines to the
// document.
func (k *calculation) round() error {
	if k.req.Rounding == TaxPerDocument {
		if err := k.roundDocument(); err != nil {
			return err
		}
	}
	for i := range k.lines {
		w := &k.lines[i]
		var err error
		switch k.req.Rounding {
		case JurisdictionPerLine:
			shares := k.sharesOf(w)
			for j := range shares {
				s := &shares[j]
				if s.amount, err = s.unrounded.cents(); err != nil {
					return err
				}
				w.tax += s.amount
			}
			continue
		case TaxPerDocument:
		case TaxPerLine:
			if w.tax, err = w.unrounded.cents(); err != nil {
				return err
			}
		}
		if err := w.allocate(k.sharesOf(w)); err != nil {
			return err
		}
	}
	return nil
}

func (k *calculation) roundDocument() error {
	parts, remainders := make([]int64, len(k.lines)), make([]int64, len(k.lines))
	var sum Exact
	cut := int64(0)
	for i := range k.lines {
		var err error
		u := k.lines[i].unrounded
		if parts[i], remainders[i], err = u.cut(); err != nil {
			return err
		}
		sum = sum.plus(u)
		cut += parts[i]
	}
	total, err := sum.cents()
	if err != nil {
		return err
	}
	giveLeftovers(parts, remainders, exactPerCent, total-cut, nil)
	for i := range k.lines {
		k.lines[i].tax = parts[i]
	}
	return nil
}

// allocate spreads the rounded tax of the line over its jurisdictions.
func (w *work) allocate(shares []share) error {
	var partsBuf, remaindersBuf [12]int64
	parts, remainders := partsBuf[:0], remaindersBuf[:0]
	missing := w.tax
	for i := range shares {
		cents, remainder, err := shares[i].unrounded.cut()
		if err != nil {
			return err
		}
		parts, remainders = append(parts, cents), append(remainders, remainder)
		missing -= cents
	}
	if missing != 0 {
		giveLeftovers(parts, remainders, exactPerCent, missing, func(i int) { shares[i].leftover = true })
	}
	for i := range shares {
		shares[i].amount = parts[i]
	}
	return nil
}
