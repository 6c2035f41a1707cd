package models

// Sealer seals and opens the personal values of one organization;
// *secret.DataKey is one.
type Sealer interface {
	Seal(field string, plain []byte) []byte
	Open(field string, sealed []byte) ([]byte, error)
}

// masking is how a personal value is shown.
type masking func(value string) string

// maskMark begins every masked value that is not a year.
const maskMark = "****"

// lastFour shows the last four characters.
func lastFour(value string) string { return maskMark + value[max(0, len(value)-4):] }

// year shows the year of a date.
func year(value string) string { return value[:min(4, len(value))] }

// masked reports whether a value has the form in which answers show it.
func (m masking) masked(value string) bool {
	return len(value) > 0 && m(value) == value
}

// personalField is one personal value of a document.
type personalField struct {
	name  string
	value **string
	mask  masking
}

func (c *BusinessContact) personal() []personalField {
	return []personalField{
		{"business_contact_dob", &c.DOB, year}, {"business_contact_ssn", &c.SSN, lastFour}, {"business_contact_dl", &c.DL, lastFour},
	}
}

func (o *BusinessOwners) personal() []personalField {
	var fields []personalField
	for i := range o.Owners {
		fields = append(fields, o.Owners[i].personal(i+1)...)
	}
	return fields
}

func (o *BusinessOwner) personal(n int) []personalField {
	return []personalField{
		{ownerField(n, "dob"), &o.DOB, year}, {ownerField(n, "ssn"), &o.SSN, lastFour}, {ownerField(n, "dl"), &o.DL, lastFour},
	}
}

func (b *Bank) personal() []personalField {
	return []personalField{{"routing_number", &b.RoutingNumber, lastFour}, {"account_number", &b.AccountNumber, lastFour}}
}

// protect seals the personal values of a document that came with a request and
// leaves their masks in it. before are the values of the same fields in the stored
// document: a mask that is sent back unchanged keeps what is stored, another mask
// is a fault.
func (c *StepContent) protect(fields []personalField, before []*string, key Sealer) []Fault {
	var faults []Fault
	for i, f := range fields {
		value, had := *f.value, before[i]
		switch {
		case value == nil && had != nil:
			c.Removed = append(c.Removed, f.name)
		case value == nil, had != nil && *had == *value:
		case f.mask.masked(*value):
			faults = append(faults, Fault{"invalid_format", "body." + f.name, "This is a masked value, and not the one that is stored."})
		default:
			c.seal(f.name, *value, key)
			shown := f.mask(*value)
			*f.value = &shown
		}
	}
	return faults
}

func (c *StepContent) seal(field, plain string, key Sealer) {
	if c.Personal == nil {
		c.Personal = map[string][]byte{}
	}
	c.Personal[field] = key.Seal(field, []byte(plain))
}

// valuesOf are the values of personal fields, as they are now.
func valuesOf(fields []personalField) []*string {
	values := make([]*string, len(fields))
	for i, f := range fields {
		if v := *f.value; v != nil {
			copied := *v // decoding a request writes into what the pointer leads to
			values[i] = &copied
		}
	}
	return values
}
