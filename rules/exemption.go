package rules

import (
	"cmp"
	"slices"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// DecideExemptions decides which lines are exempt, and why. The first of these frees a line: its product, an exemption
// of the customer, one of the transaction. The submitted flags of line and transaction come last. An exemption for a
// part of a country, other than the United States, does not free it from the tax of the country. Stage 4 applies it.
// Coupon lines are neither exempt nor taxed. Errors: money.ErrOverflow.
func DecideExemptions(t models.Transaction) (models.ExemptionOutcome, error) {
	if err := spreadCouponsOf(t); err != nil {
		return models.ExemptionOutcome{}, err
	}
	outcome := models.ExemptionOutcome{
		Ref:   models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch},
		Lines: make([]models.LineExemption, 0, len(t.Items)),
	}
	exemption, elsewhere := applicable(t), certificateElsewhere(t)
	var originals map[int]*models.TransactionItem
	if t.Original != nil {
		originals = make(map[int]*models.TransactionItem, len(t.Original.Items))
		for i := range t.Original.Items {
			originals[t.Original.Items[i].LineNo] = &t.Original.Items[i]
		}
	}
	valued, exempt := 0, 0
	for _, item := range t.Items {
		if item.IsCoupon {
			outcome.Lines = append(outcome.Lines, models.LineExemption{LineNo: item.LineNo})
			continue
		}
		line := exemptLine(t, item, exemption)
		applied := line.ExemptionID
		if item.OriginalLine != nil {
			line = exemptAs(originals[*item.OriginalLine], item.LineNo)
			applied = line.ExemptionID
		} else if elsewhere != nil && !line.Exempt && line.ExemptionID == "" {
			line.ExemptionID = elsewhere.ID
		}
		outcome.Lines = append(outcome.Lines, line)
		if applied != "" && len(outcome.Applied) == 0 {
			outcome.Applied = []string{applied}
		}
		net, err := item.NetAmount()
		if err != nil {
			return models.ExemptionOutcome{}, err
		}
		if net.IsZero() {
			continue
		}
		valued++
		if line.Exempt {
			exempt++
		}
	}
	outcome.Exempt = exemptStatusOf(valued, exempt, 0)
	return outcome, nil
}

// renewExemptions reports whether the decision of stage 2 about exemptions is outdated. An obligation that arose since
// may have moved the sale to the law of another country. It then decides again for the lines, so that no answer has a
// tax that neither law asks for. Stage 4 loads the exemptions of sales for which this is possible.
func renewExemptions(t *models.Transaction) (outdated bool, err error) {
	if len(t.Exemptions) == 0 {
		return false, nil
	}
	now, err := DecideExemptions(*t)
	if err != nil {
		return false, err
	}
	for i, line := range now.Lines {
		item := t.Items[i]
		outdated = outdated || line.Exempt != item.Exempt || line.ExemptionID != text(item.ExemptionID)
	}
	if outdated {
		t.Items = slices.Clone(t.Items)
		applyExemptions(now, t)
	}
	return outdated, nil
}

// applyExemptions writes the decision into the lines of its transaction.
func applyExemptions(o models.ExemptionOutcome, t *models.Transaction) {
	for i, line := range o.Lines {
		item := &t.Items[i]
		item.Exempt, item.TaxExemption, item.ExemptionID = line.Exempt, nil, nil
		if line.Exempt {
			item.TaxExemption = &o.Lines[i].TaxExemption
		}
		if line.ExemptionID != "" {
			item.ExemptionID = &o.Lines[i].ExemptionID
		}
	}
}

// exemptAs returns the exemption of a line of a refund: that of the refunded line.
func exemptAs(original *models.TransactionItem, lineNo int) models.LineExemption {
	line := models.LineExemption{LineNo: lineNo}
	if original == nil {
		return line
	}
	line.ExemptionID = text(original.ExemptionID)
	if original.Exempt {
		line.Exempt, line.TaxExemption = true, text(original.TaxExemption)
	}
	return line
}

func exemptLine(t models.Transaction, item models.TransactionItem, exemption *models.Exemption) models.LineExemption {
	line := models.LineExemption{LineNo: item.LineNo, Exempt: true}
	switch {
	case item.ProductTaxExempt:
		line.TaxExemption = string(tax.ExemptionProduct)
	case exemption != nil && !ofPart(*exemption):
		line.TaxExemption = string(taxExemptionOf(exemption.ExemptionType))
		line.ExemptionID = exemption.ID
	case item.ExemptSent:
		line.TaxExemption = string(tax.ExemptionTransaction)
		if item.TaxExemptionSent != nil {
			line.TaxExemption = *item.TaxExemptionSent
		}
	case t.ExemptSent == models.FullyExempt:
		line.TaxExemption = string(tax.ExemptionTransaction)
	default:
		line.Exempt = false
		if exemption != nil {
			line.ExemptionID = exemption.ID
		}
	}
	return line
}

