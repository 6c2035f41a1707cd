package tax

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

// Rows of rarely changed tables are checked as strictly as rates: a content with a fault is not built, and the fault
// names its row.
func TestFaultsOfRarerTablesNameTheRow(t *testing.T) {
	t.Parallel()
	at := content.RowRef{File: "rare.csv", Line: 3}
	day, cents := calendar.MustDate("2026-01-01"), decimal.MustParse("1.00")
	other := content.OtherTaxRow{At: at, JurisdictionID: "US-TX", Tax: "Meals tax", Source: "Code"}
	class := content.ClassRuleRow{At: at, JurisdictionID: "US-TX", Class: "BOOK", Treatment: "EXEMPT", Confidence: "HIGH"}
	territory := content.TerritoryRow{At: at, Country: "JP", PostalFrom: "900", PostalTo: "907", Name: "Okinawa"}
	law := content.MarketplaceLawRow{
		At: at, Country: "US", State: "TX", Goods: "ALL", Sellers: "ANY", From: 20191001, Source: "Code",
	}
	lawful := func(change func(*content.MarketplaceLawRow)) func(*content.Data) {
		return only(law, change)
	}
	laidOut := func(change func(*content.ReturnLayoutRow, *content.ReturnLineRow)) func(*content.Data) {
		return func(d *content.Data) {
			layout := content.ReturnLayoutRow{
				At: at, ID: "TX/1", Country: "US", State: "TX", Form: "F", Name: "Return", Edition: "1", From: 20190401,
				Amends: "REPLACES", Rounding: "CENT_OF_BASE", Source: "Form", Confidence: "HIGH",
			}
			line := content.ReturnLineRow{
				At: at, Layout: "TX/1", Line: "1", Name: "Sales", Unit: "CENT", Rule: "All", Source: "Form", Confidence: "HIGH",
				Formula: "sum(gross, own)",
			}
			if change != nil {
				change(&layout, &line)
			}
			d.Layouts, d.LayoutLines = []content.ReturnLayoutRow{layout}, []content.ReturnLineRow{line}
		}
	}
	allowed := func(change func(*content.VendorAllowanceRow)) func(*content.Data) {
		return func(d *content.Data) {
			row := content.VendorAllowanceRow{
				At: at, State: "TX", Program: "SALES", Dates: "PERIOD_END", Rate: decimal.MustNew(5, 3), Basis: "TAX_DUE", Source: "Code",
				Confidence: "HIGH",
			}
			if change != nil {
				change(&row)
			}
			d.Allowances = []content.VendorAllowanceRow{row}
		}
	}
	inFile := func(change func(*content.ReturnFileRow, *content.ReturnCodeRow)) func(*content.Data) {
		return func(d *content.Data) {
			file := content.ReturnFileRow{
				At: at, ID: "TX/1", Country: "US", State: "TX", Form: "F", Name: "File", Edition: "1", From: 20190401,
				MediaType: "text/csv", Extension: "csv", Source: "Page", Confidence: "MED",
			}
			code := content.ReturnCodeRow{
				At: at, Form: "F", State: "TX", Place: "Texas", Code: "1", From: 20190401, Source: "List", Confidence: "MED",
			}
			if change != nil {
				change(&file, &code)
			}
			d.ReturnFiles, d.ReturnCodes = []content.ReturnFileRow{file}, []content.ReturnCodeRow{code}
		}
	}
	discount := content.DiscountLawRow{
		At: at, Country: "US", State: "TX", Kind: "TRADE_IN", Lowers: true, From: 20191001, Source: "Code",
	}
	discounted := func(change func(*content.DiscountLawRow)) func(*content.Data) {
		return only(discount, change)
	}
	charge := content.ReverseChargeRow{At: at, Country: "JP", Supplies: "SERVICES", Business: "ACCOUNTS", From: day, Source: "Code"}
	charged := func(change func(*content.ReverseChargeRow)) func(*content.Data) {
		return only(charge, change)
	}
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
		"a tax besides of nobody": {only(other, func(r *content.OtherTaxRow) {
			r.JurisdictionID = "US-XX"
		}), "unknown jurisdiction US-XX"},
		"a tax besides that nobody says": {only(other, func(r *content.OtherTaxRow) { r.Source = "" }), "no tax or no source"},
		"a tax besides on what nobody sells": {only(other, func(r *content.OtherTaxRow) {
			r.Classes = []string{"MOON_DUST"}
		}), `unknown class "MOON_DUST"`},
		"a rule of a class": {func(d *content.Data) { d.ClassRules = []content.ClassRuleRow{class} }, ""},
		"a rule of a class of nobody": {only(class, func(r *content.ClassRuleRow) {
			r.JurisdictionID = "JP-13"
		}), "unknown jurisdiction JP-13"},
		"a rule of no class":       {only(class, func(r *content.ClassRuleRow) { r.Class = "MOON_DUST" }), `unknown class "MOON_DUST"`},
		"a rule that says nothing": {only(class, func(r *content.ClassRuleRow) { r.Treatment = "PERHAPS" }), `treatment "PERHAPS"`},
		"two rules of a class": {
			func(d *content.Data) { d.ClassRules = []content.ClassRuleRow{class, class} }, "overlaps another row",
		},
		"two rules of a class that share a day, the later first": {func(d *content.Data) {
			later, earlier := class, class
			later.From, earlier.To = day, day
			d.ClassRules = []content.ClassRuleRow{later, earlier}
		}, "overlaps another row"},
		"two rules of a class that follow each other, the later first": {func(d *content.Data) {
			later, earlier := class, class
			later.From, earlier.To = day, day.AddDays(-1)
			d.ClassRules = []content.ClassRuleRow{later, earlier}
		}, ""},
		"a territory": {func(d *content.Data) { d.Territories = []content.TerritoryRow{territory} }, ""},
		"a territory with more digits than its codes have": {only(territory, func(r *content.TerritoryRow) {
			r.Digits = len(r.PostalFrom) + 1
		}), `digits in "`},
		"a territory whose codes are no range": {only(territory, func(r *content.TerritoryRow) {
			r.PostalFrom, r.PostalTo = "907", "900"
		}), `postal codes "907" to "900" are no range`},
		"a territory whose codes differ in length": {only(territory, func(r *content.TerritoryRow) {
			r.PostalTo = "9070"
		}), "are no range"},
		"a territory of no country": {only(territory, func(r *content.TerritoryRow) { r.Country = "XX" }), `unknown country "XX"`},
		"a territory that nobody taxes": {only(territory, func(r *content.TerritoryRow) {
			r.JurisdictionID = "JP-47"
		}), "unknown jurisdiction JP-47"},
		"a limit of imports": {func(d *content.Data) { d.ImportLimits = []content.ImportLimitRow{limit} }, ""},
		"a limit of imports below zero": {only(limit, func(r *content.ImportLimitRow) {
			r.Amount = decimal.MustParse("-1")
		}), "-1 is not an amount of money"},
		"a limit of imports into nowhere": {only(limit, func(r *content.ImportLimitRow) { r.Territory = "XX" }), `territory "XX"`},
		"two limits of imports": {
			func(d *content.Data) { d.ImportLimits = []content.ImportLimitRow{limit, limit} }, "second limit of JP",
		},
		"a tax at the border beside a limit": {func(d *content.Data) {
			d.ImportLimits = []content.ImportLimitRow{limit}
			d.BorderTaxes = []content.BorderTaxRow{{At: at, Country: "JP"}}
		}, "overlaps another row"},
		"a tax at no border": {func(d *content.Data) {
			d.BorderTaxes = []content.BorderTaxRow{{At: at, Country: "XX"}}
		}, `unknown country "XX"`},
		"a reverse charge":        {charged(func(*content.ReverseChargeRow) {}), ""},
		"one in no country":       {charged(func(r *content.ReverseChargeRow) { r.Country = "XX" }), `unknown country "XX"`},
		"one of other supplies":   {charged(func(r *content.ReverseChargeRow) { r.Supplies = "GOODS" }), `supplies "GOODS"`},
		"one that nobody decides": {charged(func(r *content.ReverseChargeRow) { r.Business = "MAYBE" }), `business "MAYBE"`},
		"two at one time": {func(d *content.Data) {
			d.ReverseCharges = []content.ReverseChargeRow{charge, charge}
		}, "overlaps another row"},
		"one about some services behind that about all": {func(d *content.Data) {
			some := charge
			some.Supplies = "ELECTRONIC"
			d.ReverseCharges = []content.ReverseChargeRow{charge, some}
		}, "the law about ELECTRONIC stands behind that about SERVICES"},
		"one about some services before that about all": {func(d *content.Data) {
			some := charge
			some.Supplies = "ELECTRONIC"
			d.ReverseCharges = []content.ReverseChargeRow{some, charge}
		}, ""},
		"a law about marketplaces": {lawful(func(*content.MarketplaceLawRow) {}), ""},
		"one of no country":        {lawful(func(l *content.MarketplaceLawRow) { l.Country = "XX" }), `unknown country "XX"`},
		"one of no state":          {lawful(func(l *content.MarketplaceLawRow) { l.State = "XX" }), `unknown state "XX"`},
		"one about other goods":    {lawful(func(l *content.MarketplaceLawRow) { l.Goods = "BOOKS" }), `goods "BOOKS"`},
		"one about other sellers":  {lawful(func(l *content.MarketplaceLawRow) { l.Sellers = "SOME" }), `sellers "SOME"`},
		"one without a first day":  {lawful(func(l *content.MarketplaceLawRow) { l.From = 0 }), "no first day"},
		"one without a source":     {lawful(func(l *content.MarketplaceLawRow) { l.Source = "" }), "no source"},
		"a law about discounts":    {discounted(func(*content.DiscountLawRow) {}), ""},
		"of no country":            {discounted(func(l *content.DiscountLawRow) { l.Country = "XX" }), `unknown country "XX"`},
		"of no state":              {discounted(func(l *content.DiscountLawRow) { l.State = "XX" }), `unknown state "XX"`},
		"about no kind":            {discounted(func(l *content.DiscountLawRow) { l.Kind = "GIFT" }), `kind "GIFT"`},
		"without a source":         {discounted(func(l *content.DiscountLawRow) { l.Source = "" }), "no source"},
		"twice": {
			func(d *content.Data) { d.DiscountLaws = []content.DiscountLawRow{discount, discount} }, "overlaps another row",
		},
		"a layout": {laidOut(nil), ""},
		"a layout of no state": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) { l.State = "XX" }),
			`unknown state "XX"`},
		"a layout of no country": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) { l.Country = "XX" }),
			`unknown country "XX"`},
		"a layout without a form": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) { l.Form = "" }),
			"no id, form, name or edition"},
		"a layout without a source": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) { l.Source = "" }),
			"no source"},
		"a layout of no period": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) { l.To = l.From - 1 }),
			"before it starts on"},
		"a layout that amends nothing": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) { l.Amends = "" }),
			`amends ""`},
		"a layout that does not say how it rounds": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) {
			l.Rounding = "DOWN"
		}), `rounding "DOWN"`},
		"a layout of a thirteenth month": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) {
			l.LastMonths = []string{"13"}
		}), `month "13"`},
		"a layout with a note without a code": {laidOut(func(l *content.ReturnLayoutRow, _ *content.ReturnLineRow) {
			l.Notes = []string{"Look"}
		}), "has no code"},
		"a line without a formula": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Formula = "" }),
			`formula ""`},
		"a formula that does not end": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Formula = "add(#1" }),
			`formula "add(#1"`},
		"a formula without an argument": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Formula = "add(,)" }),
			`formula "add(,)"`},
		"a formula of a later line": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Formula = "add(-#2)" }),
			"line 2 is none of those before"},
		"a line of parts that no formula makes": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Line = "S*" }),
			`line "S*" has each ""`},
		"parts that cannot be read": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) {
			l.Line, l.Each = "S*", "places"
		}), `each "places"`},
		"a line in dollars of a form in cents": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Unit = "DOLLAR" }),
			"DOLLAR of line 1 does not fit CENT_OF_BASE"},
		"a rate on a form that adds up taxes": {laidOut(func(l *content.ReturnLayoutRow, x *content.ReturnLineRow) {
			l.Rounding, x.Formula = "CENT_ACCRUED", "share(0, 0.05)"
		}), "does not fit CENT_ACCRUED"},
		"an allowance":                  {allowed(nil), ""},
		"an allowance of no state":      {allowed(func(r *content.VendorAllowanceRow) { r.State = "XX" }), `unknown state "XX"`},
		"an allowance without a source": {allowed(func(r *content.VendorAllowanceRow) { r.Source = "" }), "no program or source"},
		"an allowance of all tax":       {allowed(func(r *content.VendorAllowanceRow) { r.Rate = decimal.One }), "rate 1"},
		"an allowance of a part of a cent": {allowed(func(r *content.VendorAllowanceRow) { r.Cap = decimal.MustNew(1, 3) }),
			"amount 0.001"},
		"an allowance by tiers of another kind": {allowed(func(r *content.VendorAllowanceRow) { r.TierKind = "SOME" }),
			`tier kind "SOME"`},
		"an allowance of no day": {allowed(func(r *content.VendorAllowanceRow) { r.Dates = "" }), `dates ""`},
		"a cap of no period":     {allowed(func(r *content.VendorAllowanceRow) { r.Cap = decimal.One }), "a cap without its period"},
		"an allowance of what":   {allowed(func(r *content.VendorAllowanceRow) { r.Basis = "" }), "a rate without its basis"},
		"a second tier alone":    {allowed(func(r *content.VendorAllowanceRow) { r.TierFrom = decimal.One }), "no first tier"},
		"two allowances of a day": {func(d *content.Data) {
			allowed(nil)(d)
			d.Allowances = append(d.Allowances, d.Allowances[0])
		}, "overlaps another row of the same key"},
		"tiers apart": {func(d *content.Data) {
			allowed(nil)(d)
			next := d.Allowances[0]
			d.Allowances[0].TierTo, next.TierFrom = decimal.One, decimal.Two
			d.Allowances = append(d.Allowances, next)
		}, "does not begin where the one before ends"},
		"two layouts of a period": {func(d *content.Data) {
			laidOut(nil)(d)
			other := d.Layouts[0]
			other.ID, other.From = "other", 20250101
			d.Layouts = append(d.Layouts, other)
		}, "overlaps another row of the same key"},
		"a layout without lines": {func(d *content.Data) {
			laidOut(nil)(d)
			d.LayoutLines = nil
		}, "layout TX/1 has no lines"},
		"a line of no layout": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Layout = "TX/2" }),
			`unknown layout "TX/2"`},
		"a line without a rule": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Rule = "" }),
			"no number, name or rule"},
		"a line of no source": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Source = "" }), "no source"},
		"a line in pounds": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Unit = "POUND" }),
			`unit "POUND"`},
		"a line of many parts": {laidOut(func(_ *content.ReturnLayoutRow, l *content.ReturnLineRow) { l.Line = "1*.*" }),
			`line "1*.*"`},
		"a line twice": {func(d *content.Data) {
			laidOut(nil)(d)
			d.LayoutLines = append(d.LayoutLines, d.LayoutLines[0])
		}, "a second line 1 of TX/1"},
		"a field of registrations":      {withField(nil), ""},
		"a field without a pattern":     {withField(func(f *content.RegistrationFieldRow) { f.Pattern = "" }), `pattern ""`},
		"a field whose pattern is none": {withField(func(f *content.RegistrationFieldRow) { f.Pattern = "[" }), `pattern "["`},
		"a field that registrations lack": {withField(func(f *content.RegistrationFieldRow) { f.Field = "name" }),
			`unknown field "name"`},
		"a field without a source":    {withField(func(f *content.RegistrationFieldRow) { f.Source = "" }), "no source"},
		"a field of an unknown state": {withField(func(f *content.RegistrationFieldRow) { f.State = "XX" }), `unknown state "XX"`},
		"a field of an unknown country": {withField(func(f *content.RegistrationFieldRow) { f.Country = "XX" }),
			`unknown country "XX"`},
		"a field twice": {func(d *content.Data) {
			withField(nil)(d)
			d.RegistrationFields = append(d.RegistrationFields, d.RegistrationFields[0])
		}, "a second field sales_tax_id of US TX"},
		"a file": {inFile(nil), ""},
		"a file of no state": {inFile(func(f *content.ReturnFileRow, _ *content.ReturnCodeRow) { f.State = "XX" }),
			`unknown state "XX"`},
		"a file of no country": {inFile(func(f *content.ReturnFileRow, _ *content.ReturnCodeRow) { f.Country = "XX" }),
			`unknown country "XX"`},
		"a file without an edition": {inFile(func(f *content.ReturnFileRow, _ *content.ReturnCodeRow) { f.Edition = "" }),
			"no id, form, name or edition"},
		"a file without a source": {inFile(func(f *content.ReturnFileRow, _ *content.ReturnCodeRow) { f.Source = "" }),
			"no source"},
		"a file of no kind": {inFile(func(f *content.ReturnFileRow, _ *content.ReturnCodeRow) { f.MediaType = "csv" }),
			`media type "csv"`},
		"a file from no day": {inFile(func(f *content.ReturnFileRow, _ *content.ReturnCodeRow) { f.From = 0 }), "no first day"},
		"two files of a period": {func(d *content.Data) {
			inFile(nil)(d)
			other := d.ReturnFiles[0]
			other.ID, other.From = "other", 20250101
			d.ReturnFiles = append(d.ReturnFiles, other)
		}, "overlaps another row of the same key"},
		"a code of no place": {inFile(func(_ *content.ReturnFileRow, c *content.ReturnCodeRow) { c.Place = "Texas, Atlantis" }),
			`no jurisdiction "Atlantis" in "TX"`},
		"a code of no form": {inFile(func(_ *content.ReturnFileRow, c *content.ReturnCodeRow) { c.Form = "G" }),
			`no file of form "G" in "TX"`},
		"a code without digits": {inFile(func(_ *content.ReturnFileRow, c *content.ReturnCodeRow) { c.Code = "" }),
			"no place or code"},
		"a code of no source": {inFile(func(_ *content.ReturnFileRow, c *content.ReturnCodeRow) { c.Source = "" }), "no source"},
		"two codes of a place": {func(d *content.Data) {
			inFile(nil)(d)
			d.ReturnCodes = append(d.ReturnCodes, d.ReturnCodes[0])
		}, "overlaps another row of the same key"},
		"a site": {func(d *content.Data) { d.FilingSites = []content.FilingSiteRow{site} }, ""},
		"two sites": {
			func(d *content.Data) { d.FilingSites = []content.FilingSiteRow{site, site} }, "a second site for US TX",
		},
		"a site that anybody can imitate": {only(site, func(r *content.FilingSiteRow) {
			r.URL = "http://comptroller.texas.gov"
		}), "is no https address"},
		"a site of no day": {only(site, func(r *content.FilingSiteRow) { r.AsOf = 0 }), "no day or no source"},
		"a holiday":        {func(d *content.Data) { d.Holidays = []content.HolidayRow{holiday} }, ""},
		"a holiday that ends before it begins": {only(holiday, func(r *content.HolidayRow) {
			r.To = day.AddDays(-1)
		}), "before it starts"},
		"a holiday of no state":  {only(holiday, func(r *content.HolidayRow) { r.State = "XX" }), `unknown state "XX"`},
		"boundaries":             {func(d *content.Data) { d.Boundaries = []content.BoundaryRow{boundary} }, ""},
		"boundaries of no state": {only(boundary, func(r *content.BoundaryRow) { r.State = "XX" }), `unknown state "XX"`},
		"boundaries that stand twice": {
			func(d *content.Data) { d.Boundaries = []content.BoundaryRow{boundary, boundary} }, "state TX stands twice",
		},
		"boundaries of no import": {only(boundary, func(r *content.BoundaryRow) { r.Load = 0 }), "load 0"},
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
		"a tax of other countries in the United States": {func(d *content.Data) {
			d.Rates[0].At, d.Rates[0].TaxType = at, "VAT"
		}, `tax type "VAT" in US`},
		"a tax of the United States in another country": {func(d *content.Data) {
			d.Jurisdictions = append(d.Jurisdictions, content.JurisdictionRow{ID: "JP", Country: "JP", Level: "COUNTRY"})
			vat := d.Rates[0]
			vat.At, vat.JurisdictionID, vat.TaxType = at, "JP", "SALES"
			d.Rates = append(d.Rates, vat)
		}, `tax type "SALES" in JP`},
		"a rate that ends before it begins": {func(d *content.Data) {
			d.Rates[0].At, d.Rates[0].To = at, d.Rates[0].From.AddDays(-1)
		}, "ends on 1990-06-30 before it starts on 1990-07-01"},
		"a rate of one day": {func(d *content.Data) { d.Rates[0].To = d.Rates[0].From }, ""},
		"a rate of ten decimals": {func(d *content.Data) {
			d.Rates[0].At, d.Rates[0].Rate = at, decimal.MustParse("0.0000000001")
		}, "rate 0.0000000001 is not a fraction with at most 9 decimals"},
		"a rate of the whole price": {func(d *content.Data) { d.Rates[0].Rate = decimal.One }, ""},
		"a rate above the whole price": {func(d *content.Data) {
			d.Rates[0].At, d.Rates[0].Rate = at, decimal.MustParse("1.000000001")
		}, "rate 1.000000001 is not a fraction with at most 9 decimals"},
		"a state in small letters": {func(d *content.Data) {
			d.Jurisdictions[1].At, d.Jurisdictions[1].State = at, "tx"
		}, `state "tx" is not two capital letters`},
		"a state of three letters": {func(d *content.Data) {
			d.Jurisdictions[1].At, d.Jurisdictions[1].State = at, "TEX"
		}, `state "TEX" is not two capital letters`},
		"a state with a digit": {func(d *content.Data) {
			d.Jurisdictions[1].At, d.Jurisdictions[1].State = at, "T1"
		}, `state "T1" is not two capital letters`},
		"an id without a name": {func(d *content.Data) {
			d.Jurisdictions[4].At, d.Jurisdictions[4].ID = at, "US-TX-D"
		}, "id US-TX-D does not end in a name: give it a slug"},
		"a name that is too long for ids of rules": {func(d *content.Data) {
			d.Jurisdictions[4].At, d.Jurisdictions[4].ID = at, "US-TX-D-"+strings.Repeat("x", 27)
		}, "are too long: give it a slug"},
		"an id of a cap that is too long": {func(d *content.Data) {
			d.LocalRules[0].At, d.LocalRules[0].ID = at, strings.Repeat("X", 48)
		}, strings.Repeat("X", 48) + " is too long"},
		"an id of a cap of 50 letters": {func(d *content.Data) { d.LocalRules[0].ID = strings.Repeat("X", 47) }, ""},
		"a ZIP with a sign": {func(d *content.Data) {
			place := place
			place.ZIP = "-0001"
			d.Places = rows(place)
		}, `ZIP "-0001" is not five digits in rising order`},
		"a ZIP with its four further digits": {func(d *content.Data) {
			place := place
			place.ZIP = "75001-0001"
			d.Places = rows(place)
		}, `ZIP "75001-0001" is not five digits in rising order`},
		"a place that was found nowhere": {func(d *content.Data) {
			place := place
			place.Basis = "HEARSAY"
			d.Places = rows(place)
		}, `basis "HEARSAY"`},
		"two main places of a ZIP": {func(d *content.Data) {
			d.Places = rows(place, place)
		}, "the ZIP that ends here has 2 primary rows instead of one"},
		"a due day of no country": {func(d *content.Data) {
			d.FilingDues = []calendar.DueRow{{
				At: at, Country: "XX", State: "XX", Frequency: calendar.FilingMonthly, Rule: "DAY:20",
			}}
		}, `unknown country "XX"`},
		"a due day of no state": {func(d *content.Data) {
			d.FilingDues = []calendar.DueRow{{At: at, State: "XX", Frequency: calendar.FilingMonthly, Rule: "DAY:20"}}
		}, `unknown state "XX"`},
		"a base of nothing": {func(d *content.Data) {
			d.Taxability[0].At, d.Taxability[0].Treatment = at, "TAXABLE_BASE_PCT:0"
		}, `base "0" is not a whole percentage`},
		"a limit without what follows from it": {func(d *content.Data) {
			d.Taxability[0].At, d.Taxability[0].Threshold = at, cents
		}, "treatment, threshold and its mode do not go together"},
		"a limit of nothing": {func(d *content.Data) {
			d.Taxability[0].At, d.Taxability[0].Treatment, d.Taxability[0].ThresholdMode = at, "THRESHOLD", "EXCESS_ONLY"
		}, "treatment, threshold and its mode do not go together"},
		"a local rate above 100 %": {func(d *content.Data) {
			d.Taxability[0].At, d.Taxability[0].LocalRule = at, "FIXED:100.0000001"
		}, `"100.0000001" is not a percentage`},
		"treatments of a day each": {func(d *content.Data) {
			next := d.Taxability[0]
			d.Taxability[0].To, next.From = day, day.AddDays(1)
			d.Taxability = append(d.Taxability, next)
		}, ""},
		"treatments that share a day": {func(d *content.Data) {
			next := d.Taxability[0]
			d.Taxability[0].To, next.From, next.At = day, day, at
			d.Taxability = append(d.Taxability, next)
		}, "overlaps another row of the same key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := sample()
			test.change(&data)
			_, err := newContent(data)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "rare.csv:3: ")
			require.ErrorContains(t, err, test.want)
		})
	}
}

