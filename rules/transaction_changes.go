package rules

import (
	"encoding/json"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
)

// creditsRelyOn are the fields of a sale that its credit notes were checked against, or take their collected tax from.
var creditsRelyOn = []string{
	"total_amount", "currency", "date", "shop_date", "shop_date_tz", "status", "addresses", "transaction_items", "marketplace",
	"total_tax_amount_imported", "prices_include_tax", "tax_rounding",
}

// TransactionChanges lists the fields that a client can set and in which two versions of a transaction differ, in the
// order of the answer.
func TransactionChanges(stored, next *models.Transaction) []string {
	stored = AsSubmitted(stored)
	changed := []string{}
	differs := func(field string, different bool) {
		if different {
			changed = append(changed, field)
		}
	}
	differs("external_id", stored.ExternalID != next.ExternalID)
	differs("status", stored.Status != next.Status)
	differs("date", !stored.Date.Equal(next.Date))
	differs("shop_date", text(stored.ShopDate) != text(next.ShopDate))
	differs("shop_date_tz", text(stored.ShopDateTZ) != text(next.ShopDateTZ))
	differs("prices_include_tax", stored.PricesIncludeTax() != next.PricesIncludeTax())
	// A version without a unit had that of the organization, as the next one has unless the client submits another.
	differs("tax_rounding", stored.TaxRounding != nil && text(stored.TaxRounding) != text(next.TaxRounding))
	differs("description", text(stored.Description) != text(next.Description))
	differs("marketplace", stored.Marketplace != next.Marketplace)
	differs("exempt", stored.ExemptSent != next.ExemptSent)
	differs("related_to", text(stored.RelatedTo) != text(next.RelatedTo))
	differs("secondary_external_id", text(stored.SecondaryExternalID) != text(next.SecondaryExternalID))
	differs("secondary_source", text(stored.SecondarySource) != text(next.SecondarySource))
	differs("external_friendly_id", text(stored.ExternalFriendlyID) != text(next.ExternalFriendlyID))
	differs("source", stored.Source != next.Source)
	differs("connection_id", text(stored.ConnectionID) != text(next.ConnectionID))
	differs("tax_id", text(stored.TaxID) != text(next.TaxID))
	differs("city", stored.Sent.City != next.Sent.City)
	differs("county", stored.Sent.County != next.Sent.County)
	differs("state", stored.Sent.State != next.Sent.State)
	differs("postal_code", stored.Sent.PostalCode != next.Sent.PostalCode)
	differs("country", stored.Sent.Country != next.Sent.Country)
	differs("currency", stored.Currency != next.Currency)
	differs("total_amount", stored.TotalAmount.Cmp(next.TotalAmount) != 0)
	differs("total_tax_amount_imported", stored.TotalTaxAmountImported.Cmp(next.TotalTaxAmountImported) != 0)
	differs("tax_rate_imported", stored.TaxRateImported.Cmp(next.TaxRateImported) != 0)
	differs("customer", stored.Customer.ExternalID != next.Customer.ExternalID)
	differs("addresses", !sameAddresses(stored.Addresses, next.Addresses))
	differs("transaction_items", !slices.EqualFunc(stored.Items, next.Items, sameItem))
	differs("requires_exemption", !sameJSON(stored.RequiresExemption, next.RequiresExemption))
	differs("exemptions", !sameJSON(stored.Sent.Exemptions, next.Sent.Exemptions))
	return changed
}

// sameJSON compares two texts of JSON by their values, because the database formats JSON.
func sameJSON(a, b json.RawMessage) bool {
	var first, second any
	if len(a) > 0 && json.Unmarshal(a, &first) != nil || len(b) > 0 && json.Unmarshal(b, &second) != nil {
		return false
	}
	x, errX := json.Marshal(first)
	y, errY := json.Marshal(second)
	return errX == nil && errY == nil && string(x) == string(y)
}

