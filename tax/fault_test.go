package tax

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

// Rows of the tables that few contents have are checked as strictly as rates are: a content with a fault is not built,
// and the fault names its row.
func TestFaultsOfRarerTablesNameTheRow(t *testing.T) {
	t.Parallel()
	at := content.RowRef{File: "rare.csv", Line: 3}
	day, cents := calendar.MustDate("2026-01-01"), decimal.MustParse("1.00")
	other := content.OtherTaxRow{At: at, JurisdictionID: "US-TX", Tax: "Meals tax", Source: "Code"}
	class := content.ClassRuleRow{At: at, JurisdictionID: "US-TX", Class: "BOOK", Treatment: "EXEMPT", Confidence: "HIGH"}
	territory := content.TerritoryRow{At: at, Country: "JP", PostalFrom: "900", PostalTo: "907", Name: "Okinawa"}
	limit := content.ImportLimitRow{At: at, Territory: "JP", Amount: cents, Currency: "JPY"}
	site := content.FilingSiteRow{
		At: at, Country: "US", State: "TX", URL: "https://comptroller.texas.gov", AsOf: day, Source: "Comptroller",
	}
	holiday := content.HolidayRow{
		At: at, State: "TX", Name: "Clothes", From: day, To: day, Classes: []string{"CLOTHING"}, MaxItem: cents,
	}
	boundary := content.BoundaryRow{At: at, State: "TX", Load: 1}
	place := content.PlaceRow{
		At: at, ZIP: "75001", City: "Town", State: "TX", Jurisdictions: "US-TX", Primary: true, Basis: "POSTAL_CITY",
		Completeness: "COMPLETE",
	}
	for name, test := range map[string]struct {
		change func(*content.Data)
		want   string // empty: the row is taken as it is
	}{
		"a tax besides": {func(d *content.Data) { d.OtherTaxes = []content.OtherTaxRow{other} }, ""},
		"a tax besides of nobody": {func(d *content.Data) {
			other := other
			other.JurisdictionID = "US-XX"
			d.OtherTaxes = []content.OtherTaxRow{other}
		}, "unknown jurisdiction US-XX"},
		"a tax besides that nobody says": {func(d *content.Data) {
			other := other
			other.Source = ""
			d.OtherTaxes = []content.OtherTaxRow{other}
		}, "no tax or no source"},
		"a tax besides on what nobody sells": {func(d *content.Data) {
			other := other
			other.Classes = []string{"MOON_DUST"}
			d.OtherTaxes = []content.OtherTaxRow{other}
		}, `unknown class "MOON_DUST"`},
		"a rule of a class": {func(d *content.Data) { d.ClassRules = []content.ClassRuleRow{class} }, ""},
		"a rule of a class of nobody": {func(d *content.Data) {
			class := class
			class.JurisdictionID = "JP-13"
			d.ClassRules = []content.ClassRuleRow{class}
		}, "unknown jurisdiction JP-13"},
		"a rule of no class": {func(d *content.Data) {
			class := class
			class.Class = "MOON_DUST"
			d.ClassRules = []content.ClassRuleRow{class}
		}, `unknown class "MOON_DUST"`},
		"a rule that says nothing": {func(d *content.Data) {
			class := class
			class.Treatment = "PERHAPS"
			d.ClassRules = []content.ClassRuleRow{class}
		}, `treatment "PERHAPS"`},
		"two rules of a class": {
			func(d *content.Data) { d.ClassRules = []content.ClassRuleRow{class, class} }, "overlaps another row",
		},
		"a territory": {func(d *content.Data) { d.Territories = []content.TerritoryRow{territory} }, ""},
		"a territory whose codes are no range": {func(d *content.Data) {
			territory := territory
			territory.PostalFrom, territory.PostalTo = "907", "900"
			d.Territories = []content.TerritoryRow{territory}
		}, `postal codes "907" to "900" are no range`},
		"a territory whose codes differ in length": {func(d *content.Data) {
			territory := territory
			territory.PostalTo = "9070"
			d.Territories = []content.TerritoryRow{territory}
		}, "are no range"},
		"a territory of no country": {func(d *content.Data) {
			territory := territory
			territory.Country = "XX"
			d.Territories = []content.TerritoryRow{territory}
		}, `unknown country "XX"`},
		"a territory that nobody taxes": {func(d *content.Data) {
			territory := territory
			territory.JurisdictionID = "JP-47"
			d.Territories = []content.TerritoryRow{territory}
		}, "unknown jurisdiction JP-47"},
		"a limit of imports": {func(d *content.Data) { d.ImportLimits = []content.ImportLimitRow{limit} }, ""},
		"a limit of imports below zero": {func(d *content.Data) {
			limit := limit
			limit.Amount = decimal.MustParse("-1")
			d.ImportLimits = []content.ImportLimitRow{limit}
		}, "-1 is not an amount of money"},
		"a limit of imports into nowhere": {func(d *content.Data) {
			limit := limit
			limit.Territory = "XX"
			d.ImportLimits = []content.ImportLimitRow{limit}
		}, `territory "XX"`},
		"two limits of imports": {
			func(d *content.Data) { d.ImportLimits = []content.ImportLimitRow{limit, limit} }, "second limit of JP",
		},
		"a site": {func(d *content.Data) { d.FilingSites = []content.FilingSiteRow{site} }, ""},
		"two sites": {
			func(d *content.Data) { d.FilingSites = []content.FilingSiteRow{site, site} }, "a second site for US TX",
		},
		"a site that anybody can imitate": {func(d *content.Data) {
			site := site
			site.URL = "http://comptroller.texas.gov"
			d.FilingSites = []content.FilingSiteRow{site}
		}, "is no https address"},
		"a site of no day": {func(d *content.Data) {
			site := site
			site.AsOf = 0
			d.FilingSites = []content.FilingSiteRow{site}
		}, "no day or no source"},
		"a holiday": {func(d *content.Data) { d.Holidays = []content.HolidayRow{holiday} }, ""},
		"a holiday that ends before it begins": {func(d *content.Data) {
			holiday := holiday
			holiday.To = day.AddDays(-1)
			d.Holidays = []content.HolidayRow{holiday}
		}, "before it starts"},
		"a holiday of no state": {func(d *content.Data) {
			holiday := holiday
			holiday.State = "XX"
			d.Holidays = []content.HolidayRow{holiday}
		}, `unknown state "XX"`},
		"boundaries": {func(d *content.Data) { d.Boundaries = []content.BoundaryRow{boundary} }, ""},
		"boundaries of no state": {func(d *content.Data) {
			boundary := boundary
			boundary.State = "XX"
			d.Boundaries = []content.BoundaryRow{boundary}
		}, `unknown state "XX"`},
		"boundaries that stand twice": {
			func(d *content.Data) { d.Boundaries = []content.BoundaryRow{boundary, boundary} }, "state TX stands twice",
		},
		"boundaries of no import": {func(d *content.Data) {
			boundary := boundary
			boundary.Load = 0
			d.Boundaries = []content.BoundaryRow{boundary}
		}, "load 0"},
		"a ZIP that is not one": {func(d *content.Data) {
			place := place
			place.ZIP = "7500"
			d.Places = rows(place)
		}, `ZIP "7500" is not five digits in rising order`},
		"a ZIP out of order": {func(d *content.Data) {
			before := place
			before.ZIP = "75000"
			d.Places = rows(place, before)
		}, "in rising order"},
		"a place of no state": {func(d *content.Data) {
			place := place
			place.State = "XX"
			d.Places = rows(place)
		}, `unknown state "XX"`},
		"a place outside its state": {func(d *content.Data) {
			place := place
			place.Jurisdictions = "US-TX-C001"
			d.Places = rows(place)
		}, "the state is not among the jurisdictions"},
		"a place that nobody knows how sure": {func(d *content.Data) {
			place := place
			place.Completeness = "MOSTLY"
			d.Places = rows(place)
		}, `completeness "MOSTLY"`},
		"a cap of no jurisdiction": {func(d *content.Data) {
			d.LocalRules[0].At, d.LocalRules[0].Jurisdictions = at, []string{"US-TX-M-gone"}
		}, `unknown jurisdiction "US-TX-M-gone"`},
		"a cap of no level": {func(d *content.Data) {
			d.LocalRules[0].At, d.LocalRules[0].Levels = at, []string{"VILLAGE"}
		}, `level "VILLAGE"`},
		"a base above the whole": {func(d *content.Data) {
			d.Taxability[0].At, d.Taxability[0].Treatment = at, "TAXABLE_BASE_PCT:101"
		}, `base "101" is not a whole percentage`},
		"a threshold without its mode": {func(d *content.Data) {
			d.Taxability[0].At, d.Taxability[0].ThresholdMode = at, "SOMETIMES"
		}, `threshold mode "SOMETIMES"`},
		"a tax of no kind": {func(d *content.Data) {
			d.Rates[0].At, d.Rates[0].TaxType = at, "TITHE"
		}, `tax type "TITHE"`},
		"a rate of no class": {func(d *content.Data) {
			d.Rates[0].At, d.Rates[0].Class = at, "MOON_DUST"
		}, `unknown class "MOON_DUST"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := sample()
			test.change(&data)
			_, err := NewContent(data)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "rare.csv:3: ")
			require.ErrorContains(t, err, test.want)
		})
	}
}
