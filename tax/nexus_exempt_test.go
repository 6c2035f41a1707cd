package tax_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Sales count as exempt for thresholds if the law or an exemption frees them, or if the buyer accounts for the tax.
// Sales that are taxed at a border, and goods imported into the European Union, count as exempt, too. Sales at a zero
// rate, without a rule, or that depend on unknown facts do not. So no threshold is missed because of them. Source:
// Directive 2006/112/EC, articles 14(4)(1) and 59c(1).
func TestExemptSalesForThresholds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		sale   abroad
		exempt bool
	}{
		{"taxed goods", abroad{to: "US-TX 77002", class: "PHYSICAL", amount: "100"}, false},
		{"goods that the state frees", abroad{to: "US-TX 77002", class: "FOOD", amount: "100"}, true},
		{"an item below a limit", abroad{to: "US-NY 10118", class: "CLOTHING", amount: "109.99"}, true},
		{"an item at the limit", abroad{to: "US-NY 10118", class: "CLOTHING", amount: "110.00"}, false},
		{"a state without a tax", abroad{to: "US-OR 97201", class: "PHYSICAL", amount: "100"}, true},
		{"a zero rate", abroad{to: "US-KS", class: "FOOD", amount: "100"}, false},
		{"no rule on the day", abroad{to: "US-TX 77002", class: "PHYSICAL", amount: "100", day: "1950-01-01"}, false},
		{"an unknown kind of service, taken as exempt", abroad{to: "US-TX 77002", class: "SERVICE", amount: "100"},
			false},
		{"nothing", abroad{to: "US-TX 77002", class: "PHYSICAL", amount: "0"}, false},
		{"a country without content", abroad{to: "EG", class: "PHYSICAL", amount: "100"}, false},
		{"outside the tax territory", abroad{to: "ES 35001", class: "PHYSICAL", amount: "100"}, true},
		{"inside the Union", abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "100", currency: "EUR"}, false},
		{"to a business in another member", abroad{to: "FR", from: "DE", vat: "FR", class: "PHYSICAL", amount: "100"}, true},
		{"below the threshold, taxed at home",
			abroad{to: "FR", from: "DE", class: "PHYSICAL", amount: "1", below: true}, false},
		{"goods into the Union",
			abroad{to: "FR", from: "US-NY 10118", class: "PHYSICAL", amount: "1", currency: "EUR"}, true},
		{"of which nobody knows from where", abroad{to: "FR", class: "PHYSICAL", amount: "1", currency: "EUR"}, false},
		{"from a part of a member outside its tax territory",
			abroad{to: "DE", from: "ES 35001", class: "PHYSICAL", amount: "1", currency: "EUR"}, true},
		{"from the part inside", abroad{to: "DE", from: "ES 28001", class: "PHYSICAL", amount: "1", currency: "EUR"}, false},
		{"goods above the import limit",
			abroad{to: "FR", from: "US-NY 10118", class: "PHYSICAL", amount: "150.01", currency: "EUR"}, true},
		{"software into the Union", abroad{to: "FR", from: "US-NY 10118", class: "SAAS", amount: "1"}, false},
		{"software to a business there", abroad{to: "FR", from: "US-NY 10118", vat: "FR", class: "SAAS", amount: "1"}, true},
		{"rented goods are a service", abroad{to: "FR", from: "US-NY 10118", class: "RENTAL_GOODS", amount: "1"}, false},
		{"from the United Kingdom on its last day in the Union",
			abroad{to: "FR", from: "GB", class: "PHYSICAL", amount: "1", day: "2020-12-31"}, false},
		{"and the day after", abroad{to: "FR", from: "GB", class: "PHYSICAL", amount: "1", day: "2021-01-01"}, true},
		{"but from Northern Ireland",
			abroad{to: "FR", from: "GB BT1 1AA", class: "PHYSICAL", amount: "1", day: "2021-01-01"}, false},
		{"from the Union to Northern Ireland", abroad{to: "GB BT1 1AA", from: "IE", class: "PHYSICAL", amount: "1"}, false},
		{"goods into the United Kingdom are no goods into the Union",
			abroad{to: "GB", from: "US-NY 10118", class: "PHYSICAL", amount: "1", currency: "GBP"}, false},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err, test.rule)
		require.Equal(t, test.exempt, r.Lines[0].NexusExempt, test.rule)
	}
	// Delivery is treated like the goods that it delivers, and where there are none like the software beside it.
	for class, exempt := range map[tax.TaxClass]bool{tax.ClassPhysical: true, tax.ClassBook: true, tax.ClassSaaS: false} {
		for _, charge := range []tax.TaxClass{tax.ClassShipping, tax.ClassHandling} {
			req := abroad{to: "FR", from: "US-NY 10118", class: string(class), amount: "10", currency: "EUR"}.request(t)
			req.Lines = append(req.Lines, tax.Line{Class: charge, Amount: decimal.MustParse("5"), Quantity: decimal.One})
			r, err := loaded(t).Calculate(req)
			require.NoError(t, err)
			require.Equal(t, exempt, r.Lines[1].NexusExempt, "%s with %s", charge, class)
		}
	}
	for state, exempt := range map[string]bool{"TX": true, "": true, "NY": false} {
		req := abroad{to: "US-TX 77002", class: "PHYSICAL", amount: "10"}.request(t)
		req.Lines[0].Exempt = &tax.Exempt{TaxExemption: tax.ExemptionWholesale, State: state}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, exempt, r.Lines[0].NexusExempt, "an exemption for %q", state)
	}
}

// If a threshold counts only some kinds of sales, the others do not count. California counts tangible property, New
// York also software, by its meaning of tangible property.
// Sources: California Revenue and Taxation Code § 6203(c)(4); New York Tax Law § 1101(b)(8)(iv).
func TestSalesThatAThresholdDoesNotCount(t *testing.T) {
	t.Parallel()
	for place, counts := range map[string]map[tax.TaxClass]bool{
		"US-CA": {
			tax.ClassPhysical: true, tax.ClassBook: true, tax.ClassCandy: true, tax.ClassShipping: true, tax.ClassRepair: true,
			tax.ClassRentalVehicle: true, tax.ClassUtility: true, tax.ClassSaaS: false, tax.ClassIaaS: false,
			tax.ClassDigital: false, tax.ClassEBook: false, tax.ClassSoftwareDownload: false, tax.ClassSoftwareCustom: false,
			tax.ClassService: false, tax.ClassProfessional: false, tax.ClassAdmission: false,
		},
		"US-NY": {
			tax.ClassPhysical: true, tax.ClassSaaS: true, tax.ClassSaaSB2B: true, tax.ClassSoftwareDownload: true,
			tax.ClassSoftwareCustom: true, tax.ClassDigital: false, tax.ClassStreaming: false, tax.ClassService: false,
			tax.ClassCleaning: false, tax.ClassInstallation: true,
		},
		"US-GA": {tax.ClassDigital: true, tax.ClassEBook: true, tax.ClassSaaS: false, tax.ClassTelecom: false},
		"US-TX": {tax.ClassPhysical: true, tax.ClassSaaS: true, tax.ClassProfessional: true},
		"DE":    {tax.ClassPhysical: true, tax.ClassSaaS: true, tax.ClassProfessional: true},
	} {
		for class, counted := range counts {
			r, err := loaded(t).Calculate(abroad{to: place, class: string(class), amount: "10"}.request(t))
			require.NoError(t, err)
			require.Equal(t, counted, !r.Lines[0].NexusUncounted, "%s in %s", class, place)
		}
	}
}
