package models

import (
	"fmt"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax"
)

// The rules on merged documents: what single fields must look like was checked
// with the request.

func missing(field string) Fault {
	return Fault{"missing_field", "body." + field, field + " is required."}
}

// statesMatter are the countries in which an address needs state and postal code.
func statesMatter(country string) bool { return country == "US" || country == "CA" }

func (a BusinessAddress) faults() []Fault {
	var faults []Fault
	if a.Country == nil {
		faults = append(faults, missing("company_country_code"))
	}
	if a.City == nil {
		faults = append(faults, missing("company_city"))
	}
	if statesMatter(textOf(a.Country)) {
		if a.State == nil {
			faults = append(faults, missing("company_state"))
		}
		if a.PostalCode == nil {
			faults = append(faults, missing("company_postal_code"))
		}
	}
	return faults
}

func (c BusinessContact) faults() []Fault {
	var faults []Fault
	if c.DOB == nil {
		faults = append(faults, missing("business_contact_dob"))
	}
	if c.Country == "US" && c.SSN == nil {
		faults = append(faults, missing("business_contact_ssn"))
	}
	if statesMatter(c.Country) {
		if c.State == nil {
			faults = append(faults, missing("business_contact_state"))
		}
		if c.PostalCode == nil {
			faults = append(faults, missing("business_contact_postal_code"))
		}
	}
	return faults
}

// faults checks the owners together: names without gaps, and shares that sum to
// all of the company.
func (o BusinessOwners) faults() ([]Fault, error) {
	var faults []Fault
	if o.Owners[0].Name == nil {
		faults = append(faults, missing(ownerField(1, "name")))
	}
	shared, sum := false, decimal.Zero
	for i, owner := range o.Owners {
		n := i + 1
		if n > 1 && owner.Name == nil && owner != (BusinessOwner{}) {
			faults = append(faults, missing(ownerField(n, "name")))
		}
		if n > 2 && owner.Name != nil && o.Owners[i-1].Name == nil {
			faults = append(faults, Fault{"mismatch", "body." + ownerField(n, "name"), fmt.Sprintf("Owner %d needs an owner %d.", n, n-1)})
		}
		if owner.Percent == nil {
			continue
		}
		shared = true
		percent, err := tax.ParseDecimal(*owner.Percent)
		if err != nil {
			return nil, fmt.Errorf("share of owner %d: %w", n, err)
		}
		if !percent.IsPos() {
			faults = append(faults, Fault{"out_of_range", "body." + ownerField(n, "percent_ownership"), "Must be more than 0."})
		}
		if sum, err = tax.Add(sum, percent); err != nil {
			return nil, fmt.Errorf("sum of shares: %w", err)
		}
	}
	if shared {
		faults = append(faults, o.shares(sum)...)
	}
	return faults, nil
}

func (o BusinessOwners) shares(sum decimal.Decimal) []Fault {
	var faults []Fault
	last := 1
	for i, owner := range o.Owners {
		if owner.Name == nil {
			continue
		}
		last = i + 1
		if owner.Percent == nil {
			faults = append(faults, missing(ownerField(last, "percent_ownership")))
		}
	}
	all := decimal.Hundred
	if sum.Cmp(all) > 0 || !o.Incomplete && len(faults) == 0 && sum.Cmp(all) != 0 {
		faults = append(faults, Fault{
			"mismatch", "body." + ownerField(last, "percent_ownership"),
			"The shares of all owners must sum to 100.00, or to less with business_owners_incomplete.",
		})
	}
	return faults
}

// HolderMatches reports whether the account belongs to the company by its name,
// compared without regard to letter case and white space.
func (b Bank) HolderMatches(company BusinessAddress) bool {
	return strings.EqualFold(NormalizeName(b.AccountHolderName), NormalizeName(textOf(company.BusinessName)))
}
