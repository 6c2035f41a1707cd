package tax_test

import (
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// Goods of 100.00, 19.99 and 0.50 delivered to the capital of each state: one rounding of
// the sum of all rates.
func TestGoodsInEveryCapital(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ to, hundred, twenty, half string }{
		{"Montgomery, AL 36104", "10.00", "2.00", "0.05"},
		{"Juneau, AK 99801", "5.00", "1.00", "0.03"},
		{"Phoenix, AZ 85001", "9.10", "1.82", "0.05"},
		{"Little Rock, AR 72201", "8.63", "1.72", "0.04"},
		{"Sacramento, CA 95814", "8.75", "1.75", "0.04"},
		{"Denver, CO 80202", "9.15", "1.83", "0.05"},
		{"Hartford, CT 06103", "6.35", "1.27", "0.03"},
		{"Dover, DE 19901", "0.00", "0.00", "0.00"},
		{"Washington, DC 20001", "6.00", "1.20", "0.03"},
		{"Tallahassee, FL 32301", "7.50", "1.50", "0.04"},
		{"Atlanta, GA 30303", "8.90", "1.78", "0.04"},
		{"Honolulu, HI 96813", "4.50", "0.90", "0.02"},
		{"Boise, ID 83702", "6.00", "1.20", "0.03"},
		{"Springfield, IL 62701", "9.50", "1.90", "0.05"},
		{"Indianapolis, IN 46204", "7.00", "1.40", "0.04"},
		{"Des Moines, IA 50309", "7.00", "1.40", "0.04"},
		{"Topeka, KS 66603", "9.35", "1.87", "0.05"},
		{"Frankfort, KY 40601", "6.00", "1.20", "0.03"},
		{"Baton Rouge, LA 70802", "5.00", "1.00", "0.03"},
		{"Augusta, ME 04330", "5.50", "1.10", "0.03"},
		{"Annapolis, MD 21401", "6.00", "1.20", "0.03"},
		{"Boston, MA 02108", "6.25", "1.25", "0.03"},
		{"Lansing, MI 48933", "6.00", "1.20", "0.03"},
		{"Saint Paul, MN 55102", "9.88", "1.97", "0.05"},
		{"Jackson, MS 39201", "8.00", "1.60", "0.04"},
		{"Jefferson City, MO 65101", "7.85", "1.57", "0.04"},
		{"Helena, MT 59601", "0.00", "0.00", "0.00"},
		{"Lincoln, NE 68508", "7.25", "1.45", "0.04"},
		{"Carson City, NV 89701", "7.60", "1.52", "0.04"},
		{"Concord, NH 03301", "0.00", "0.00", "0.00"},
		{"Trenton, NJ 08608", "6.63", "1.32", "0.03"},
		{"Santa Fe, NM 87501", "8.19", "1.64", "0.04"},
		{"Albany, NY 12207", "8.00", "1.60", "0.04"},
		{"Raleigh, NC 27601", "7.25", "1.45", "0.04"},
		{"Bismarck, ND 58501", "8.00", "1.60", "0.04"},
		{"Columbus, OH 43215", "8.00", "1.60", "0.04"},
		{"Oklahoma City, OK 73102", "8.63", "1.72", "0.04"},
		{"Salem, OR 97301", "0.00", "0.00", "0.00"},
		{"Harrisburg, PA 17101", "6.00", "1.20", "0.03"},
		{"San Juan, PR 00901", "11.50", "2.30", "0.06"},
		{"Providence, RI 02903", "7.00", "1.40", "0.04"},
		{"Columbia, SC 29201", "8.00", "1.60", "0.04"},
		{"Pierre, SD 57501", "6.20", "1.24", "0.03"},
		{"Nashville, TN 37203", "9.75", "1.95", "0.05"},
		{"Austin, TX 78701", "8.25", "1.65", "0.04"},
		{"Salt Lake City, UT 84101", "8.45", "1.69", "0.04"},
		{"Montpelier, VT 05602", "7.00", "1.40", "0.04"},
		{"Richmond, VA 23219", "6.00", "1.20", "0.03"},
		{"Olympia, WA 98501", "9.80", "1.96", "0.05"},
		{"Charleston, WV 25301", "7.00", "1.40", "0.04"},
		{"Madison, WI 53703", "5.50", "1.10", "0.03"},
		{"Cheyenne, WY 82001", "5.00", "1.00", "0.03"},
	} {
		for amount, want := range map[string]string{"100.00": test.hundred, "19.99": test.twenty, "0.50": test.half} {
			r := sale{test.to, "PHYSICAL", amount, "", ""}.calculate(t)
			require.Equal(t, want, r.Tax.String(), "%s to %s", amount, test.to)
			sum := decimal.MustParse("0.00")
			for _, item := range r.Lines[0].TaxItems {
				var err error
				sum, err = sum.Add(item.Amount)
				require.NoError(t, err)
			}
			require.Equal(t, want, sum.Pad(2).String(), "the parts of %s to %s", amount, test.to)
		}
	}
}

