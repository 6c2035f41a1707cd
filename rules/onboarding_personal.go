package rules

import (
	"regexp"
	"strings"

	"levy/models"
)

// masking returns the masked form of a personal value.
type masking func(value string) string

// maskMark begins every masked value that is not a year.
const maskMark = "****"

// MaskAccount returns the number of an account as answers have it: its last four characters after a mask; "" for none.
func MaskAccount(number string) string {
	if number == "" {
		return ""
	}
	return lastFour(number)
}

// lastFour leaves the last four characters.
func lastFour(value string) string { return maskMark + value[max(0, len(value)-4):] }

// year leaves the year of a date.
func year(value string) string { return value[:min(4, len(value))] }

// masked reports whether a value is masked, or begins like a masked one. No other value does.
func (m masking) masked(value string) bool {
	return strings.HasPrefix(value, maskMark) || value != "" && m(value) == value
}

// personalField is one personal value of a document.
type personalField struct {
	name  string
	value **string
	mask  masking
}

func personalOfContact(c *models.BusinessContact) []personalField {
	return []personalField{
		{
			"business_contact_dob", &c.DOB, year,
		}, {"business_contact_ssn", &c.SSN, lastFour}, {"business_contact_dl", &c.DL, lastFour},
	}
}

func personalOfOwners(o *models.BusinessOwners) []personalField {
	var fields []personalField
	for i := range o.Owners {
		fields = append(fields, personalOfOwner(&o.Owners[i], i+1)...)
	}
	return fields
}

func personalOfOwner(o *models.BusinessOwner, n int) []personalField {
	return []personalField{
		{
			models.OwnerField(n, "dob"), &o.DOB, year,
		}, {models.OwnerField(n, "ssn"), &o.SSN, lastFour}, {models.OwnerField(n, "dl"), &o.DL, lastFour},
	}
}

func personalOfBank(b *models.Bank) []personalField {
	return []personalField{
		{"routing_number", &b.RoutingNumber, lastFour}, {"account_number", &b.AccountNumber, lastFour},
	}
}

// protect seals the personal values of a submitted document and leaves their masks in it. before has the values of the
// same fields in the stored document. An unchanged mask keeps the stored value, another mask is a fault.
func protect(c *models.StepContent, fields []personalField, before []*string, key models.Sealer) []models.Fault {
	var faults []models.Fault
	for i, f := range fields {
		value, had := *f.value, before[i]
		switch {
		case value == nil && had != nil:
			c.Removed = append(c.Removed, f.name)
		case value == nil, had != nil && *had == *value:
		case f.mask.masked(*value):
			faults = append(faults, models.Fault{
				Code: models.FieldInvalidFormat, Path: f.name,
				Message: "This is a masked value, and not the one that is stored.",
			})
		default:
			seal(c, f.name, *value, key)
			shown := f.mask(*value)
			*f.value = &shown
		}
	}
	return faults
}

func seal(c *models.StepContent, field, plain string, key models.Sealer) {
	if c.Personal == nil {
		c.Personal = map[string][]byte{}
	}
	// guard: sealing: a personal value is encrypted before it leaves the request
	c.Personal[field] = key.Seal(field, []byte(plain))
}

// valuesOf returns copies of the values of personal fields.
func valuesOf(fields []personalField) []*string {
	values := make([]*string, len(fields))
	for i, f := range fields {
		if v := *f.value; v != nil {
			copied := *v // decoding a request writes through the pointer
			values[i] = &copied
		}
	}
	return values
}

// personalNumber matches text that may be a number of a person, an account or a card. It has seven digits or more, with
// single blanks and signs between them.
var personalNumber = regexp.MustCompile(`[0-9](?:[ .\-/]?[0-9]){6,}`)

// WithoutNumbers masks numbers in a text of a client that may be personal, so that it can be stored.
func WithoutNumbers(text string) string { return personalNumber.ReplaceAllString(text, maskMark) }
