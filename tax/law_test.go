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
