package tax

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/money"
)

// VendorAllowance is what a state leaves to sellers that file and pay in time, in a period.
type VendorAllowance struct {
	State, Program string
	Filers         []calendar.FilingFrequency // none for all
	calendar.Span
	ByDueDay   bool // the span is of due days, otherwise of the last days of periods
	ByDay      int  // paid until this day of the month after the period; 0 for the due day
	Tiers      []AllowanceTier
	Marginal   bool   // each part of the tax at the rate of its tier, otherwise all at one rate
	TierBy     string // the amount that decides about the tier
	CapPer     string // the period of the cap
	Basis      string // the tax that the rate applies to
	Condition  string // the sellers that get it
	Source     string
	Confidence Confidence
}

// AllowanceTier is a tier of an allowance, above From up to To. To is zero for no end.
type AllowanceTier struct {
	From, To     money.Total
	Rate         decimal.Decimal
	Minimum, Cap money.Total // zero for none
}

// AllowanceProgram is the program of the return that every seller files.
const AllowanceProgram = "SALES"

// The bases of allowances that Levy can tell.
const (
	BasisStateTax         = "STATE_TAX"
	basisStateAndLocalTax = "STATE_AND_LOCAL_TAX"
	basisTaxDue           = "TAX_DUE"
	basisAmountDue        = "AMOUNT_DUE"
)

// tierByTax is the amount that decides about a tier if it is the tax itself.
const tierByTax = "TAX_DUE"

// The periods of caps.
const (
	capPerMonth  = "MONTH"
	capPerReturn = "RETURN"
	capPerPeriod = "FILING_PERIOD"
)

// VendorAllowances returns all allowances, by state.
func (c *Content) VendorAllowances() []VendorAllowance { return slices.Clone(c.allowances) }

// VendorAllowance returns the allowance of the ordinary return of a state for a period that ends on end and is filed on
// day. A seller that files early may have a larger one.
func (c *Content) VendorAllowance(state string, f calendar.FilingFrequency, end, due, day calendar.Date) (VendorAllowance, bool) {
	found := -1
	for i := range c.allowances {
		a := &c.allowances[i]
		on := end
		if a.ByDueDay {
			on = due
		}
		switch {
		case a.State != state || a.Program != AllowanceProgram || !a.Holds(on):
		case len(a.Filers) > 0 && !slices.Contains(a.Filers, f):
		case a.ByDay > 0 && (day == 0 || day > end.LastOfMonth().AddDays(a.ByDay)):
		case found >= 0 && (a.ByDay == 0 || c.allowances[found].ByDay > 0 && c.allowances[found].ByDay < a.ByDay):
		default:
			found = i
		}
	}
	if found < 0 {
		return VendorAllowance{}, false
	}
	return c.allowances[found], true
}

// None reports whether it is known that the state grants no allowance.
func (a *VendorAllowance) None() bool {
	return a.Confidence != ConfidenceLow && len(a.Tiers) == 1 && a.Tiers[0].Rate.IsZero() && a.Tiers[0].Minimum.IsZero()
}

// Flat reports whether the allowance is one rate of the whole tax, without a limit.
func (a *VendorAllowance) Flat() bool {
	return len(a.Tiers) == 1 && a.Tiers[0].Cap.IsZero() && a.Tiers[0].Minimum.IsZero()
}

// Computable reports whether the allowance follows from the tax of one return.
func (a *VendorAllowance) Computable() bool {
	return (a.TierBy == "" || a.TierBy == tierByTax) &&
		slices.Contains([]string{BasisStateTax, basisStateAndLocalTax, basisTaxDue, basisAmountDue}, a.Basis)
}

// Of returns the allowance of a tax for a period of some months, rounded once over its tiers. A cap of a year is taken for
// that of the return, because other returns of the year are not known. Errors: money.ErrOverflow.
func (a *VendorAllowance) Of(whole money.Total, months int) (money.Total, error) {
	return a.of(whole, months, 1)
}

// InUnits returns the same for a form in whole units of the currency. Errors: money.ErrOverflow.
func (a *VendorAllowance) InUnits(whole money.Total, months int) (money.Total, error) {
	return a.of(whole, months, 100)
}

