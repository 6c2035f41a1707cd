package rules

import (
	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// CompleteEarlier writes into a total of an earlier release what that release did not store, and decides nothing anew.
// It shares the liability over places, and tells by how much more or less was collected than calculated. Imported lines
// of a refund name no place, as they do not when it is decided. It reports whether the total has changed. Errors:
// money.ErrOverflow.
func CompleteEarlier(t *models.EarlierTotal) (changed bool, err error) {
	if t.Places == nil && t.Owed != nil {
		if t.Places, err = earlierPlaces(t); err != nil {
			return false, err
		}
		changed = t.Places != nil
	}
	// An earlier release owed what it calculated where there was an obligation.
	if t.Marketplace || t.Source != models.LiabilityCalculated || t.Collected.IsZero() || t.Liability.Cmp(t.Tax) != 0 {
		return changed, nil
	}
	excess, err := money.Sub(t.Collected, t.Tax)
	switch {
	case err != nil || excess.IsZero():
		return changed, err
	case excess.IsNeg():
		t.UnderCollected = excess.Neg()
	default:
		t.OverCollected = excess
	}
	return true, nil
}

// earlierPlaces shares the liability of a total over places; nil if readers do it in the same way. They give what no tax
// line places to the whole state. Errors: money.ErrOverflow.
func earlierPlaces(t *models.EarlierTotal) ([]models.OwedPlace, error) {
	authorities, at := []tax.Authority{{Country: t.CountryCode}}, 0
	if t.CountryCode == models.Canada {
		authorities = append(authorities, tax.Authority{Country: t.CountryCode, State: t.StateCode})
		if t.StateCode != t.CountryCode {
			at = 1
		}
	}
	taxes := make(documentTaxes, len(authorities))
	if err := taxes.addItems(t.Owed); err != nil {
		return nil, err
	}
	calculated := taxes[at]
	calculated.sort()
	var imported placeTaxes
	var err error
	if !t.Type.IsCredit() {
		if imported, err = importedAt(t.Owed, authorities, at); err != nil {
			return nil, err
		}
	}
	shares, err := shareOver(t.Liability, calculated, imported, placeTax{})
	if err != nil || len(shares) == 1 && shares[0].name == "" {
		return nil, err
	}
	asRead, err := calculated.asTaxed(t.Liability)
	if err != nil {
		return nil, err
	}
	return shares.stored(asRead), nil
}

// NeedsPlaces reports whether the tax lines of a total of an earlier release have to be read to share its liability.
func NeedsPlaces(liability, calculated decimal.Decimal) bool {
	return !liability.IsZero() && liability.Cmp(calculated) != 0
}
