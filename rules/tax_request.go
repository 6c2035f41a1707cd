package rules

import (
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/taxid"
)

// taxRequest returns the request to the engine about a transaction with a known place and decided exemptions. rates has
// the known ones of ConversionPairs.
func taxRequest(t models.Transaction, rates Rates, rounding tax.RoundingUnit) tax.Request {
	request := tax.Request{
		TaxDate:     calendar.DateOf(t.TaxDate),
		Currency:    t.Currency,
		Destination: *t.Place,
		Origin:      t.Origin,
		Marketplace: t.Marketplace,
		Rounding:    rounding,

		PricesIncludeTax: t.PricesIncludeTax(),
		CustomerVAT:      validVAT(t.Customer),
		Rates:            lawRates(t, rates),
		Overrides:        t.Overrides,
		Lines:            make([]tax.Line, 0, len(t.Items)),

		BelowUnionThreshold: belowUnionThreshold(t),
	}
	if t.Marketplace {
		request.Seller = t.Home
	}
	if t.DependsOnRegistration() {
		request.Registered = registeredIn(t)
	}
	for _, item := range t.Items {
		request.Lines = append(request.Lines, tax.Line{
			ID:                item.ID,
			ExternalID:        text(item.ExternalID),
			ExternalProductID: item.ExternalProductID,
			Class:             item.TaxClass,
			Classification:    item.Classification,
			Amount:            item.Amount,
			Discount:          item.TotalDiscount,
			Quantity:          item.Quantity,
			Exempt:            exemptOf(t, item),
			Terms:             item.Terms(),
		})
	}
	return request
}

// registeredIn returns the authorities over the place of taxation with which the seller is registered, as ids of
// jurisdictions, such as "CA" and "CA-QC". It returns an empty list if there is none, because nil means unknown. A
// registration of the simplified regime of Canada or Quebec leaves the tax to the marketplace. The Excise Tax Act,
// section 211.23, is about sellers who are not registered under subdivision D of division V.
func registeredIn(t models.Transaction) []string {
	country, state := taxingState(t)
	day, in := calendar.DateOf(t.TaxDate), []string{}
	for i := range t.Obligations {
		o := &t.Obligations[i]
		id, place := country, o.Place()
		if place.State != "" {
			id += "-" + place.State
		}
		active := o.Registered != nil && !o.Simplified && calendar.DateOf(*o.Registered) <= day
		if active && place.Counts(country, state, t.Home, day) && !slices.Contains(in, id) {
			in = append(in, id)
		}
	}
	return in
}

// validVAT lists the countries in which the customer has a well-formed VAT id. Northern Ireland is one beside the
// United Kingdom: goods between it and the European Union cross no border.
func validVAT(c models.Customer) (countries []string) {
	add := func(country string) {
		if !slices.Contains(countries, country) {
			countries = append(countries, country)
		}
	}
	for _, r := range c.TaxRegistrations {
		if !ofConsumption(r) {
			continue
		}
		add(r.CountryCode)
		if r.CountryCode == "GB" && taxid.NorthernIreland(r.TaxID) {
			add("XI")
		}
	}
	return countries
}

// ofConsumption reports whether an id is a well-formed one of the VAT of a country, or of its GST. That of Canada frees no
// supply from abroad.
func ofConsumption(r models.CustomerTaxRegistration) bool {
	switch r.TaxType {
	case "vat":
		return taxid.Valid(r.CountryCode, "vat", r.TaxID)
	case "gst":
		return r.CountryCode != "CA" && taxid.Valid(r.CountryCode, "gst", r.TaxID)
	case "unknown":
		return taxid.Valid(r.CountryCode, "vat", r.TaxID) || r.CountryCode != "CA" && taxid.Valid(r.CountryCode, "gst", r.TaxID)
	}
	return false
}

// exemptOf returns the decision of stage 2 as the engine takes it. Stage 2 has compared country and state. A line that
// it leaves taxed may still have an exemption from the tax of a part of the country.
func exemptOf(t models.Transaction, item models.TransactionItem) *tax.Exempt {
	exempt := &tax.Exempt{TaxExemption: tax.TaxExemption(text(item.TaxExemption)), ExemptionID: text(item.ExemptionID)}
	if !item.Exempt {
		i := slices.IndexFunc(t.Exemptions, func(e models.Exemption) bool {
			return e.ID == exempt.ExemptionID && ofPart(e)
		})
		if i < 0 {
			return nil
		}
		exempt.TaxExemption = taxExemptionOf(t.Exemptions[i].ExemptionType)
		exempt.Country, exempt.State = grantedIn(t.Exemptions[i])
	}
	exempt.Category = exemptionCategoryOf(t, item, exempt.TaxExemption)
	switch exempt.TaxExemption {
	case tax.ExemptionProduct:
		exempt.Reason = tax.ReasonProductExempt
	case tax.ExemptionCustomer, tax.ExemptionWholesale:
		exempt.Reason = tax.ReasonCustomerExempt
	case tax.ExemptionReverseCharge:
		exempt.Reason = tax.ReasonReverseCharge
	case tax.ExemptionExport:
		exempt.Reason = tax.ReasonExport
	case tax.ExemptionTransaction, tax.ExemptionRegion, tax.ExemptionZeroRate, tax.ExemptionHighValue,
		tax.ExemptionZeroValue, tax.ExemptionNoRuleFound:
		exempt.Reason = tax.ReasonTransactionExempt
	default: // a reason only clients use
		exempt.Reason = tax.ReasonTransactionExempt
	}
	return exempt
}

// exemptionCategoryOf returns why a line is exempt, in the words of returns. Its exemption comes before the category that
// the client has sent. It returns "" for none, and where the kind of the exemption says it.
func exemptionCategoryOf(t models.Transaction, item models.TransactionItem, kind tax.TaxExemption) string {
	var category string
	switch id := text(item.ExemptionID); {
	case kind == tax.ExemptionProduct:
		return ""
	case id != "":
		category = t.ExemptionCategories[id]
		// Stage 4 may have decided for another exemption than stage 2.
		if i := slices.IndexFunc(t.Exemptions, func(e models.Exemption) bool { return e.ID == id }); i >= 0 {
			category = t.Exemptions[i].Category()
		}
	default:
		category = item.ExemptionCategorySent()
	}
	if kind == tax.ExemptionWholesale && category == models.CategoryResale {
		return ""
	}
	return category
}

// text returns a string, empty for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
