package tax_test

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

const usualDay = "2026-05-15"

// sale is one line sold to "city, ST ZIP".
type sale struct {
	to, class, amount, quantity, day string
}

func address(to string) tax.Address {
	city, rest, _ := strings.Cut(to, ", ")
	state, zip, _ := strings.Cut(rest, " ")
	return tax.Address{City: city, State: state, PostalCode: zip, Country: "US"}
}

func (s sale) request(t require.TestingT) tax.Request {
	day, quantity := s.day, s.quantity
	if day == "" {
		day = usualDay
	}
	if quantity == "" {
		quantity = "1"
	}
	return tax.Request{TaxDate: calendar.MustDate(day), Currency: "USD", Destination: loaded(t).Resolve(address(s.to)),
		Lines: []tax.Line{{
			Class: tax.TaxClass(s.class), Amount: decimal.MustParse(s.amount), Quantity: decimal.MustParse(quantity),
		}}}
}

func (s sale) calculate(t require.TestingT) tax.Result {
	r, err := loaded(t).Calculate(s.request(t))
	require.NoError(t, err)
	return r
}

func TestTaxByLaw(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		sale sale
		tax  string
		base string
	}{
		{"the example of the contract", sale{"New York, NY 10118", "PHYSICAL", "100.00", "", ""}, "8.88", "100.00"},
		{
			"New York clothing under 110 is free of all taxes in the city",
			sale{"New York, NY 10118", "CLOTHING", "109.99", "", ""}, "0.00", "0.00",
		},
		{
			"New York clothing at 110 is fully taxed", sale{"New York, NY 10118", "CLOTHING", "110.00", "", ""},
			"9.76", "110.00",
		},
		{"the limit counts per item", sale{"New York, NY 10118", "CLOTHING", "219.98", "2", ""}, "0.00", "0.00"},
		{
			"two items at the limit are taxed", sale{"New York, NY 10118", "CLOTHING", "220.00", "2", ""},
			"19.53", "220.00",
		},
		{"no quantity counts as one item", sale{"New York, NY 10118", "CLOTHING", "110.00", "0", ""}, "9.76", "110.00"},
		{
			"children's clothing follows clothing",
			sale{"New York, NY 10118", "CLOTHING_CHILD", "109.99", "", ""}, "0.00", "0.00",
		},
		{
			"Albany County taxes clothing under 110", sale{"Albany, NY 12207", "CLOTHING", "109.99", "", ""},
			"4.40", "109.99",
		},
		{"Westchester and the MCTD too", sale{"Tarrytown, NY 10591", "CLOTHING", "109.99", "", ""}, "4.81", "109.99"},
		{"Chenango County does not", sale{"Greene, NY 13778", "CLOTHING", "100.00", "", ""}, "0.00", "0.00"},
		{"but its city of Norwich does", sale{"Norwich, NY 13815", "CLOTHING", "100.00", "", ""}, "4.00", "100.00"},
		{
			"Massachusetts clothing at 175 is free", sale{"Boston, MA 02108", "CLOTHING", "175.00", "", ""},
			"0.00", "0.00",
		},
		{"a cent above it, the cent is taxed", sale{"Boston, MA 02108", "CLOTHING", "175.01", "", ""}, "0.00", "0.01"},
		{
			"above 175 only the excess is taxed", sale{"Boston, MA 02108", "CLOTHING", "275.00", "", ""}, "6.25",
			"100.00",
		},
		{"the excess of each item", sale{"Boston, MA 02108", "CLOTHING", "550.00", "2", ""}, "12.50", "200.00"},
		{
			"Rhode Island clothing: the excess over 250",
			sale{"Providence, RI 02903", "CLOTHING", "350.00", "", ""}, "7.00", "100.00",
		},
		{
			"Connecticut clothing at 1,000", sale{"Hartford, CT 06103", "CLOTHING", "1000.00", "", ""}, "63.50",
			"1000.00",
		},
		{
			"Connecticut clothing above 1,000 bears 7.75 % on all",
			sale{"Hartford, CT 06103", "CLOTHING", "1000.01", "", ""}, "77.50", "1000.01",
		},
		{
			"Pennsylvania clothing is exempt", sale{"Philadelphia, PA 19103", "CLOTHING", "500.00", "", ""},
			"0.00", "0.00",
		},
		{"Texas with city and transit", sale{"Houston, TX 77002", "PHYSICAL", "100.00", "", ""}, "8.25", "100.00"},
		{"Texas taxes 80 % of data processing", sale{"Houston, TX 77002", "SAAS", "100.00", "", ""}, "6.60", "80.00"},
		{"books are goods", sale{"Houston, TX 77002", "BOOK", "100.00", "", ""}, "8.25", "100.00"},
		{"Florida surtax at the cap", sale{"Miami, FL 33101", "PHYSICAL", "5000.00", "", ""}, "350.00", "5000.00"},
		{"Florida surtax above the cap", sale{"Miami, FL 33101", "PHYSICAL", "6000.00", "", ""}, "410.00", "6000.00"},
		{
			"Fla. Admin. Code 12A-15.004(2): and for rentals of goods",
			sale{"Miami, FL 33101", "RENTAL_VEHICLE", "6000.00", "", ""}, "410.00", "6000.00",
		},
		{"the cap counts per item", sale{"Miami, FL 33101", "PHYSICAL", "6000.00", "2", ""}, "420.00", "6000.00"},
		{
			"Tennessee single article: 140 state, 11 band, 44 local",
			sale{"Nashville, TN 37203", "PHYSICAL", "2000.00", "", ""}, "195.00", "2000.00",
		},
		{
			"Tennessee single article above the band",
			sale{"Nashville, TN 37203", "PHYSICAL", "5000.00", "", ""}, "438.00", "5000.00",
		},
		{
			"Virginia groceries bear the local 1 % only", sale{"Richmond, VA 23219", "FOOD", "100.00", "", ""},
			"1.00", "100.00",
		},
		{
			"North Carolina groceries bear 2 % local", sale{"Charlotte, NC 28202", "FOOD", "100.00", "", ""},
			"2.00", "100.00",
		},
		{
			"Utah groceries bear 3 % everywhere", sale{"Salt Lake City, UT 84101", "FOOD", "100.00", "", ""},
			"3.00", "100.00",
		},
		{"Utah groceries, place unknown", sale{", UT ", "FOOD", "100.00", "", ""}, "3.00", "100.00"},
		{"Kansas groceries bear local tax only", sale{"Wichita, KS 67202", "FOOD", "100.00", "", ""}, "1.00", "100.00"},
		{
			"Georgia groceries bear local tax only", sale{"Atlanta, GA 30303", "FOOD", "100.00", "", ""}, "4.90",
			"100.00",
		},
		{
			"Illinois drugs: state and transit only", sale{"Chicago, IL 60601", "DRUGS_RX", "100.00", "", ""},
			"2.25", "100.00",
		},
		{
			"Juneau taxes although Alaska does not", sale{"Juneau, AK 99801", "PHYSICAL", "100.00", "", ""},
			"5.00", "100.00",
		},
		{"Puerto Rico is a state for tax", sale{"San Juan, PR 00901", "PHYSICAL", "100.00", "", ""}, "11.50", "100.00"},
		{"meals in DC", sale{"Washington, DC 20001", "PREPARED_FOOD", "100.00", "", ""}, "10.00", "100.00"},
		{"a tie goes away from zero", sale{"San Francisco, CA 94105", "PHYSICAL", "100.00", "", ""}, "8.63", "100.00"},
		{"a negative tie too", sale{"San Francisco, CA 94105", "PHYSICAL", "-100.00", "", ""}, "-8.63", "-100.00"},
		{
			"Suffolk County the day before its change",
			sale{"Amityville, NY 11701", "PHYSICAL", "100.00", "", "2025-02-28"}, "8.63", "100.00",
		},
		{
			"Suffolk County from its change on",
			sale{"Amityville, NY 11701", "PHYSICAL", "100.00", "", "2025-03-01"}, "8.75", "100.00",
		},
		{"Alabama groceries the day before 2 %", sale{", AL ", "FOOD", "100.00", "", "2025-08-31"}, "3.00", "100.00"},
		{"Alabama groceries from 2 % on", sale{", AL ", "FOOD", "100.00", "", "2025-09-01"}, "2.00", "100.00"},
		{
			"New York clothing: two items a cent under the limit and a cent over it in sum",
			sale{"New York, NY 10118", "CLOTHING", "219.99", "2", ""}, "0.00", "0.00",
		},
		{
			"Massachusetts: fifty cents of excess make three cents",
			sale{"Boston, MA 02108", "CLOTHING", "175.50", "", ""}, "0.03", "0.50",
		},
		{
			"Rhode Island clothing at 250 is free", sale{"Providence, RI 02903", "CLOTHING", "250.00", "", ""},
			"0.00", "0.00",
		},
		{
			"Rhode Island clothing a cent above", sale{"Providence, RI 02903", "CLOTHING", "250.01", "", ""},
			"0.00", "0.01",
		},
		{"New Jersey clothing is exempt", sale{"Newark, NJ 07102", "CLOTHING", "500.00", "", ""}, "0.00", "0.00"},
		{
			"Minnesota clothing is exempt of local taxes too",
			sale{"Minneapolis, MN 55401", "CLOTHING", "500.00", "", ""}, "0.00", "0.00",
		},
		{"Vermont clothing is exempt", sale{"Burlington, VT 05401", "CLOTHING", "500.00", "", ""}, "0.00", "0.00"},
		{
			"Tennessee single article at 1,600", sale{"Nashville, TN 37203", "PHYSICAL", "1600.00", "", ""},
			"156.00", "1600.00",
		},
		{
			"a cent above it only the state taxes the cent",
			sale{"Nashville, TN 37203", "PHYSICAL", "1600.01", "", ""}, "156.00", "1600.01",
		},
		{
			"Tennessee single article at 3,200", sale{"Nashville, TN 37203", "PHYSICAL", "3200.00", "", ""},
			"312.00", "3200.00",
		},
		{
			"two articles of 1,600 are no article of 3,200",
			sale{"Nashville, TN 37203", "PHYSICAL", "3200.00", "2", ""}, "312.00", "3200.00",
		},
		{"two articles of 3,200", sale{"Nashville, TN 37203", "PHYSICAL", "6400.00", "2", ""}, "624.00", "6400.00"},
		{
			"Tennessee's limit is for goods: software above it",
			sale{"Nashville, TN 37203", "SOFTWARE_DOWNLOAD", "2000.00", "", ""}, "195.00", "2000.00",
		},
		{
			"Florida surtax a dollar above the cap", sale{"Miami, FL 33101", "PHYSICAL", "5001.00", "", ""},
			"350.06", "5001.00",
		},
		{"the refund of a capped sale", sale{"Miami, FL 33101", "PHYSICAL", "-6000.00", "", ""}, "-410.00", "-6000.00"},
		{
			"Illinois groceries the day before the state tax ended",
			sale{"Chicago, IL 60601", "FOOD", "100.00", "", "2025-12-31"}, "2.25", "100.00",
		},
		{
			"Illinois groceries after it ended: transit only",
			sale{"Chicago, IL 60601", "FOOD", "100.00", "", "2026-01-01"}, "1.25", "100.00",
		},
		{
			"Arkansas groceries the day before 0 %", sale{", AR ", "FOOD", "1000.00", "", "2025-12-31"}, "1.25",
			"1000.00",
		},
		{"Arkansas groceries at 0 %", sale{", AR ", "FOOD", "1000.00", "", "2026-01-01"}, "0.00", "1000.00"},
		{"Kansas groceries the day before 0 %", sale{", KS ", "FOOD", "100.00", "", "2024-12-31"}, "2.00", "100.00"},
		{"Kansas groceries at 0 %", sale{", KS ", "FOOD", "100.00", "", "2025-01-01"}, "0.00", "100.00"},
		{
			"Mississippi groceries the day before 5 %", sale{", MS ", "FOOD", "100.00", "", "2025-06-30"},
			"7.00", "100.00",
		},
		{"Mississippi groceries from 5 % on", sale{", MS ", "FOOD", "100.00", "", "2025-07-01"}, "5.00", "100.00"},
		{"Oklahoma groceries the day before 0 %", sale{", OK ", "FOOD", "100.00", "", "2024-08-28"}, "4.50", "100.00"},
		{"Oklahoma groceries at 0 %", sale{", OK ", "FOOD", "100.00", "", "2024-08-29"}, "0.00", "100.00"},
		{
			"Virginia groceries the day before the state part ended",
			sale{"Richmond, VA 23219", "FOOD", "100.00", "", "2022-12-31"}, "2.50", "100.00",
		},
		{
			"shipping alone is taxed where it follows the items",
			sale{"Houston, TX 77002", "SHIPPING", "10.00", "", ""}, "0.83", "10.00",
		},
		{
			"shipping stated separately is free in California",
			sale{"San Francisco, CA 94105", "SHIPPING", "10.00", "", ""}, "0.00", "0.00",
		},
		{"gift cards are never taxed", sale{"Houston, TX 77002", "NOT_TAXABLE", "50.00", "", ""}, "0.00", "0.00"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r := test.sale.calculate(t)
			require.Equal(t, test.tax, r.Tax.String())
			require.Equal(t, test.base, r.TaxableAmount.String())
			require.NotEmpty(t, r.Lines[0].TaxItems)
			for _, i := range r.Lines[0].TaxItems {
				require.NotEmpty(t, i.Reason)
				require.LessOrEqual(t, len(i.RuleID), 50)
			}
		})
	}
}

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

