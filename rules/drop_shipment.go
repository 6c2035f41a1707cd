package rules

import (
	"cmp"
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// warningDropShipment is the code of a sale to a reseller whose certificate is of another state than that of the
// destination.
const warningDropShipment tax.WarningCode = "DROP_SHIPMENT"

// certificateElsewhere returns the certificate for resale of another state of the United States than the one that
// taxes the sale; nil for none. Many states accept it when goods are shipped to the customer of the reseller, and some
// want one of their own. So it frees nothing, and the sale is taxed with a warning.
func certificateElsewhere(t models.Transaction) *models.Exemption {
	if len(t.Exemptions) == 0 {
		return nil
	}
	country, state := taxingState(t)
	if country != models.UnitedStates {
		return nil
	}
	var found []models.Exemption
	for _, e := range t.Exemptions {
		of, within := grantedIn(e)
		resale := e.Reseller || e.ExemptionType == models.ExemptionWholesale
		if resale && of == models.UnitedStates && within != "" && within != state && inForce(e, t) {
			found = append(found, e)
		}
	}
	if found == nil {
		return nil
	}
	first := slices.MinFunc(found, func(a, b models.Exemption) int { return cmp.Compare(a.ID, b.ID) })
	return &first
}

// warnOfDropShipment adds a warning to a taxed sale whose buyer has a certificate for resale of another state.
func warnOfDropShipment(t models.Transaction, result *tax.Result) {
	certificate := certificateElsewhere(t)
	if certificate == nil || result.Tax.IsZero() || !slices.ContainsFunc(t.Items, func(i models.TransactionItem) bool {
		return !i.Exempt && text(i.ExemptionID) == certificate.ID
	}) {
		return
	}
	_, of := grantedIn(*certificate)
	_, state := taxingState(t)
	result.Warnings = append(result.Warnings, tax.Warning{
		Code: warningDropShipment,
		Message: "The buyer has a certificate for resale of " + of + ", and the sale is taxed in " + state + ": it was not " +
			"applied, and the tax is " + money.Format(result.Tax) + ". Where " + state + " accepts it for goods that are " +
			"shipped to the customer of the buyer, record an exemption for " + state + ".",
	})
	if certainty := result.Explanation.Certainty; certainty != nil {
		certainty.Warnings = append(slices.Clip(certainty.Warnings), result.Warnings[len(result.Warnings)-1])
	}
}
