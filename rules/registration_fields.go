package rules

import (
	"encoding/json"
	"maps"
	"slices"

	"levy/models"
	"levy/tax"
)

// RegistrationFieldWarning says what of a field of a registration is not as the tax content knows it. Unknown means that
// the return does not ask for the field.
type RegistrationFieldWarning struct {
	Field    string
	Unknown  bool
	Expected tax.RegistrationField // of a field that is known
}

// CheckRegistrationFields compares the numbers and the specific fields of a registration with those that the content knows
// for its authority. Empty ones are not compared. Where the content knows no specific field, all are the client's own.
func CheckRegistrationFields(r *models.Registration, known []tax.RegistrationField) (warnings []RegistrationFieldWarning) {
	specific := map[string]json.RawMessage{}
	if len(r.JurisdictionSpecificFields) > 0 && json.Unmarshal(r.JurisdictionSpecificFields, &specific) != nil {
		specific = nil // it is stored as an object
	}
	asked := map[string]bool{}
	for i := range known {
		f := &known[i]
		var values []string
		malformed, matches := false, f.Matches
		switch name, is := f.Specific(); {
		case is:
			asked[name] = true
			values, malformed = textsOf(f, specific[name])
			if !f.IsList() {
				matches = f.Exact // returns read it to the letter
			}
		case f.Field == "sales_tax_id" && r.SalesTaxID != nil:
			values = []string{*r.SalesTaxID}
		case f.Field == "tax_id" && r.TaxID != nil:
			values = []string{*r.TaxID}
		}
		if malformed || slices.ContainsFunc(values, func(value string) bool { return !matches(value) }) {
			warnings = append(warnings, RegistrationFieldWarning{Field: f.Field, Expected: *f})
		}
	}
	if r.CountryCode == models.UnitedStates {
		warnings = append(warnings, checkPaymentFields(specific)...)
	}
	if len(asked) == 0 {
		return warnings
	}
	for _, name := range slices.Sorted(maps.Keys(specific)) {
		if !asked[name] {
			warnings = append(warnings, RegistrationFieldWarning{Field: tax.SpecificFields + name, Unknown: true})
		}
	}
	return warnings
}

// checkPaymentFields compares the fields that say how returns are paid, and takes them out of the specific fields.
func checkPaymentFields(specific map[string]json.RawMessage) (warnings []RegistrationFieldWarning) {
	for i := range tax.PaymentFields {
		f := &tax.PaymentFields[i]
		name, _ := f.Specific()
		value, sent := specific[name]
		delete(specific, name)
		if text, is := models.TextOfField(value); sent && string(value) != "null" && (!is || !f.Matches(text)) {
			warnings = append(warnings, RegistrationFieldWarning{Field: f.Field, Expected: *f})
		}
	}
	return warnings
}

// textsOf returns the texts of a field: one, or those of a list. Numbers are texts too. null and an absent field have none.
// malformed means that the field is something else.
func textsOf(f *tax.RegistrationField, raw json.RawMessage) (texts []string, malformed bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, false
	}
	var list []json.RawMessage
	if !f.IsList() || json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	for _, each := range list {
		text, ok := models.TextOfField(each)
		if !ok {
			return nil, true
		}
		texts = append(texts, text)
	}
	return texts, false
}