func TestHolidaysFreeClothingOnTheirDaysUpToTheLimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule  string
		sale  sale
		freed bool
	}{
		{"Texas, the day before", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-06"}, false},
		{"Texas, first day", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-07"}, true},
		{"Texas, last day", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-09"}, true},
		{"Texas, the day after", sale{"Houston, TX 77002", "CLOTHING", "99.99", "", "2026-08-10"}, false},
		{
			"Texas frees items below 100, not at 100",
			sale{"Houston, TX 77002", "CLOTHING", "100.00", "", "2026-08-08"}, false,
		},
		{"Mississippi frees items below 100, not at 100", sale{", MS ", "CLOTHING", "100.00", "", "2026-07-10"}, false},
		{"a cent below it is free there", sale{", MS ", "CLOTHING", "99.99", "", "2026-07-12"}, true},
		{"not the day after", sale{", MS ", "CLOTHING", "99.99", "", "2026-07-13"}, false},
		{"Florida frees items up to 100", sale{"Miami, FL 33101", "CLOTHING", "100.00", "", "2026-08-08"}, true},
		{"the limit counts per item", sale{"Miami, FL 33101", "CLOTHING", "200.00", "2", "2026-08-08"}, true},
		{"a cent above the limit", sale{"Miami, FL 33101", "CLOTHING", "100.01", "", "2026-08-08"}, false},
		{"other goods are not freed", sale{"Miami, FL 33101", "PHYSICAL", "50.00", "", "2026-08-08"}, false},
		{
			"Massachusetts frees all goods up to 2,500",
			sale{"Boston, MA 02108", "PHYSICAL", "2500.00", "", "2026-08-08"}, true,
		},
		{"but not above", sale{"Boston, MA 02108", "PHYSICAL", "2500.01", "", "2026-08-08"}, false},
		{"and not meals", sale{"Boston, MA 02108", "PREPARED_FOOD", "20.00", "", "2026-08-08"}, false},
		{"a refund of a freed item is free", sale{"Houston, TX 77002", "CLOTHING", "-99.99", "", "2026-08-08"}, true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			l := test.sale.calculate(t).Lines[0]
			require.Equal(t, test.freed, l.Tax.IsZero())
			require.Equal(t, test.freed, l.Exempt)
			for _, i := range l.TaxItems {
				require.Equal(t, test.freed, i.Reason == tax.ReasonTaxHoliday)
			}
		})
	}
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

func TestShippingFollowsTheItems(t *testing.T) {
	t.Parallel()
	shipping := tax.Line{ID: "s", Class: tax.ClassShipping, Amount: decimal.MustParse("10.00"), Quantity: decimal.One}
	for class, want := range map[tax.TaxClass]string{tax.ClassPhysical: "0.83", tax.ClassFood: "0.00"} {
		req := sale{"Houston, TX 77002", string(class), "100.00", "", ""}.request(t)
		req.Lines = append([]tax.Line{shipping}, req.Lines...)
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, want, r.Lines[0].Tax.String(), class)
	}
}

func TestDiscountsLowerTheBaseAndTheLimitPerItem(t *testing.T) {
	t.Parallel()
	req := sale{"New York, NY 10118", "CLOTHING", "120.00", "", ""}.request(t)
	req.Lines[0].Discount = decimal.MustParse("10.01")
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, "0.00", r.Tax.String(), "109.99 after the discount")
}