// only returns a change after which a table of the content has one row: a copy of one that is changed.
func only[T any](of T, change func(*T)) func(*content.Data) {
	return func(d *content.Data) {
		row := of
		change(&row)
		for _, table := range reflect.ValueOf(d).Elem().Fields() {
			if rows, ok := table.Addr().Interface().(*[]T); ok {
				*rows = []T{row}
			}
		}
	}
}

// All faults of a content are reported at once, each with its row: those of one table and those between tables.
func TestAllFaultsOfAContentAreReported(t *testing.T) {
	t.Parallel()
	data := sample()
	data.Jurisdictions[1].At = content.RowRef{File: "jurisdictions.csv", Line: 2}
	data.Jurisdictions[1].Parent = "MOON"
	data.Rates[0].At, data.Rates[0].SourceID = content.RowRef{File: "rates.csv", Line: 3}, "?"
	data.Sourcing[0].At, data.Sourcing[0].Intrastate = content.RowRef{File: "us_sourcing.csv", Line: 4}, "BOTH"
	_, err := newContent(data)
	require.ErrorIs(t, err, content.ErrContent)
	require.Equal(t, []string{
		"content: jurisdictions.csv:2: unknown parent MOON", `content: rates.csv:3: unknown source "?"`,
		`content: us_sourcing.csv:4: sourcing "BOTH"`,
	}, strings.Split(err.Error(), "\n"))
}

