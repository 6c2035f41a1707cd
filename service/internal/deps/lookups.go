package deps

import (
	"strings"

	"levy/models"
	"levy/returns"
	"levy/tax"
)

// KnownJurisdiction reports whether the current law has an authority.
func (d *Deps) KnownJurisdiction(country, state string) bool {
	_, known := d.Law.Current().AuthorityNamed(country, state)
	return known
}

// ReturnWants returns the data that returns want of registrations, by the current law.
func (d *Deps) ReturnWants() models.ReturnWants { return returns.Wants(d.Law.Current()) }

// KnownCategory reports whether the catalogue has a category.
func (d *Deps) KnownCategory(name string) bool {
	_, _, ok := d.Catalogue.Classify(name, "")
	return ok
}

// Spellings returns the forms in which a record may contain a state: its code, and the submitted text.
// A record has the code once its address has been verified.
func (d *Deps) Spellings(state string) []string {
	state = strings.ToUpper(strings.TrimSpace(state))
	if state == "" {
		return nil
	}
	forms := []string{state}
	for _, country := range []string{"US", "CA"} {
		code := d.Places.Resolve(tax.Address{Country: country, State: state}).State
		if code != "" && code != state {
			forms = append(forms, code)
		}
	}
	return forms
}

// NameFaults returns a fault if the name is that of another place than the codes name. The name is printed on returns.
func (d *Deps) NameFaults(authority tax.NamedAuthority, name string) []models.Fault {
	if name == "" || !d.Law.Current().Contradicts(authority, name) {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldMismatch, Path: "state_name",
		Message: "state_name is the name of another place than " + authority.Name + ". Leave it out to use that name.",
		Of:      []string{"country_code", "state_code"},
	}}
}
