package content

import (
	"errors"
	"io/fs"
	"iter"

	"levy/tax"
)

// The functions below turn a line of each table into a row for the engine.
// Cells are parts of the text of their line; only those of small tables are
// kept as they are.

func addCountry(d *tax.Data, r *row) {
	d.Countries = append(d.Countries, tax.CountryRow{Code: r.text("code"), Name: r.text("name")})
}

func addSource(d *tax.Data, r *row) {
	d.Sources = append(d.Sources, tax.SourceRow{ID: r.text("source_id"), Title: r.text("title"), Publisher: r.text("publisher"), Edition: r.text("edition")})
}

func addJurisdiction(d *tax.Data, r *row) {
	d.Jurisdictions = append(d.Jurisdictions, tax.JurisdictionRow{
		At: r.at(), ID: r.text("id"), Country: r.text("country"), State: r.text("state"), Level: r.text("level"), Name: r.text("name"),
		Parent: r.text("parent_id"), Code: r.text("fips_or_code"), CodeSystem: r.text("code_system"), Label: r.text("label"), Slug: r.text("slug"), Statewide: r.text("scope") == "STATEWIDE",
	})
}

func addRate(d *tax.Data, r *row) {
	class := r.text("category")
	if class == "*" {
		class = ""
	}
	certain := false
	switch r.text("from_basis") {
	case "STATUTE", "NOTICE", "FILE":
		certain = true
	case "PUBLICATION", "AS_OF":
	default:
		r.fault("from_basis", errNotAValue)
	}
	d.Rates = append(d.Rates, tax.RateRow{
		At: r.at(), JurisdictionID: r.text("jurisdiction_id"), TaxType: r.text("tax_type"), Class: tax.TaxClass(class), Rate: r.number("rate"),
		From: r.date("valid_from"), To: r.date("valid_to"), CertainStart: certain, SourceID: r.text("source"), Confidence: r.confidence(),
	})
}

func addCoverage(d *tax.Data, r *row) {
	d.Coverage = append(d.Coverage, tax.CoverageRow{At: r.at(), State: r.text("state"), HasLocalTax: r.flag("has_local_tax")})
}

func addSourcing(d *tax.Data, r *row) {
	d.Sourcing = append(d.Sourcing, tax.SourcingRow{At: r.at(), State: r.text("state"), Intrastate: r.text("intrastate_sourcing"), From: r.date("effective_from")})
}

func addTaxability(d *tax.Data, r *row) {
	d.Taxability = append(d.Taxability, tax.TaxabilityRow{
		At: r.at(), State: r.text("state"), Class: tax.TaxClass(r.text("category")), Treatment: r.text("treatment"), StateRate: r.percentage("state_rate_pct"),
		LocalRule: r.text("local_rule"), Threshold: r.number("threshold_usd"), ThresholdMode: r.text("threshold_mode"),
		From: r.date("effective_from"), To: r.date("effective_to"), Source: r.text("source"), Confidence: r.confidence(),
	})
}

func addLocalRule(d *tax.Data, r *row) {
	d.LocalRules = append(d.LocalRules, tax.LocalRuleRow{
		At: r.at(), ID: r.text("rule_id"), State: r.text("state"), Kind: r.text("kind"), Levels: r.list("levels"), Jurisdictions: r.list("jurisdictions"),
		Classes: r.classes("classes"), Rate: r.number("rate"), Amount: r.number("amount_usd"), AmountTo: r.number("amount_to_usd"),
		ExceptCities: r.list("except_cities"), TaxName: r.text("tax_name"), From: r.date("valid_from"), To: r.date("valid_to"),
		Source: r.text("source"), Confidence: r.confidence(),
	})
}

func addHoliday(d *tax.Data, r *row) {
	below := false
	switch r.text("limit") {
	case "BELOW":
		below = true
	case "UP_TO", "":
	default:
		r.fault("limit", errNotAValue)
	}
	d.Holidays = append(d.Holidays, tax.HolidayRow{
		At: r.at(), State: r.text("state"), Name: r.text("name"), From: r.date("starts_on"), To: r.date("ends_on"), Classes: r.classes("classes"),
		MaxItem: r.number("max_item_usd"), Below: below, Source: r.text("source"), Confidence: r.confidence(),
	})
}

