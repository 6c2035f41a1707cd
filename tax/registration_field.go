package tax

import (
	"regexp"
	"slices"
	"strings"

	"levy/tax/content"
)

// RegistrationField is a field of a registration as the return of its authority wants it.
type RegistrationField struct {
	Country, State string // State is empty for a whole country
	Field          string // sales_tax_id, tax_id, or SpecificFields and a name
	Expected       string // in words
	Source         string
	Confidence     Confidence
	pattern        *regexp.Regexp
}

// SpecificFields begins the names of the fields in the object jurisdiction_specific_fields.
const SpecificFields = "jurisdiction_specific_fields."

// Matches reports whether a value is as expected. Blanks and dashes, which people write between groups, do not count.
func (f *RegistrationField) Matches(value string) bool {
	return f.pattern.MatchString(value) || f.pattern.MatchString(strings.NewReplacer(" ", "", "-", "").Replace(value))
}

// Specific returns the name of a field in the object jurisdiction_specific_fields; false for another field.
func (f *RegistrationField) Specific() (name string, ok bool) {
	return strings.CutPrefix(f.Field, SpecificFields)
}

// IsList reports whether a field has several values. The expected value begins with these words then.
func (f *RegistrationField) IsList() bool { return strings.HasPrefix(f.Expected, "a list of ") }

// Exact reports whether a value is as expected to the letter.
func (f *RegistrationField) Exact(value string) bool { return f.pattern.MatchString(value) }

// RegistrationFields returns the known fields of the registrations with an authority, as records name it: for a whole
// country the state repeats the country.
func (c *Content) RegistrationFields(country, state string) []RegistrationField {
	if state == country {
		state = ""
	}
	var known []RegistrationField
	for _, f := range c.registrationFields {
		if f.Country == country && f.State == state {
			known = append(known, f)
		}
	}
	return known
}

// AllRegistrationFields returns the known fields of all authorities.
func (c *Content) AllRegistrationFields() []RegistrationField {
	return slices.Clone(c.registrationFields)
}

func (b *builder) addRegistrationFields(rows []content.RegistrationFieldRow) {
	for _, row := range rows {
		pattern, err := regexp.Compile("^(?:" + row.Pattern + ")$")
		switch {
		case err != nil || row.Pattern == "":
			b.fault(row.At, "pattern %q", row.Pattern)
			continue
		case row.Field != "sales_tax_id" && row.Field != "tax_id" &&
			(!strings.HasPrefix(row.Field, SpecificFields) || row.Field == SpecificFields):
			b.fault(row.At, "unknown field %q", row.Field)
		case row.Expected == "" || row.Source == "":
			b.fault(row.At, "nothing expected, or no source")
		case b.c.countries[row.Country] == "":
			b.fault(row.At, "unknown country %q", row.Country)
		case row.Country == "US" && b.c.usState(row.State) == 0:
			b.fault(row.At, "unknown state %q", row.State)
		}
		for _, f := range b.c.registrationFields {
			if f.Country == row.Country && f.State == row.State && f.Field == row.Field {
				b.fault(row.At, "a second field %s of %s %s", row.Field, row.Country, row.State)
			}
		}
		b.c.registrationFields = append(b.c.registrationFields, RegistrationField{
			Country: row.Country, State: row.State, Field: row.Field, Expected: row.Expected, Source: row.Source,
			Confidence: Confidence(row.Confidence), pattern: pattern,
		})
	}
}
