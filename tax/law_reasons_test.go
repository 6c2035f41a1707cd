package tax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

func TestExampleOfTheContractInDetail(t *testing.T) {
	t.Parallel()
	r := sale{"New York, NY 10118", "PHYSICAL", "100.00", "", ""}.calculate(t)
	require.Equal(t, tax.StatusVerified, r.Taxed.Status)
	require.False(t, r.Taxed.Ambiguous)
	require.Equal(t, "0.088750000", r.Rate.String())
	type item struct{ rule, name, level, jurisdiction, rate, amount string }
	var got []item
	for _, i := range r.Lines[0].TaxItems {
		require.Equal(t, tax.ReasonTaxable, i.Reason)
		require.Equal(t, "100.00", i.TaxableAmount.String())
		require.Equal(t, "US", i.Country)
		require.Equal(t, "NY", i.State)
		require.False(t, i.Exempt)
		got = append(got, item{
			i.RuleID, i.Name, string(i.JurisdictionType), i.JurisdictionName, i.Rate.String(), i.Amount.String(),
		})
	}
	require.Equal(t, []item{
		{"us-ny-general", "New York state sales tax", "STATE", "New York", "0.040000000", "4.00"},
		{"us-ny-nyc-general", "New York City sales tax", "CITY", "New York City", "0.045000000", "4.50"},
		{"us-ny-mctd-general", "MCTD sales tax", "SPECIAL", "MCTD", "0.003750000", "0.38"},
	}, got)
	var texts []string
	for _, s := range r.Explanation.Steps {
		texts = append(texts, s.Code+": "+s.Text)
	}
	require.Equal(t, []string{
		"SOURCING: Taxed at the destination, New York, NY 10118. Sales are taxed where they are delivered.",
		"JURISDICTIONS: New York, New York County, New York City and MCTD: found by ZIP.",
		"CLASSIFICATION: Class PHYSICAL.",
		"RATE: Combined rate 8.875 % on 100.00 gives 8.875, rounded to 8.88.",
		"ROUNDING: Rounded half away from zero, once per tax and line; " +
			"jurisdictions add up to the lines and lines to the total.",
	}, texts)
	require.Equal(t, []string{"MCTD"}, r.Explanation.Items[0].Rounding.Allocation)
}

func TestLinesWithoutTaxSayWhy(t *testing.T) {
	t.Parallel()
	exempt := func(kind tax.TaxExemption, state string) *tax.Exempt {
		return &tax.Exempt{TaxExemption: kind, ExemptionID: "exmp_1", Country: "US", State: state}
	}
	for _, test := range []struct {
		rule      string
		sale      sale
		given     *tax.Exempt
		exemption tax.TaxExemption
		reason    tax.TaxReason
		exempt    bool
	}{
		{
			"a state without sales tax", sale{"Portland, OR 97201", "PHYSICAL", "10.00", "", ""}, nil,
			tax.ExemptionRegion, tax.ReasonNotTaxable, true,
		},
		{
			"Delaware", sale{"Dover, DE 19901", "CLOTHING", "10.00", "", ""}, nil, tax.ExemptionRegion,
			tax.ReasonNotTaxable, true,
		},
		{
			"Montana", sale{"Helena, MT 59601", "SAAS", "10.00", "", ""}, nil, tax.ExemptionRegion,
			tax.ReasonNotTaxable, true,
		},
		{
			"New Hampshire", sale{"Concord, NH 03301", "FOOD", "10.00", "", ""}, nil, tax.ExemptionRegion,
			tax.ReasonNotTaxable, true,
		},
		{
			"a class the state does not tax", sale{"Houston, TX 77002", "FOOD", "10.00", "", ""}, nil,
			tax.ExemptionProduct, tax.ReasonNotTaxable, true,
		},
		{
			"a class that is never taxed", sale{"Houston, TX 77002", "NOT_TAXABLE", "10.00", "", ""}, nil,
			tax.ExemptionProduct, tax.ReasonNotTaxable, true,
		},
		{
			"below a threshold", sale{"New York, NY 10118", "CLOTHING", "10.00", "", ""}, nil,
			tax.ExemptionProduct, tax.ReasonBelowThreshold, true,
		},
		{
			"no amount", sale{"Houston, TX 77002", "PHYSICAL", "0.00", "", ""}, nil, tax.ExemptionZeroValue,
			tax.ReasonTaxable, false,
		},
		{"a zero rate", sale{", KS ", "FOOD", "10.00", "", ""}, nil, tax.ExemptionZeroRate, tax.ReasonZeroRate, false},
		{
			"an exempt product", sale{"Houston, TX 77002", "PHYSICAL", "10.00", "", ""},
			exempt(tax.ExemptionProduct, ""), tax.ExemptionProduct, tax.ReasonProductExempt, true,
		},
		{
			"an exempt customer", sale{"Houston, TX 77002", "PHYSICAL", "10.00", "", ""},
			exempt(tax.ExemptionCustomer, "TX"), tax.ExemptionCustomer, tax.ReasonCustomerExempt, true,
		},
		{
			"a reseller", sale{"Houston, TX 77002", "PHYSICAL", "10.00", "", ""},
			exempt(tax.ExemptionWholesale, ""), tax.ExemptionWholesale, tax.ReasonCustomerExempt, true,
		},
		{
			"an exempt sale", sale{"Houston, TX 77002", "PHYSICAL", "10.00", "", ""},
			exempt(tax.ExemptionTransaction, ""), tax.ExemptionTransaction, tax.ReasonTransactionExempt, true,
		},
		{
			"before any rule", sale{"Houston, TX 77002", "PHYSICAL", "10.00", "", "1950-01-01"}, nil,
			tax.ExemptionNoRuleFound, tax.ReasonNoRuleFound, false,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			req := test.sale.request(t)
			req.Lines[0].Exempt = test.given
			r, err := loaded(t).Calculate(req)
			require.NoError(t, err)
			l := r.Lines[0]
			require.True(t, l.Tax.IsZero())
			require.True(t, l.Rate.IsZero())
			require.Equal(t, test.exemption, l.TaxExemption)
			require.Equal(t, test.exempt, l.Exempt)
			require.Equal(t, test.reason, l.TaxItems[0].Reason)
			if test.given != nil {
				require.Equal(t, "exmp_1", l.ExemptionID)
			}
		})
	}
}

