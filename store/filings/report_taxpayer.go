package filings

import (
	"context"
	"encoding/json"
	"strings"

	"levy/models"
	"levy/models/report"
)

const selectTaxpayer = `
	SELECT o.name, coalesce(d.business_details, '{}'), coalesce(d.business_address, '{}'), coalesce(r.sales_tax_id, '')
	  FROM organizations o
	  LEFT JOIN organization_details d ON d.organization_id = o.id
	  LEFT JOIN registrations r ON r.organization_id = o.id AND r.id = $2
	 WHERE o.id = $1`

// taxpayer reads the taxpayer of the filing, by the current data of the organization.
func (r *filingReport) taxpayer(ctx context.Context) (*report.Taxpayer, error) {
	t := &report.Taxpayer{}
	var details, address json.RawMessage
	err := r.tx.QueryRow(ctx, selectTaxpayer, r.scope.OrganizationID, r.head.Filing.RegistrationID).Scan(
		&t.Name, &details, &address, &t.SalesTaxID)
	if err != nil {
		return nil, err
	}
	var company models.BusinessAddress
	var business models.BusinessDetails
	if err := models.Document(details, &business); err != nil {
		return nil, err
	}
	if err := models.Document(address, &company); err != nil {
		return nil, err
	}
	if name := valueOf(company.BusinessName); name != "" {
		t.Name = name
	}
	t.DBA, t.EIN, t.TaxID = valueOf(business.DBA), valueOf(business.EIN), valueOf(business.TaxID)
	for _, line := range []string{
		valueOf(company.Address1), valueOf(company.Address2),
		joined(valueOf(company.City), valueOf(company.State), valueOf(company.PostalCode)), valueOf(company.Country),
	} {
		if line != "" {
			t.Address = append(t.Address, line)
		}
	}
	return t, r.db.OpenTaxIDs(ctx, r.scope.OrganizationID, t)
}

// joined returns the non-empty texts, separated by spaces.
func joined(texts ...string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
}