// of is Of in multiples of some cents.
func (a *VendorAllowance) of(whole money.Total, months int, cents int64) (sum money.Total, err error) {
	if !whole.IsPositive() {
		return money.Total{}, nil
	}
	var last AllowanceTier
	var parts []money.Part
	for _, t := range a.Tiers {
		// guard: allowances: a tax on the end of a tier is in that tier
		if above, _ := whole.Minus(t.From); above.IsNeg() || above.IsZero() {
			break
		}
		last = t
		if !a.Marginal {
			continue
		}
		upTo := whole
		if !t.To.IsZero() {
			upTo = money.MinTotal(whole, t.To)
		}
		if upTo, err = upTo.Minus(t.From); err != nil {
			return sum, err
		}
		parts = append(parts, money.Part{Of: upTo, Rate: t.Rate})
	}
	if !a.Marginal {
		parts = []money.Part{{Of: whole, Rate: last.Rate}}
	}
	sum = money.SumOfParts(cents, parts...)
	sum = money.MaxTotal(sum, money.MinTotal(last.Minimum, whole))
	if most := last.Cap; !most.IsZero() {
		for n := 1; n < months && a.CapPer == capPerMonth; n++ {
			if most, err = most.Plus(last.Cap); err != nil {
				return sum, err
			}
		}
		sum = money.MinTotal(sum, most)
	}
	return sum, nil
}

func (b *builder) addVendorAllowances(rows []content.VendorAllowanceRow) {
	for _, row := range rows {
		a := VendorAllowance{
			State: row.State, Program: row.Program, Span: calendar.Span{From: row.From, To: row.To},
			ByDueDay: row.Dates == "DUE", ByDay: row.ByDay, Marginal: row.TierKind == "MARGINAL", TierBy: row.TierBy,
			CapPer: row.CapPer, Basis: row.Basis, Condition: row.Condition, Source: row.Source,
			Confidence: Confidence(row.Confidence),
		}
		var tier AllowanceTier
		var overflow error
		for _, amount := range []struct {
			to   *money.Total
			from decimal.Decimal
		}{{&tier.From, row.TierFrom}, {&tier.To, row.TierTo}, {&tier.Minimum, row.Minimum}, {&tier.Cap, row.Cap}} {
			if *amount.to, overflow = money.ParseTotal(amount.from.String()); overflow != nil {
				b.fault(row.At, "amount %v", amount.from)
			}
		}
		tier.Rate = row.Rate
		switch {
		case b.c.usState(row.State) == 0:
			b.fault(row.At, "unknown state %q", row.State)
		case row.Program == "" || row.Source == "":
			b.fault(row.At, "no program or source")
		case row.Rate.IsNeg() || row.Rate.Cmp(decimal.One) >= 0:
			b.fault(row.At, "rate %v", row.Rate)
		case row.TierKind != "MARGINAL" && row.TierKind != "WHOLE" && row.TierKind != "":
			b.fault(row.At, "tier kind %q", row.TierKind)
		case row.Dates != "DUE" && row.Dates != "PERIOD_END":
			b.fault(row.At, "dates %q", row.Dates)
		case !tier.Cap.IsZero() && row.CapPer == "":
			b.fault(row.At, "a cap without its period")
		case !row.Rate.IsZero() && row.Basis == "":
			b.fault(row.At, "a rate without its basis")
		}
		b.checkSpan(row.At, a.Span)
		for _, frequency := range row.Filers {
			a.Filers = append(a.Filers, calendar.FilingFrequency(frequency))
		}
		b.addTier(row.At, a, tier)
	}
}

// addTier adds a tier to the allowance of the row before if both are the same but for it. A second allowance of the same
// filers and days is a fault.
func (b *builder) addTier(at content.RowRef, a VendorAllowance, tier AllowanceTier) {
	if n := len(b.c.allowances) - 1; n >= 0 && sameAllowance(&b.c.allowances[n], &a) && !tier.From.IsZero() {
		last := &b.c.allowances[n]
		if last.Tiers[len(last.Tiers)-1].To != tier.From {
			b.fault(at, "the tier does not begin where the one before ends")
		}
		last.Tiers = append(last.Tiers, tier)
		return
	}
	if !tier.From.IsZero() {
		b.fault(at, "no first tier")
	}
	for i := range b.c.allowances {
		if o := &b.c.allowances[i]; o.State == a.State && o.Program == a.Program && o.ByDay == a.ByDay &&
			slices.Equal(o.Filers, a.Filers) && o.ByDueDay == a.ByDueDay {
			b.checkApart(at, a.Span, o.Span)
		}
	}
	a.Tiers = []AllowanceTier{tier}
	b.c.allowances = append(b.c.allowances, a)
}

// sameAllowance reports whether two rows are tiers of one allowance.
func sameAllowance(a, o *VendorAllowance) bool {
	return a.State == o.State && a.Program == o.Program && a.Span == o.Span && a.ByDay == o.ByDay && slices.Equal(a.Filers, o.Filers)
}