func TestAnExemptionOfAnotherStateDoesNotApply(t *testing.T) {
	t.Parallel()
	req := sale{"Houston, TX 77002", "PHYSICAL", "100.00", "", ""}.request(t)
	req.Lines[0].Exempt = &tax.Exempt{
		TaxExemption: tax.ExemptionCustomer, ExemptionID: "exmp_1", Country: "US", State: "NY",
	}
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, "8.25", r.Tax.String())
	require.Empty(t, r.Lines[0].ExemptionID)

	req.TaxDate = calendar.MustDate("1950-01-01")
	r, err = loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Contains(t, codesOf(r), tax.WarningNoRuleFound, "nor is it an answer where the law is unknown")
}

// Cities that have a tax of their own which is not in the content: their tax is a warning.
func TestUnknownCityTaxesAreAWarning(t *testing.T) {
	t.Parallel()
	for _, place := range []string{
		"Galesburg, IL 61401", "Hannibal, MO 63401", "Louisville, CO 80027",
	} {
		r := sale{place, "PHYSICAL", "100.00", "", ""}.calculate(t)
		require.Contains(t, codesOf(r), tax.WarningLocalTaxUnknown, place)
		require.Equal(t, tax.ConfidenceLow, r.Confidence, place)
	}
}

// Explanations give the reason of a base or a rate that is not the general one.

func TestExplanationsGiveTheReason(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		law  string
		sale sale
		says string
	}{
		{
			"M.G.L. c. 64H s. 6(k)", sale{"Boston, MA 02108", "CLOTHING", "275.00", "", ""},
			"In Massachusetts clothing up to 175.00 USD an item is exempt, the part above it is taxed.",
		},
		{
			"M.G.L. c. 64H s. 6(k)", sale{"Boston, MA 02108", "CLOTHING", "175.00", "", ""},
			"No tax: clothing up to 175.00 USD an item is exempt in Massachusetts.",
		},
		{
			"Tex. Tax Code 151.351", sale{"Houston, TX 77002", "SAAS", "100.00", "", ""},
			"Texas taxes 80 % of software as a service.",
		},
		{
			"NY Tax Law 1115(a)(30)", sale{"New York, NY 10118", "CLOTHING", "110.00", "", ""},
			"In New York clothing below 110.00 USD an item is exempt, from there on the whole price is taxed.",
		},
		{
			"NY Tax Law 1115(a)(30)", sale{"New York, NY 10118", "CLOTHING", "109.99", "", ""},
			"No tax: clothing below 110.00 USD an item is exempt in New York.",
		},
		{
			"NY Pub 718-C", sale{"Albany, NY 12207", "CLOTHING", "109.99", "", ""},
			"New York exempts clothing below 110.00 USD an item from its own tax; local taxes remain.",
		},
		{
			"Conn. Gen. Stat. 12-408(1)(H)", sale{"Hartford, CT 06103", "CLOTHING", "1000.01", "", ""},
			"Connecticut taxes clothing above 1000.00 USD an item at 7.75 %.",
		},
		{
			"Tenn. Code Ann. 67-6-228", sale{"Nashville, TN 37203", "FOOD", "100.00", "", ""},
			"Tennessee taxes food at a reduced rate of 4 %.",
		},
		{
			"O.C.G.A. 48-8-3(57)", sale{"Atlanta, GA 30303", "FOOD", "100.00", "", ""},
			"Georgia takes no tax of its own on food; local taxes remain.",
		},
		{
			"Va. Code 58.1-611.1", sale{"Richmond, VA 23219", "FOOD", "100.00", "", ""},
			"Virginia takes no tax of its own on food; local taxes remain.",
		},
		{
			"Fla. Stat. 212.054(2)(b)", sale{"Miami, FL 33101", "PHYSICAL", "6000.00", "", ""},
			"Local taxes are due on the first 5000.00 USD of an item.",
		},
		{
			"Tenn. Code Ann. 67-6-702", sale{"Nashville, TN 37203", "PHYSICAL", "5000.00", "", ""},
			"Local taxes are due on the first 1600.00 USD of an item.",
		},
		{
			"Tenn. Code Ann. 67-6-202(a)", sale{"Nashville, TN 37203", "PHYSICAL", "5000.00", "", ""},
			"Tennessee adds 2.75 % on the part of an item from 1600.00 to 3200.00 USD.",
		},
		{
			"no reason to give", sale{"Miami, FL 33101", "PHYSICAL", "5000.00", "", ""},
			"Combined rate 7 % on 5000.00 gives 350.00, rounded to 350.00.",
		},
		{
			"no rule", sale{"Houston, TX 77002", "PHYSICAL", "10.00", "", "1950-01-01"},
			"No tax calculated: Levy has no rule for it here on this date, what the law asks is not known.",
		},
	} {
		var texts []string
		for _, s := range test.sale.calculate(t).Explanation.Steps {
			if s.Code == tax.StepRate || s.Code == tax.StepExemption {
				texts = append(texts, s.Text)
			}
		}
		text := strings.Join(texts, "\n")
		require.True(t, strings.HasSuffix(text, test.says) || strings.Contains(text, test.says+" "),
			"%s: %q", test.law, text)
	}
}