// States whose rate changed are tested on the first and the last day of each rate. The sale is goods of 1,000.00, with
// the taxes due everywhere in the state.
func TestRatesOfStatesOnTheirFirstAndLastDays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ state, day, tax string }{
		{"CA", "2013-01-01", "75.00"},
		{"CA", "2016-12-31", "75.00"},
		{"CA", "2017-01-01", "72.50"},
		{"DC", "2018-09-30", "57.50"},
		{"DC", "2018-10-01", "60.00"},
		{"DC", "2026-09-30", "60.00"},
		{"DC", "2026-10-01", "70.00"},
		{"KS", "2013-07-01", "61.50"},
		{"KS", "2015-06-30", "61.50"},
		{"KS", "2015-07-01", "65.00"},
		{"LA", "2015-01-01", "40.00"},
		{"LA", "2016-03-31", "40.00"},
		{"LA", "2016-04-01", "50.00"},
		{"LA", "2018-06-30", "50.00"},
		{"LA", "2018-07-01", "44.50"},
		{"LA", "2024-12-31", "44.50"},
		{"LA", "2025-01-01", "50.00"},
		{"LA", "2029-12-31", "50.00"},
		{"LA", "2030-01-01", "47.50"},
		{"NJ", "2006-07-15", "70.00"},
		{"NJ", "2016-12-31", "70.00"},
		{"NJ", "2017-01-01", "68.75"},
		{"NJ", "2017-12-31", "68.75"},
		{"NJ", "2018-01-01", "66.25"},
		{"NM", "2010-07-01", "51.25"},
		{"NM", "2022-06-30", "51.25"},
		{"NM", "2022-07-01", "50.00"},
		{"NM", "2023-06-30", "50.00"},
		{"NM", "2023-07-01", "48.75"},
		{"PR", "2015-06-30", "70.00"},
		{"PR", "2015-07-01", "115.00"},
		{"SD", "2015-01-01", "40.00"},
		{"SD", "2016-05-31", "40.00"},
		{"SD", "2016-06-01", "45.00"},
		{"SD", "2023-06-30", "45.00"},
		{"SD", "2023-07-01", "42.00"},
		{"SD", "2027-06-30", "42.00"},
		{"SD", "2027-07-01", "45.00"},
		{"UT", "2015-01-01", "47.00"},
		{"UT", "2019-03-31", "47.00"},
		{"UT", "2019-04-01", "48.50"},
	} {
		r := sale{", " + test.state + " ", "PHYSICAL", "1000.00", "", test.day}.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), "%s on %s", test.state, test.day)
		require.NotContains(t, codesOf(r), tax.WarningBeforeKnownHistory, "%s on %s", test.state, test.day)
	}
}

// The rate of every state is known for each day since 2015.
func TestRatesOfStatesSince2015(t *testing.T) {
	t.Parallel()
	for state := range strings.FieldsSeq(`AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH
		NJ NM NV NY OH OK OR PA PR RI SC SD TN TX UT VA VT WA WI WV WY`) {
		for _, day := range []string{"2015-01-01", "2016-04-15", "2017-07-01", "2018-12-31", "2020-01-01", "2022-02-28"} {
			r := sale{", " + state + " ", "PHYSICAL", "1000.00", "", day}.calculate(t)
			require.NotContains(t, codesOf(r), tax.WarningBeforeKnownHistory, "%s on %s", state, day)
		}
	}
}

// The place that taxes a sale inside one state; a sale from another state is always taxed where it is delivered.
func TestSourcingOfEveryState(t *testing.T) {
	t.Parallel()
	rules := map[string]tax.SourcingRule{}
	for _, state := range []string{"AZ", "IL", "MS", "MO", "OH", "PA", "TN", "TX", "UT", "VA"} {
		rules[state] = tax.SourcingOrigin
	}
	for _, state := range []string{
		"AL", "AR", "CA", "CO", "CT", "DC", "FL", "GA", "HI", "IA", "ID", "IN", "KS", "KY", "LA", "MA", "MD", "ME",
		"MI", "MN",
		"NC", "ND", "NE", "NJ", "NV", "NY", "OK", "PR", "RI", "SC", "SD", "VT", "WA", "WI", "WV", "WY",
	} {
		if _, ok := rules[state]; !ok {
			rules[state] = tax.SourcingDestination
		}
	}
	for state, want := range rules {
		place, elsewhere := loaded(t).Resolve(address(", "+state+" ")), loaded(t).Resolve(address(", DE "))
		for origin, rule := range map[*tax.Place]tax.SourcingRule{
			&place: want, &elsewhere: tax.SourcingDestination, nil: tax.SourcingDestination,
		} {
			r, err := loaded(t).Calculate(tax.Request{
				TaxDate: calendar.MustDate(usualDay), Destination: place, Origin: origin,
				Lines: []tax.Line{
					{Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One},
				},
			})
			require.NoError(t, err)
			require.Equal(t, rule, r.Sourcing, state)
		}
	}
}