// applicable chooses among the exemptions that apply. One for a part of a country comes after all that free from more.
// One of the customer comes before one of the transaction, one for the state before one for the country, the older one
// first.
func applicable(t models.Transaction) *models.Exemption {
	var matching []models.Exemption
	for _, e := range t.Exemptions {
		if exemptionApplies(e, t) {
			matching = append(matching, e)
		}
	}
	if len(matching) == 0 {
		return nil
	}
	first := slices.MinFunc(matching, func(a, b models.Exemption) int {
		return cmp.Or(
			cmp.Compare(narrowness(a), narrowness(b)),
			cmp.Compare(exemptionRank(a), exemptionRank(b)),
			cmp.Compare(breadth(a), breadth(b)),
			cmp.Compare(a.ID, b.ID))
	})
	return &first
}

// exemptionApplies reports whether an exemption applies by the contract. It is ACTIVE or EXPIRED, the tax date is
// within its dates, and it holds where the transaction is taxed. An exemption for one transaction frees no other.
func exemptionApplies(e models.Exemption, t models.Transaction) bool {
	country, state := taxingState(t)
	return inForce(e, t) && holdsIn(e, country, state)
}

// inForce is exemptionApplies without the place.
func inForce(e models.Exemption, t models.Transaction) bool {
	if e.Status != models.ExemptionActive && e.Status != models.ExemptionExpired {
		return false
	}
	if e.TransactionID != nil && *e.TransactionID != t.ID {
		return false
	}
	day := calendar.DateOf(t.TaxDate)
	return day >= calendar.DateOf(e.StartDate) && (e.EndDate == nil || day <= calendar.DateOf(*e.EndDate))
}

// grantedIn returns the country and the state in which an exemption holds; no state means the whole country. The
// jurisdiction of a whole country may be left out or repeat the country. Puerto Rico is a state for taxes.
func grantedIn(e models.Exemption) (country, state string) {
	country, state = strings.ToUpper(e.CountryCode), strings.ToUpper(text(e.Jurisdiction))
	switch {
	case country == "PR":
		return models.UnitedStates, "PR"
	case state == country:
		return country, ""
	}
	return country, state
}

func holdsIn(e models.Exemption, country, state string) bool {
	of, within := grantedIn(e)
	return strings.EqualFold(of, country) && (within == "" || strings.EqualFold(within, state))
}

// ofPart reports whether an exemption is for a part of a country with a tax of its own, such as a province of Canada.
// It frees from the tax of that part, and not from the VAT or the GST of the country.
func ofPart(e models.Exemption) bool {
	country, state := grantedIn(e)
	return country != models.UnitedStates && state != ""
}

func narrowness(e models.Exemption) int {
	if ofPart(e) {
		return 1
	}
	return 0
}

func exemptionRank(e models.Exemption) int {
	switch e.ExemptionType {
	case models.ExemptionCustomer:
		return 0
	case models.ExemptionWholesale:
		return 1
	case models.ExemptionTransaction:
		return 2
	}
	return 3
}

func breadth(e models.Exemption) int {
	if _, state := grantedIn(e); state == "" {
		return 1
	}
	return 0
}

func taxExemptionOf(kind models.ExemptionType) tax.TaxExemption {
	switch kind {
	case models.ExemptionCustomer:
		return tax.ExemptionCustomer
	case models.ExemptionWholesale:
		return tax.ExemptionWholesale
	case models.ExemptionTransaction:
	}
	return tax.ExemptionTransaction
}

// exemptStatusOf returns the exemption status of a transaction. valued counts its lines with a value, exempt and
// zeroRate those of them that are exempt or taxed at zero.
func exemptStatusOf(valued, exempt, zeroRate int) models.ExemptStatus {
	switch {
	case exempt > 0 && exempt == valued:
		return models.FullyExempt
	case exempt > 0:
		return models.PartiallyExempt
	case zeroRate > 0 && zeroRate == valued:
		return models.ZeroRateNotExempt
	}
	return models.NotExempt
}

// SameGrant reports whether two exemptions are equal but for their ids.
func SameGrant(e models.Exemption, other models.Exemption) bool {
	sameEnd := e.EndDate == nil && other.EndDate == nil ||
		e.EndDate != nil && other.EndDate != nil && e.EndDate.Equal(*other.EndDate)
	return sameEnd && e.ExemptionType == other.ExemptionType && e.StartDate.Equal(other.StartDate) &&
		e.CountryCode == other.CountryCode &&
		e.Reseller == other.Reseller && e.Status == other.Status &&
		sameTexts(e.CustomerID, other.CustomerID, e.TransactionID, other.TransactionID,
			e.Jurisdiction, other.Jurisdiction, e.ExemptionCategory, other.ExemptionCategory, e.FEIN, other.FEIN, e.SalesTaxID, other.SalesTaxID)
}