func addCategory(d *tax.Data, r *row) {
	d.Categories = append(d.Categories, tax.CategoryRow{
		At: r.at(), Category: r.text("category"), Subcategory: r.text("subcategory"), DisplayName: r.text("display_name"), Class: tax.TaxClass(r.text("tax_class")),
		Default: r.text("default_subcategory"), Frequent: r.flag("is_frequent"), Description: r.text("description"), Example: r.text("example"),
	})
}

func addClassRule(d *tax.Data, r *row) {
	d.ClassRules = append(d.ClassRules, tax.ClassRuleRow{
		At: r.at(), JurisdictionID: r.text("jurisdiction_id"), Class: tax.TaxClass(r.text("class")), Treatment: r.text("treatment"),
		From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"), Confidence: r.confidence(),
	})
}

func addTerritory(d *tax.Data, r *row) {
	d.Territories = append(d.Territories, tax.TerritoryRow{
		At: r.at(), Country: r.text("country"), PostalFrom: r.text("postal_from"), PostalTo: r.text("postal_to"),
		JurisdictionID: r.text("jurisdiction_id"), Name: r.text("name"),
	})
}

func addImportLimit(d *tax.Data, r *row) {
	perItem := false
	switch r.text("per") {
	case "ITEM":
		perItem = true
	case "CONSIGNMENT":
	default:
		r.fault("per", errNotAValue)
	}
	d.ImportLimits = append(d.ImportLimits, tax.ImportLimitRow{
		At: r.at(), Territory: r.text("territory"), Amount: r.number("amount"), Currency: r.text("currency"), PerItem: perItem,
		From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"),
	})
}

// places streams the one large table.
func places(folder fs.FS) iter.Seq2[tax.PlaceRow, error] {
	return func(yield func(tax.PlaceRow, error) bool) {
		t, f, err := openTable(folder, "places.csv")
		if err != nil {
			yield(tax.PlaceRow{}, err)
			return
		}
		defer f.Close()
		var r row
		for {
			ok, err := t.next(&r)
			if err != nil {
				yield(tax.PlaceRow{}, err)
				return
			}
			if !ok {
				return
			}
			p := tax.PlaceRow{
				At: r.at(), ZIP: r.text("zip5"), City: r.text("city"), State: r.text("state"), County: r.text("county"), Jurisdictions: r.text("jurisdiction_ids"),
				Primary: r.flag("primary"), Basis: r.text("basis"), Completeness: tax.Completeness(r.text("completeness")),
			}
			if !yield(p, errors.Join(r.faults...)) {
				return
			}
		}
	}
}

func addNexus(d *tax.Data, r *row) {
	d.Nexus = append(d.Nexus, tax.NexusRow{At: r.at(), NexusRule: tax.NexusRule{
		Country: r.text("country"), State: r.text("state"), Type: tax.NexusType(r.text("type")), Seller: tax.Seller(r.text("seller")),
		Currency: r.text("currency"), Test: tax.NexusTest(r.text("test")), Amount: r.number("amount"), Count: r.integer("count"),
		AmountExceeded: r.exceeded("amount_test"), CountExceeded: r.exceeded("count_test"),
		Period: tax.PeriodModel(r.text("period_model")), Exempt: tax.ExemptTreatment(r.text("exempt_sales")), Marketplace: r.flag("marketplace"),
		Trigger: tax.Trigger(r.text("trigger")), From: r.date("effective_from"), To: r.date("effective_to"),
		Source: r.text("source"), Confidence: r.confidence(),
	}})
}

func addFilingDue(d *tax.Data, r *row) {
	d.FilingDues = append(d.FilingDues, tax.FilingDueRow{
		At: r.at(), State: r.text("state"), Frequency: tax.FilingFrequency(r.text("frequency")), Rule: r.text("due_rule"), Default: r.flag("default"),
		Source: r.text("source"), Confidence: r.confidence(),
	})
}

func addHolidayRule(d *tax.Data, r *row) {
	d.HolidayRules = append(d.HolidayRules, tax.HolidayRuleRow{
		At: r.at(), Name: r.text("name"), Rule: r.text("rule"), Observed: r.text("observed_rule"), Scope: r.list("scope"), Since: r.date("since"),
	})
}