func TestUnitsOfRounding(t *testing.T) {
	t.Parallel()
	req := sale{"New York, NY 10118", "PHYSICAL", "0.06", "", ""}.request(t)
	for range 9 {
		req.Lines = append(req.Lines, req.Lines[0])
	}
	for unit, want := range map[tax.RoundingUnit]string{
		tax.TaxPerLine:          "0.10", // 0.005325 each
		tax.TaxPerDocument:      "0.05", // 0.05325 together
		tax.JurisdictionPerLine: "0.00", // 0.0024, 0.0027 and 0.000225 each
	} {
		req.Rounding = unit
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, want, r.Tax.String(), unit)
		require.Equal(t, unit, r.Explanation.Items[0].Rounding.Unit)
	}
}

// Rates and rules of earlier days. Documented rates have no warning; before the first documented day of a rate the
// result has a warning, whatever rate it uses.
func TestRatesAndRulesOfEarlierDays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		law     string
		sale    sale
		tax     string
		unknown bool
	}{
		{
			"CDTFA, Los Angeles County until Measure A of 2024",
			sale{"Los Angeles, CA 90012", "PHYSICAL", "100.00", "", "2025-03-31"}, "9.50", false,
		},
		{
			"CDTFA, Los Angeles County from 1 April 2025",
			sale{"Los Angeles, CA 90012", "PHYSICAL", "100.00", "", "2025-04-01"}, "9.75", false,
		},
		{
			"before Measure H of 2017", sale{"Los Angeles, CA 90012", "PHYSICAL", "100.00", "", "2017-09-30"}, "7.25", true,
		},
		{
			"CDTFA, Oakland before Measure A of 2025",
			sale{"Oakland, CA 94612", "PHYSICAL", "100.00", "", "2025-09-30"}, "10.25", false,
		},
		{"and with it", sale{"Oakland, CA 94612", "PHYSICAL", "100.00", "", "2025-10-01"}, "10.75", false},
		{"Denver: 4.81 until 2024", sale{"Denver, CO 80202", "PHYSICAL", "100.00", "", "2024-12-31"}, "8.81", false},
		{"Denver: 5.15 from 2025", sale{"Denver, CO 80202", "PHYSICAL", "100.00", "", "2025-01-01"}, "9.15", false},
		{"Denver: 4.31 until 2020", sale{"Denver, CO 80202", "PHYSICAL", "100.00", "", "2020-12-31"}, "8.31", false},
		{
			"Phoenix City Code 14-460: 2.3 until June 2025",
			sale{"Phoenix, AZ 85003", "PHYSICAL", "100.00", "", "2025-06-30"}, "8.60", false,
		},
		{"and 2.8 from July", sale{"Phoenix, AZ 85003", "PHYSICAL", "100.00", "", "2025-07-01"}, "9.10", false},
		{"Seattle, unknown", sale{"Seattle, WA 98101", "PHYSICAL", "100.00", "", "2015-05-15"}, "10.10", true},
		{"Seattle until 2020", sale{"Seattle, WA 98101", "PHYSICAL", "100.00", "", "2020-12-31"}, "10.10", false},
		{"Seattle from 2021", sale{"Seattle, WA 98101", "PHYSICAL", "100.00", "", "2021-01-01"}, "10.20", false},
		{"Salt Lake City, unknown", sale{"Salt Lake City, UT 84101", "PHYSICAL", "100.00", "", "2019-12-31"}, "7.75", true},
		{"Salt Lake City until 2024", sale{"Salt Lake City, UT 84101", "PHYSICAL", "100.00", "", "2024-12-31"},
			"7.75", false},
		{
			"Milwaukee before the city tax and the higher county tax of 2024 (Wis. Stat. 77.70, 77.701)",
			sale{"Milwaukee, WI 53202", "PHYSICAL", "100.00", "", "2023-12-31"}, "5.50", false,
		},
		{"and with them", sale{"Milwaukee, WI 53202", "PHYSICAL", "100.00", "", "2024-01-01"}, "7.90", false},
		{
			"Nashville before its transit tax", sale{"Nashville, TN 37203", "PHYSICAL", "100.00", "", "2025-01-31"},
			"9.25", true, // Davidson County has evidence from 2026 on only
		},
		{"Maui before its surcharge (HRS 46-16.8)", sale{"Wailuku, HI 96793", "PHYSICAL", "100.00", "", "2023-12-31"},
			"4.00", false},
		{"and with it", sale{"Wailuku, HI 96793", "PHYSICAL", "100.00", "", "2024-01-01"}, "4.50", false},
		{"Ark. Code 26-52-317: Act 110 of 2007", sale{", AR ", "FOOD", "100.00", "", "2009-06-30"}, "3.00", false},
		{"Ark. Code 26-52-317: Act 436 of 2009", sale{", AR ", "FOOD", "100.00", "", "2009-07-01"}, "2.00", false},
		{"Ark. Code 26-52-317: Act 436 of 2009", sale{", AR ", "FOOD", "100.00", "", "2011-06-30"}, "2.00", false},
		{"Ark. Code 26-52-317: Act 755 of 2011", sale{", AR ", "FOOD", "100.00", "", "2011-07-01"}, "1.50", false},
		{"Ark. Code 26-52-317: Act 755 of 2011", sale{", AR ", "FOOD", "100.00", "", "2013-06-30"}, "1.50", false},
		{"Arkansas, 6 % until Amendment 91", sale{", AR ", "PHYSICAL", "100.00", "", "2013-06-30"}, "6.00", false},
		{"and 6.5 % with it", sale{", AR ", "PHYSICAL", "100.00", "", "2013-07-01"}, "6.50", false},
		{"Juneau, Proposition 2 of 2025", sale{"Juneau, AK 99801", "FOOD", "100.00", "", "2026-06-01"}, "0.00", false},
		{"Juneau taxed food before", sale{"Juneau, AK 99801", "FOOD", "100.00", "", "2025-06-01"}, "5.00", true},
	} {
		r := test.sale.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), test.law)
		if test.unknown {
			require.Contains(t, codesOf(r), tax.WarningBeforeKnownHistory, "%s on %s", test.law, test.sale.day)
			require.Equal(t, tax.ConfidenceLow, r.Confidence)
		} else {
			require.NotContains(t, codesOf(r), tax.WarningBeforeKnownHistory, "%s on %s", test.law, test.sale.day)
		}
		require.NotContains(t, codesOf(r), tax.WarningNoRuleFound, test.law)
	}
}

// New Mexico reported gross receipts where the seller is until June 2021 (NMSA 7-1-14).
func TestSourcingOfNewMexico(t *testing.T) {
	t.Parallel()
	origin := loaded(t).Resolve(address("Santa Fe, NM 87501"))
	for day, want := range map[string]tax.SourcingRule{
		"2021-06-30": tax.SourcingOrigin, "2021-07-01": tax.SourcingDestination,
	} {
		req := sale{"Albuquerque, NM 87102", "PHYSICAL", "100.00", "", day}.request(t)
		req.Origin = &origin
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, want, r.Sourcing, day)
	}
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
