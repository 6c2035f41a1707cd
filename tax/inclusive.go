package tax

import (
	"errors"
	"math/bits"

	"levy/tax/money"
)

// ErrNoNetPrice is returned for a price including tax that no price before tax
// leads to: between a limit per item and that limit with its tax.
var ErrNoNetPrice = errors.New("no price before tax gives this price including tax")

// takeTaxOut finds the price before tax of each line whose price includes it.
// What is before tax decides rules and rates, so both are found together: a
// price, its tax, a better price, until it stays. What was doubted about a price
// that did not stay counts no more; place is what is doubted whatever the prices.
func (k *calculation) takeTaxOut(place grounds) error {
	const enough = 6 // shipping follows its goods, which can pass a limit
	for range enough {
		changed := false
		for i := range k.lines {
			w := &k.lines[i]
			if net := w.netOfGross(); net != w.net {
				w.net, changed = net, true
			}
		}
		if !changed {
			break
		}
		k.assessAgain(place)
	}
	for _, shift := range [...]int64{1, -1} { // roundings can move it by a cent
		if err := k.shiftNets(shift, place); err != nil {
			return err
		}
	}
	for i := range k.lines {
		w := &k.lines[i]
		missing, err := k.missing(w)
		if err != nil {
			return err
		}
		if money.Magnitude(missing) > 1 {
			return ErrNoNetPrice
		}
	}
	return nil
}

// netOfGross is the price before tax by the rates found so far.
func (w *work) netOfGross() int64 {
	net, ok := withoutTax(w.gross, max(w.unrounded.PerBase(w.net*perCent), 0))
	if !ok {
		return w.net
	}
	return net
}

// withoutTax is a price without the tax that it includes at a rate.
func withoutTax(gross, rate int64) (net int64, ok bool) {
	hi, lo := bits.Mul64(money.Magnitude(gross), money.Pow10(money.RateScale))
	magnitude, ok := money.DivHalfAway(hi, lo, money.Pow10(money.RateScale)+uint64(rate))
	if gross < 0 {
		return -int64(magnitude), ok
	}
	return int64(magnitude), ok
}

// shiftNets moves the lines by a cent whose parts do not add up to their price,
// where they then do.
func (k *calculation) shiftNets(shift int64, place grounds) error {
	var moved []int
	for i := range k.lines {
		missing, err := k.missing(&k.lines[i])
		if err != nil {
			return err
		}
		if missing != 0 {
			k.lines[i].net += shift
			moved = append(moved, i)
		}
	}
	if len(moved) == 0 {
		return nil
	}
	k.assessAgain(place)
	back := false
	for _, i := range moved {
		missing, err := k.missing(&k.lines[i])
		if err != nil {
			return err
		}
		if missing != 0 {
			k.lines[i].net -= shift
			back = true
		}
	}
	if back {
		k.assessAgain(place)
	}
	return nil
}

// missing is what price before tax and tax lack of the price.
func (k *calculation) missing(w *work) (int64, error) {
	sum := w.net
	for tax := range uint8(max(1, len(k.levies))) {
		shares := k.sharesOfTax(w, tax)
		if k.req.Rounding != JurisdictionPerLine {
			cents, err := unroundedOf(shares).Cents()
			if err != nil {
				return 0, err
			}
			sum += cents
			continue
		}
		for i := range shares {
			cents, err := shares[i].unrounded.Cents()
			if err != nil {
				return 0, err
			}
			sum += cents
		}
	}
	return w.gross - sum, nil
}

// assessAgain assesses all lines again, by their prices before tax.
func (k *calculation) assessAgain(place grounds) {
	for i := range k.lines {
		w := &k.lines[i]
		*w = work{
			line: w.line, class: w.class, amount: w.amount, discount: w.discount, net: w.net, gross: w.gross,
			item: newPerItem(w.net, w.line),
		}
	}
	k.shares, k.grounds = k.shares[:0], place
	k.relieve()
	k.assessAll()
}

// fit makes the tax of each line what its price holds above the price before
// tax, at most a cent off the rounded one.
func (k *calculation) fit() error {
	for i := range k.lines {
		w := &k.lines[i]
		if w.tax == w.gross-w.net {
			continue
		}
		shares := k.sharesOf(w)
		for j := range shares {
			shares[j].leftover = false
		}
		w.tax, w.fitted = 0, true
		if err := w.allocate(w.gross-w.net, shares); err != nil {
			return err
		}
	}
	return nil
}
