package tax

import "levy/tax/money"

// tolerated is by how many of the smallest units of its currency a document may differ between the units of rounding
// without a warning.
const tolerated = 5

// warnOfRounding warns where the unit of rounding matters. Either all taxes by line are rounded to nothing, or the tax
// by line is not that by document.
func (k *calculation) warnOfRounding(found *warned) error {
	taxes := int64(max(1, len(k.levies)))
	// Every rounding moves the tax by half a unit at most, so that few of them cannot differ by more.
	// guard: rounding: a warning costs nothing on ordinary documents
	if (int64(len(k.lines))+1)*taxes <= 2*tolerated && !k.isRoundedToNothing() {
		return nil
	}
	byLine, byDocument, rounded := int64(0), int64(0), false
	for tax := range uint8(taxes) {
		var sum money.Exact
		for i := range k.lines {
			unrounded := unroundedOf(k.sharesOfTax(&k.lines[i], tax))
			units, err := unrounded.Units(k.unit)
			if err != nil {
				return err
			}
			sum = sum.Plus(unrounded)
			byLine += units
			rounded = rounded || units != 0
		}
		units, err := sum.Units(k.unit)
		if err != nil {
			return err
		}
		byDocument += units
	}
	if nothing := !rounded && k.hasTax(); !nothing && money.Magnitude(byLine-byDocument) <= tolerated {
		return nil
	}
	found.of(WarningRoundingUnit, "Rounded by line the tax is "+string(money.AppendCents(nil, byLine*k.unit))+
		", by document "+string(money.AppendCents(nil, byDocument*k.unit))+". The setting tax_rounding, or tax_rounding of "+
		"one document, chooses the unit; here it is "+string(k.req.Rounding)+".")
	return nil
}

// isRoundedToNothing reports whether there is tax and no line bears any of it.
func (k *calculation) isRoundedToNothing() bool {
	for i := range k.lines {
		if k.lines[i].tax != 0 {
			return false
		}
	}
	return k.hasTax()
}

// hasTax reports whether a line has a tax before it is rounded.
func (k *calculation) hasTax() bool {
	for i := range k.lines {
		if !k.lines[i].unrounded.IsZero() {
			return true
		}
	}
	return false
}
