package rules_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax"
)

// Fields are compared with the form of the authority. What the form does not ask for is named where the content knows what
// it asks for.
func TestFieldsOfRegistrationsAreCompared(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	for _, c := range []struct {
		country, state, number, specific string
		want                             []string
	}{
		{"US", "TX", "1-23456-7890-1", `{"filing_method":"LIST"}`, nil},
		{"US", "TX", "123", `{"filing_method":"list","outlets":"2"}`, []string{"sales_tax_id", "jurisdiction_specific_fields.filing_method",
			"jurisdiction_specific_fields.outlets unknown"}},
		{"US", "TX", "", `{"filing_method":null}`, nil},
		{"US", "TX", "", `{"filing_method":{"is":"LIST"}}`, []string{"jurisdiction_specific_fields.filing_method"}},
		{"US", "PA", "12345678", ``, nil},
		{"US", "PA", "1234567890", `{"anything":1}`, []string{"sales_tax_id"}},
		{"US", "CO", "", `{"sites":["12345678-0001",12345678]}`, nil},
		{"US", "CO", "", `{"sites":["12345678-0001","one"]}`, []string{"jurisdiction_specific_fields.sites"}},
		{"US", "NY", "anything", `{"anything":1}`, nil},
		{"US", "TX", "", `{"payment_method":"CREDIT","payment_routing_number":"122235821"}`, nil},
		{"US", "TX", "", `{"payment_method":"CASH","payment_tax_type":4101}`, []string{"jurisdiction_specific_fields.payment_method"}},
		{"US", "TX", "", `{"payment_routing_number":122235821,"payment_tax_type":["4101"],"payment_amount_type":{"is":"T"}}`,
			[]string{"jurisdiction_specific_fields.payment_tax_type", "jurisdiction_specific_fields.payment_amount_type"}},
		{"US", "NY", "", `{"payment_account_number":"1*2","anything":1}`, []string{"jurisdiction_specific_fields.payment_account_number"}},
		{"GB", "GB", "", `{"payment_method":"CASH"}`, []string{"jurisdiction_specific_fields.payment_method unknown"}},
		{"GB", "GB", "", `{"stagger":2}`, nil},
		{"GB", "GB", "", `{"stagger":4}`, []string{"jurisdiction_specific_fields.stagger"}},
		{"GB", "GB", "", `{"stagger":[2]}`, []string{"jurisdiction_specific_fields.stagger"}},
		{"GB", "GB", "", `{"stagger":"2 "}`, []string{"jurisdiction_specific_fields.stagger"}},
	} {
		r := &models.Registration{CountryCode: c.country, StateCode: c.state, JurisdictionSpecificFields: []byte(c.specific)}
		if c.number != "" {
			r.SalesTaxID = &c.number
		}
		var got []string
		for _, w := range rules.CheckRegistrationFields(r, content.RegistrationFields(c.country, c.state)) {
			name := w.Field
			if w.Unknown {
				name += " unknown"
			} else {
				require.NotEmpty(t, w.Expected.Source)
			}
			got = append(got, name)
		}
		require.Equal(t, c.want, got, "%s %s %s", c.state, c.number, c.specific)
		// What is not told of the periods of returns is what plans read.
		if fields := models.RegistrationFields(r.JurisdictionSpecificFields); c.country == models.UnitedKingdom && got == nil {
			require.Equal(t, fields[tax.FieldStagger], strconv.Itoa(r.TaxYear().Stagger))
		}
	}
}