func sameAddresses(stored, next []models.TransactionAddress) bool {
	byType := map[models.AddressType]models.TransactionAddress{}
	for _, a := range stored {
		byType[a.Type] = a
	}
	return len(stored) == len(next) && !slices.ContainsFunc(next, func(a models.TransactionAddress) bool {
		s, ok := byType[a.Type]
		return !ok || !sameTexts(s.Street1, a.Street1, s.Street2, a.Street2, s.City, a.City, s.County, a.County, s.State,
			a.State,
			s.PostalCode, a.PostalCode, s.Country, a.Country, s.FullAddress, a.FullAddress, s.Phone, a.Phone, s.ConnectionID,
			a.ConnectionID) ||
			s.IsUnincorporated != a.IsUnincorporated
	})
}

// sameItem compares the fields of a line that a client submits. The exemption is the same if it is as submitted before,
// or as in the answer. A name that is not submitted is that of the catalogue.
func sameItem(stored, next models.TransactionItem) bool {
	exempt := stored.ExemptSent == next.ExemptSent && text(stored.TaxExemptionSent) == text(next.TaxExemptionSent) ||
		stored.Exempt == next.ExemptSent && text(stored.TaxExemption) == text(next.TaxExemptionSent)
	return exempt && stored.ExemptionCategorySent() == next.ExemptionCategorySent() &&
		stored.ExternalProductID == next.ExternalProductID && stored.Date.Equal(next.Date) &&
		stored.Quantity.Cmp(next.Quantity) == 0 && stored.Amount.Cmp(next.Amount) == 0 &&
		sameDiscount(stored, next) &&
		stored.TaxAmountImported.Cmp(next.TaxAmountImported) == 0 &&
		stored.TaxRateImported.Cmp(next.TaxRateImported) == 0 &&
		sameTexts(
			stored.ExternalID, next.ExternalID, stored.Description, next.Description, stored.Product,
			next.Product,
		) &&
		(next.ProductName == nil || sameTexts(stored.ProductName, next.ProductName)) &&
		(next.ProductDescription == nil || sameTexts(stored.ProductDescription, next.ProductDescription)) &&
		slices.EqualFunc(imported(stored.TaxItems), imported(next.TaxItems), sameTaxItem)
}

// sameDiscount compares the submitted discounts of a line. Shares of discounts of the whole sale follow from the lines.
func sameDiscount(stored, next models.TransactionItem) bool {
	was, is := stored.SentDiscount(), next.SentDiscount()
	a, b := valueOf(stored.Terms()), valueOf(next.Terms())
	switch {
	case a.ReimbursedBy != b.ReimbursedBy || a.TradeIn != b.TradeIn:
		return false
	case was == nil || is == nil:
		return was == is
	}
	return was.ExternalID == is.ExternalID && was.AppliedTo == is.AppliedTo && was.Amount.Cmp(is.Amount) == 0 &&
		was.ReimbursedBy == is.ReimbursedBy
}

func imported(items []models.TaxItem) []models.TaxItem {
	return slices.DeleteFunc(
		slices.Clone(items), func(i models.TaxItem) bool { return i.Type == models.TaxItemCalculated },
	)
}

func sameTaxItem(a, b models.TaxItem) bool {
	sameRate, sameAmount := a.Rate.Cmp(b.Rate) == 0, a.Amount.Cmp(b.Amount) == 0
	a.Rate, a.Amount, b.Rate, b.Amount = decimal.Zero, decimal.Zero, decimal.Zero, decimal.Zero
	a.TaxableAmount, b.TaxableAmount = nil, nil // only calculated lines have one
	return sameRate && sameAmount && a == b
}

// sameTexts compares texts in pairs. nil equals an empty text.
func sameTexts(pairs ...*string) bool {
	for i := 0; i < len(pairs); i += 2 {
		if text(pairs[i]) != text(pairs[i+1]) {
			return false
		}
	}
	return true
}
