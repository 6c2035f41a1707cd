package models

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/govalues/decimal"

	"levy/tax"
)

// SentFields are values as the client sent them, of fields that processing replaces
// or derives others from. An update that leaves them out goes on with them.
type SentFields struct {
	City       string `json:"city,omitempty"`
	County     string `json:"county,omitempty"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"`

	TotalTaxAmountImported   decimal.Decimal    `json:"total_tax_amount_imported,omitzero"`
	TotalTaxAmountCalculated decimal.Decimal    `json:"total_tax_amount_calculated,omitzero"`
	TaxRateCalculated        decimal.Decimal    `json:"tax_rate_calculated,omitzero"`
	TotalTaxLiabilityAmount  decimal.Decimal    `json:"total_tax_liability_amount,omitzero"`
	TaxableAmount            decimal.Decimal    `json:"taxable_amount,omitzero"`
	TaxLiabilitySource       TaxLiabilitySource `json:"tax_liability_source,omitempty"`

	// Exemptions is that part of the request. Made are the ids of the exemptions that
	// came into being for it and for RequiresExemption.
	Exemptions json.RawMessage `json:"exemptions,omitempty"`
	Made       []string        `json:"made,omitempty"`
}

// IsZero reports whether nothing was sent.
func (s SentFields) IsZero() bool {
	exemptions, made := len(s.Exemptions), len(s.Made)
	return exemptions == 0 && made == 0 && s.City == "" && s.County == "" && s.State == "" && s.PostalCode == "" && s.Country == "" &&
		s.TotalTaxAmountImported.IsZero() && s.TotalTaxAmountCalculated.IsZero() && s.TaxRateCalculated.IsZero() &&
		s.TotalTaxLiabilityAmount.IsZero() && s.TaxableAmount.IsZero() && s.TaxLiabilitySource == ""
}

// CheckUpdate decides whether next may replace the stored version of a transaction.
// credited says that credit notes exist which are not cancelled.
//
// Errors, in this order: *CreditEndpointError, *LockedError, *TransitionError,
// *HasCreditNotesError.
func CheckUpdate(stored, next *Transaction, credited bool) error {
	if stored.Type.IsCredit() {
		return &CreditEndpointError{RelatedTo: deref(stored.RelatedTo)}
	}
	if stored.Locked() {
		return &LockedError{FilingID: deref(stored.FilingID)}
	}
	if err := TransactionStatusMachine.Check(string(stored.Status), string(next.Status)); err != nil {
		return err
	}
	if credited {
		if relied := slices.DeleteFunc(Changes(stored, next), func(field string) bool { return !slices.Contains(creditsRelyOn, field) }); len(relied) > 0 {
			return &HasCreditNotesError{Fields: relied}
		}
	}
	return nil
}

// CheckArchive decides whether a transaction may be archived; one that is archived
// may. Errors: *LockedError, *HasCreditNotesError, *TransitionError.
func CheckArchive(stored *Transaction, credited bool) error {
	machine := TransactionStatusMachine
	switch {
	case stored.Status == StatusArchived:
		return nil
	case stored.Locked():
		return &LockedError{FilingID: deref(stored.FilingID)}
	case credited:
		return &HasCreditNotesError{Fields: []string{"status"}}
	case stored.Type.IsCredit():
		machine = CreditNoteStatusMachine
	}
	return machine.Check(string(stored.Status), string(StatusArchived))
}

// KeepItemIDs gives the lines of a new version the ids of the stored lines they
// continue: the line with the id in ids at its place, else the first with an equal
// external id that no other continues.
func KeepItemIDs(stored, next []TransactionItem, ids []string) {
	taken := make([]bool, len(stored))
	kept := make([]bool, len(next))
	keep := func(i int, matches func(TransactionItem) bool) {
		for j := range stored {
			if !taken[j] && matches(stored[j]) {
				next[i].ID, taken[j], kept[i] = stored[j].ID, true, true
				return
			}
		}
	}
	for i := range next {
		if ids[i] != "" {
			keep(i, func(s TransactionItem) bool { return s.ID == ids[i] })
		}
	}
	for i := range next {
		if !kept[i] && next[i].ExternalID != nil {
			keep(i, func(s TransactionItem) bool { return deref(s.ExternalID) == *next[i].ExternalID })
		}
	}
}

// UpdateDetail is what the history tells of an update: which fields changed, and the
// amounts that did, with their values before and after.
func UpdateDetail(stored, next *Transaction) map[string]any {
	detail := map[string]any{"changed": Changes(stored, next)}
	if stored.Status != next.Status {
		detail["status"] = map[string]any{"from": stored.Status, "to": next.Status}
	}
	for _, a := range []struct {
		name     string
		from, to decimal.Decimal
	}{
		{"total_amount", stored.TotalAmount, next.TotalAmount}, {"subtotal", stored.Subtotal, next.Subtotal},
		{"total_discount", stored.TotalDiscount, next.TotalDiscount},
		{"total_tax_amount_imported", stored.TotalTaxAmountImported, next.TotalTaxAmountImported},
	} {
		if a.from.Cmp(a.to) != 0 {
			detail[a.name] = map[string]any{"from": tax.FormatMoney(a.from), "to": tax.FormatMoney(a.to)}
		}
	}
	if !stored.TaxDate.Equal(next.TaxDate) {
		detail["tax_date"] = map[string]any{"from": stored.TaxDate.Format(time.DateOnly), "to": next.TaxDate.Format(time.DateOnly)}
	}
	return detail
}
