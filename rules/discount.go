package rules

import (
	"cmp"
	"fmt"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// ExceedsAmount reports whether a discount is larger than the amount that it reduces, so that
// the buyer would be paid. A negative amount, such as that of a coupon, cannot be reduced.
func ExceedsAmount(discount, amount decimal.Decimal) bool {
	return discount.IsPos() && discount.Cmp(amount) > 0
}

// SpreadDiscounts sets the discount of each line: its own, and its share of those for the whole transaction. These count
// after coupon lines, in proportion to what is left of the lines above zero. discounts has one for each line, nil for
// none. It returns faults of discounts that exceed their lines.
func SpreadDiscounts(
	items []models.TransactionItem, discounts []*models.Discount, currency string,
) (faults []models.Fault) {
	s := discountSpread{items: items, unit: money.UnitOf(currency)}
	for i, d := range discounts {
		items[i].TotalDiscount = decimal.Decimal{}
		s.left.add(items[i].Amount)
		if fault := s.read(i, d); fault != nil {
			faults = append(faults, *fault)
		}
	}
	if s.path == "" {
		return faults
	}
	if fault := s.spreadWhole(); fault != nil {
		fault.Path, fault.Of = s.path, amountsOfLines
		faults = append(faults, *fault)
	}
	return faults
}

// SpreadDiscountsByClass spreads the discounts of a sale anew after the classes of its products were read. Coupon lines
// lower lines of their class, and the other discounts count after them. The sums stay as they are.
func SpreadDiscountsByClass(items []models.TransactionItem, currency string) {
	if !hasNegative(items) {
		return
	}
	discounts, whole := make([]*models.Discount, len(items)), false
	for i := range items {
		discounts[i] = items[i].SentDiscount()
		whole = whole || discounts[i] != nil && discounts[i].AppliedTo != models.DiscountOfLine
	}
	if whole {
		SpreadDiscounts(items, discounts, currency) // its faults were found before: they do not depend on classes
	}
}

// discountSpread is the state of SpreadDiscounts.
type discountSpread struct {
	items []models.TransactionItem
	// whole are the discounts of the whole transaction by who bears them, and path is that of the first.
	whole map[tax.Reimburser]*exactSum
	path  string
	left  exactSum // the lines after their own discounts
	unit  int64    // the smallest of the currency, in cents
}

// bearers are those who bear a discount, in the order in which their discounts are spread.
var bearers = []tax.Reimburser{tax.ReimbursedBySeller, tax.ReimbursedByManufacturer, tax.ReimbursedByThirdParty}

// read reads the discount of a line. The terms of a coupon line were submitted and stay.
func (s *discountSpread) read(i int, d *models.Discount) *models.Fault {
	item, terms := &s.items[i], tax.DiscountTerms{}
	if item.Amount.IsNeg() {
		terms = valueOf(item.Terms())
	}
	defer func() { item.SetTerms(terms) }()
	if d == nil {
		return nil
	}
	at := fmt.Sprintf("transaction_items[%d].discount_builder.discount_amount", i)
	if d.AppliedTo != models.DiscountOfLine {
		s.path = cmp.Or(s.path, at)
		by := cmp.Or(d.ReimbursedBy, tax.ReimbursedBySeller)
		if s.whole == nil {
			s.whole = map[tax.Reimburser]*exactSum{}
		}
		if s.whole[by] == nil {
			s.whole[by] = &exactSum{}
		}
		s.whole[by].add(d.Amount)
		return nil
	}
	item.TotalDiscount = d.Amount
	if reimbursed := reimbursedIn(&terms, d.ReimbursedBy); reimbursed != nil {
		*reimbursed = d.Amount
	}
	s.left.add(d.Amount.Neg())
	// guard: discounts: one of a line is at most its amount
	if !ExceedsAmount(d.Amount, item.Amount) {
		return nil
	}
	return &models.Fault{
		Code: models.FieldOutOfRange, Path: at,
		Message: "Must not be above the amount of the line, " + money.Format(item.Amount) + ".",
		Of:      []string{fmt.Sprintf("transaction_items[%d].amount", i), fmt.Sprintf("transaction_items[%d].id", i)},
	}
}

// reimbursedIn returns the part of the terms for a discount that is reimbursed; nil for one of the seller.
func reimbursedIn(terms *tax.DiscountTerms, by tax.Reimburser) *decimal.Decimal {
	switch by {
	case tax.ReimbursedByManufacturer:
		return &terms.ByManufacturer
	case tax.ReimbursedByThirdParty:
		return &terms.ByThirdParty
	case tax.ReimbursedBySeller:
	}
	return nil
}

// spreadWhole adds to each line its share of the discounts for the whole transaction.
func (s *discountSpread) spreadWhole() *models.Fault {
	fault := func(message string) *models.Fault {
		return &models.Fault{Code: models.FieldOutOfRange, Message: message}
	}
	var sum exactSum
	for _, by := range bearers {
		if whole := s.whole[by]; whole != nil {
			sum.add(whole.of)
			sum.err = cmp.Or(sum.err, whole.err)
		}
	}
	switch {
	case !sum.isMoney():
		return fault("The sum of the discounts of the transaction " + TooManyDigits)
	// guard: discounts: one of a sale is at most what its lines leave
	case s.left.err == nil && ExceedsAmount(sum.of, s.left.of):
		return fault("Must not be above the sum of the lines after their own discounts, " + money.Format(s.left.of) + ".")
	}
	weights, err := leftByCoupons(s.items, s.unit)
	if err != nil {
		return fault("The share of a line in this discount " + TooManyDigits)
	}
	for _, by := range bearers {
		if whole := s.whole[by]; whole != nil {
			if err := s.share(whole.of, by, weights); err != nil {
				return fault("The share of a line in this discount " + TooManyDigits)
			}
		}
	}
	return nil
}

// share spreads one discount over what is left of the lines, and lowers it.
func (s *discountSpread) share(whole decimal.Decimal, by tax.Reimburser, weights []decimal.Decimal) error {
	shares, err := money.AllocateUnits(whole, weights, s.unit)
	if err != nil {
		return err
	}
	coupons := hasNegative(s.items)
	for i, share := range shares {
		item := &s.items[i]
		if share.IsZero() {
			continue
		}
		if weights[i], err = money.Sub(weights[i], share); err != nil {
			return err
		}
		if item.TotalDiscount, err = money.Add(item.TotalDiscount, share); err != nil {
			return err
		}
		terms := valueOf(item.Terms())
		sums := []*decimal.Decimal{reimbursedIn(&terms, by)}
		if coupons {
			sums = append(sums, &terms.Shared)
		}
		for _, sum := range sums {
			if sum == nil {
				continue
			}
			if *sum, err = money.Add(*sum, share); err != nil {
				return err
			}
		}
		item.SetTerms(terms)
	}
	return nil
}

// leftByCoupons returns what line discounts and coupon lines leave of each line; zero for a coupon line.
func leftByCoupons(items []models.TransactionItem, unit int64) ([]decimal.Decimal, error) {
	left := make([]decimal.Decimal, len(items))
	var err error
	for i := range items {
		if items[i].Amount.IsPos() {
			if left[i], err = money.Sub(items[i].Amount, items[i].TotalDiscount); err != nil {
				return nil, err
			}
		}
	}
	if !HasCoupons(items) {
		return left, nil
	}
	parts, err := couponParts(items, unit)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if left[part.To], err = money.Sub(left[part.To], part.Amount); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// valueOf returns the value of a pointer; the zero value for nil.
func valueOf[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