// Indexes of a content are small numbers: a content with the largest number of rows is accepted, and one with more is
// refused.
func TestContentsThatAreTooLargeAreRefused(t *testing.T) {
	t.Parallel()
	at := content.RowRef{File: "large.csv", Line: 3}
	states := func(n int) func(*content.Data) {
		return func(d *content.Data) {
			for i := range n - 2 { // the sample has Texas and California
				code := string([]byte{byte('D' + i/16), byte('A' + i%16)})
				d.Jurisdictions = append(d.Jurisdictions, content.JurisdictionRow{
					At: at, ID: "US-" + code, Country: "US", State: code, Level: "STATE", Name: "State of " + code, Parent: "US",
				})
			}
		}
	}
	sets := func(n int) func(*content.Data) { // each another selection of 17 districts of Texas
		return func(d *content.Data) {
			districts := make([]string, 17)
			for i := range districts {
				districts[i] = fmt.Sprintf("US-TX-D-%c", 'a'+i)
				d.Jurisdictions = append(d.Jurisdictions, content.JurisdictionRow{
					At: at, ID: districts[i], Country: "US", State: "TX", Level: "DISTRICT", Name: districts[i], Parent: "US-TX",
				})
			}
			d.Places = func(yield func(content.PlaceRow, error) bool) {
				for i := range n {
					ids := "US-TX"
					for bit, id := range districts {
						if i>>bit&1 == 1 {
							ids += "|" + id
						}
					}
					if !yield(content.PlaceRow{
						At: at, ZIP: fmt.Sprintf("%05d", i), State: "TX", Jurisdictions: ids, Primary: true, Basis: "POSTAL_CITY",
						Completeness: "COMPLETE",
					}, nil) {
						return
					}
				}
			}
		}
	}
	for name, test := range map[string]struct {
		change func(*content.Data)
		want   string
	}{
		"254 states":  {states(254), ""},
		"255 states":  {states(255), "more than 254 states"},
		"65,536 sets": {sets(1 << 16), ""},
		"65,537 sets": {sets(1<<16 + 1), "large.csv:3: more than 65535 sets of jurisdictions"},
		"65,536 jurisdictions": {
			func(d *content.Data) { d.Jurisdictions = make([]content.JurisdictionRow, 1<<16) }, "more than 65535 rows",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := sample()
			test.change(&data)
			_, err := newContent(data)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}

// withField returns a change of content that adds a field of registrations, itself changed.
func withField(change func(*content.RegistrationFieldRow)) func(*content.Data) {
	return func(d *content.Data) {
		row := content.RegistrationFieldRow{
			At:      content.RowRef{File: "rare.csv", Line: 3},
			Country: "US", State: "TX", Field: "sales_tax_id", Pattern: "[0-9]{11}", Expected: "11 digits", Source: "law", Confidence: "MED",
		}
		if change != nil {
			change(&row)
		}
		d.RegistrationFields = []content.RegistrationFieldRow{row}
	}
}
