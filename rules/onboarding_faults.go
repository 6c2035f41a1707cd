package rules

import (
	"fmt"
	"strings"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax/money"
)

// These are the rules on merged documents. The formats of single fields were checked
// with the request.

// missingField is the fault of a field that others make necessary.
func missingField(field string, of ...string) models.Fault {
	return models.Fault{Code: models.FieldMissing, Path: field, Message: field + " is required.", Of: of}
}

// statesMatter reports whether an address in a country needs state and postal code.
func statesMatter(country string) bool {
	return country == models.UnitedStates || country == models.Canada
}

func addressFaults(a models.BusinessAddress) []models.Fault {
	var faults []models.Fault
	if a.Country == nil {
		faults = append(faults, missingField("company_country_code"))
	}
	if a.City == nil {
		faults = append(faults, missingField("company_city"))
	}
	if statesMatter(text(a.Country)) {
		if a.State == nil {
			faults = append(faults, missingField("company_state", "company_country_code"))
		}
		if a.PostalCode == nil {
			faults = append(faults, missingField("company_postal_code", "company_country_code"))
		}
	}
	return faults
}

func contactFaults(c models.BusinessContact) []models.Fault {
	var faults []models.Fault
	if c.DOB == nil {
		faults = append(faults, missingField("business_contact_dob"))
	}
	if c.Country == models.UnitedStates && c.SSN == nil {
		faults = append(faults, missingField("business_contact_ssn", "business_contact_country_code"))
	}
	if statesMatter(c.Country) {
		if c.State == nil {
			faults = append(faults, missingField("business_contact_state", "business_contact_country_code"))
		}
		if c.PostalCode == nil {
			faults = append(faults, missingField("business_contact_postal_code", "business_contact_country_code"))
		}
	}
	return faults
}

// ownerFaults checks the owners together: names without gaps, and shares that add up to 100 percent.
func ownerFaults(o models.BusinessOwners) ([]models.Fault, error) {
	var faults []models.Fault
	if o.Owners[0].Name == nil {
		faults = append(faults, missingField(models.OwnerField(1, "name")))
	}
	shared, sum := false, decimal.Zero
	for i, owner := range o.Owners {
		n := i + 1
		if n > 1 && owner.Name == nil && owner != (models.BusinessOwner{}) {
			faults = append(faults, missingField(models.OwnerField(n, "name")))
		}
		if n > 2 && owner.Name != nil && o.Owners[i-1].Name == nil {
			faults = append(faults, models.Fault{
				Code: models.FieldMismatch, Path: models.OwnerField(n, "name"),
				Message: fmt.Sprintf("Owner %d needs an owner %d.", n, n-1),
				Of:      []string{models.OwnerField(n-1, "name")},
			})
		}
		if owner.Percent == nil {
			continue
		}
		shared = true
		percent, err := money.ParseDecimal(*owner.Percent)
		if err != nil {
			return nil, fmt.Errorf("share of owner %d: %w", n, err)
		}
		if !percent.IsPos() {
			faults = append(faults, models.Fault{
				Code: models.FieldOutOfRange, Path: models.OwnerField(n, "percent_ownership"),
				Message: "Must be more than 0.",
			})
		}
		if sum, err = money.Add(sum, percent); err != nil {
			return nil, fmt.Errorf("sum of shares: %w", err)
		}
	}
	if shared {
		faults = append(faults, shareFaults(o, sum)...)
	}
	return faults, nil
}

func shareFaults(o models.BusinessOwners, sum decimal.Decimal) []models.Fault {
	var faults []models.Fault
	last, shares := 1, []string{"business_owners_incomplete"}
	for i := range o.Owners {
		shares = append(
			shares, models.OwnerField(i+1, "name"), models.OwnerField(i+1, "percent_ownership"),
		)
	}
	for i, owner := range o.Owners {
		if owner.Name == nil {
			continue
		}
		last = i + 1
		if owner.Percent == nil {
			faults = append(faults, missingField(models.OwnerField(last, "percent_ownership")))
		}
	}
	all := decimal.Hundred
	if sum.Cmp(all) > 0 || !o.Incomplete && len(faults) == 0 && sum.Cmp(all) != 0 {
		faults = append(faults, models.Fault{
			Code: models.FieldMismatch, Path: models.OwnerField(last, "percent_ownership"),
			Message: "The shares of all owners must sum to 100.00, or to less with business_owners_incomplete.",
			Of:      shares,
		})
	}
	return faults
}

// HolderMatches reports whether the account holder has the name of the company, without regard to letter case and white
// space.
func HolderMatches(b models.Bank, company models.BusinessAddress) bool {
	return strings.EqualFold(
		models.NormalizeName(b.AccountHolderName), models.NormalizeName(text(company.BusinessName)),
	)
}
