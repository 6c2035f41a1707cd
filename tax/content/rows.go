package content

import (
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strconv"
	"strings"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// The functions below turn a line of each table into a row for the engine.
// Cells are parts of the text of their line; only those of small tables are
// kept as they are.

func addCountry(d *Data, r *row) {
	d.Countries = append(d.Countries, CountryRow{Code: r.text("code"), Name: r.text("name")})
}

func addSource(d *Data, r *row) {
	d.Sources = append(d.Sources, SourceRow{
		ID: r.text("source_id"), Title: r.text("title"), Publisher: r.text("publisher"),
		Edition: r.text("edition"),
	})
}

func addJurisdiction(d *Data, r *row) {
	d.Jurisdictions = append(d.Jurisdictions, JurisdictionRow{
		At: r.at(), ID: r.text("id"), Country: r.text("country"), State: r.text("state"), Level: r.text("level"),
		Name:   r.text("name"),
		Parent: r.text("parent_id"), Code: r.text("fips_or_code"), CodeSystem: r.text("code_system"), Label: r.text("label"),
		Slug: r.text("slug"), Statewide: r.text("scope") == "STATEWIDE",
	})
}

func addRate(d *Data, r *row) {
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
	d.Rates = append(d.Rates, RateRow{
		At: r.at(), JurisdictionID: r.text("jurisdiction_id"), TaxType: r.text("tax_type"), Class: class,
		Rate: r.number("rate"),
		From: r.date("valid_from"), To: r.date("valid_to"), CertainStart: certain, SourceID: r.text("source"),
		AsOf: r.date("as_of?"), Confidence: r.confidence(), Notes: r.text("notes?"),
	})
}

func addCoverage(d *Data, r *row) {
	d.Coverage = append(d.Coverage, CoverageRow{
		At: r.at(), State: r.text("state"), HasLocalTax: r.flag("has_local_tax"),
	})
}

// checkChecked reads what only the list of all rules, docs/content-classes.md, shows.
func checkChecked(_ *Data, r *row) {
	r.text("jurisdiction_id")
	if r.date("as_of") == 0 {
		r.fault("as_of", errNotAValue)
	}
}

func addSourcing(d *Data, r *row) {
	d.Sourcing = append(d.Sourcing, SourcingRow{
		At: r.at(), State: r.text("state"), Intrastate: r.text("intrastate_sourcing"),
		From: r.date("effective_from"), To: r.date("effective_to?"), Confidence: r.confidence(),
		LocalUseTax: r.text("local_use_tax?"), FromOutside: r.text("from_outside?"),
	})
}

func addTaxability(d *Data, r *row) {
	d.Taxability = append(d.Taxability, TaxabilityRow{
		At: r.at(), State: r.text("state"), Class: r.text("category"), Treatment: r.text("treatment"),
		StateRate: r.percentage("state_rate_pct"),
		LocalRule: r.text("local_rule"), Threshold: r.number("threshold_usd"), ThresholdMode: r.text("threshold_mode"),
		From: r.date("effective_from"), To: r.date("effective_to"), Source: r.text("source"), Confidence: r.confidence(),
		Notes: r.text("notes?"),
	})
}

func addLocalRule(d *Data, r *row) {
	d.LocalRules = append(d.LocalRules, LocalRuleRow{
		At: r.at(), ID: r.text("rule_id"), State: r.text("state"), Kind: r.text("kind"), Levels: r.list("levels"),
		Jurisdictions: r.list("jurisdictions"),
		Classes:       r.list("classes"), Rate: r.number("rate"), Amount: r.number("amount_usd"),
		AmountTo:     r.number("amount_to_usd"),
		ExceptCities: r.list("except_cities"), TaxName: r.text("tax_name"), From: r.date("valid_from"),
		To:     r.date("valid_to"),
		Source: r.text("source"), Confidence: r.confidence(),
	})
}

// tiersTable has the rates for parts of the price of an item.
const tiersTable = "local_tiers.csv"

func addTier(d *Data, r *row) {
	d.Tiers = append(d.Tiers, TierRow{
		At: r.at(), JurisdictionID: r.text("jurisdiction_id"), Above: r.number("above_usd"), Rate: r.number("rate"),
		Classes: r.list("classes"), From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"),
		Confidence: r.confidence(),
	})
}

func addHoliday(d *Data, r *row) {
	below := false
	switch r.text("limit") {
	case "BELOW":
		below = true
	case "UP_TO", "":
	default:
		r.fault("limit", errNotAValue)
	}
	delivery := r.text("delivery?")
	if !slices.Contains([]string{"", "COUNTS", "APART"}, delivery) {
		r.fault("delivery", errNotAValue)
	}
	d.Holidays = append(d.Holidays, HolidayRow{
		At: r.at(), State: r.text("state"), Name: r.text("name"), From: r.date("starts_on"), To: r.date("ends_on"),
		Goods: strings.Split(r.text("goods?"), ";"), Classes: r.list("classes"),
		MaxItem: r.number("max_item_usd"), Below: below, Delivery: delivery, Source: r.text("source"),
		Confidence: r.confidence(), Notes: r.text("notes?"),
	})
}

func addCategory(d *Data, r *row) {
	d.Categories = append(d.Categories, CategoryRow{
		At: r.at(), Category: r.text("category"), Subcategory: r.text("subcategory"), DisplayName: r.text("display_name"),
		Class:   r.text("tax_class"),
		Default: r.text("default_subcategory"), Frequent: r.flag("is_frequent"), Description: r.text("description"),
		Example: r.text("example"),
	})
}

func addClassRule(d *Data, r *row) {
	d.ClassRules = append(d.ClassRules, ClassRuleRow{
		At: r.at(), JurisdictionID: r.text("jurisdiction_id"), Class: r.text("class"), Treatment: r.text("treatment"),
		UpTo: r.number("up_to?"), Currency: r.text("currency?"), From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"),
		Confidence: r.confidence(), Notes: r.text("notes?"),
	})
}

func addTerritory(d *Data, r *row) {
	d.Territories = append(d.Territories, TerritoryRow{
		At: r.at(), Country: r.text("country"), PostalFrom: r.text("postal_from"), PostalTo: r.text("postal_to"),
		JurisdictionID: r.text("jurisdiction_id"), Name: r.text("name"), Source: r.text("source"),
		Tax: r.text("tax?"), Digits: r.integer("digits?"),
		States: r.list("states?"),
	})
}

func addImportLimit(d *Data, r *row) {
	perItem := false
	switch r.text("per") {
	case "ITEM":
		perItem = true
	case "CONSIGNMENT", "TAX":
	default:
		r.fault("per", errNotAValue)
	}
	d.ImportLimits = append(d.ImportLimits, ImportLimitRow{
		At: r.at(), Territory: r.text("territory"), Amount: r.number("amount"), Currency: r.text("currency"),
		PerItem: perItem, OfTax: r.text("per") == "TAX",
		From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"),
	})
}

// The tables about classes that a release before them does not know have the columns of categories.csv,
// us_taxability.csv, rates.csv, class_rules.csv and other_taxes.csv.
const (
	finerCategoriesTable = "finer_categories.csv"
	finerTaxabilityTable = "finer_taxability.csv"
	finerRatesTable      = "finer_rates.csv"
	finerRulesTable      = "finer_class_rules.csv"
	finerOthersTable     = "finer_other_taxes.csv"
)

// The tables about sellers from abroad outside of Europe and Canada.
const (
	borderTable  = "border_taxes.csv"
	reverseTable = "reverse_charges.csv"
)

func addBorderTax(d *Data, r *row) {
	d.BorderTaxes = append(d.BorderTaxes, BorderTaxRow{
		At: r.at(), Country: r.text("country"), From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"),
		Notes: r.text("notes"),
	})
}

func addReverseCharge(d *Data, r *row) {
	d.ReverseCharges = append(d.ReverseCharges, ReverseChargeRow{
		At: r.at(), Country: r.text("country"), Supplies: r.text("supplies"), Business: r.text("business"),
		From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"), Confidence: r.confidence(),
		Notes: r.text("notes"),
	})
}

func addOtherTax(d *Data, r *row) {
	d.OtherTaxes = append(d.OtherTaxes, OtherTaxRow{
		At: r.at(), JurisdictionID: r.text("jurisdiction_id"), Cities: r.list("cities"), Classes: r.list("classes"),
		Tax: r.text("tax"), From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"),
		Least: r.number("least_usd?"),
	})
}

func addMarketplaceLaw(d *Data, r *row) {
	d.MarketplaceLaws = append(d.MarketplaceLaws, MarketplaceLawRow{
		At: r.at(), Country: r.text("country"), State: r.text("state"), Goods: r.text("goods"), Sellers: r.text("sellers"),
		From: r.date("valid_from"), Source: r.text("source"), Without: r.list("without?"),
	})
}

func addDiscountLaw(d *Data, r *row) {
	d.DiscountLaws = append(d.DiscountLaws, DiscountLawRow{
		At: r.at(), Country: r.text("country"), State: r.text("state"), Kind: r.text("kind"), Lowers: r.flag("lowers"),
		From: r.date("valid_from"), To: r.date("valid_to"), Source: r.text("source"),
	})
}

// places streams the one large table. Its columns are found once and not in each row.
func places(folder fs.FS) iter.Seq2[PlaceRow, error] {
	return func(yield func(PlaceRow, error) bool) {
		t, f, err := openTable(folder, "places.csv")
		if err != nil {
			yield(PlaceRow{}, err)
			return
		}
		defer f.Close()
		r := row{table: t, line: t.line}
		zip, city, state, county := r.column("zip5"), r.column("city"), r.column("state"), r.column("county")
		jurisdictions, primary := r.column("jurisdiction_ids"), r.column("primary")
		basis, completeness, share := r.column("basis"), r.column("completeness"), r.column("share?")
		for {
			if err := errors.Join(r.faults...); err != nil {
				yield(PlaceRow{}, err)
				return
			}
			ok, err := r.next()
			if err != nil {
				yield(PlaceRow{}, err)
			}
			if !ok {
				return
			}
			p := PlaceRow{
				At: r.at(), ZIP: r.value(zip), City: r.value(city), State: r.value(state), County: r.value(county),
				Jurisdictions: r.value(jurisdictions), Primary: r.value(primary) == "Y", Basis: r.value(basis),
				Completeness: r.value(completeness),
			}
			if p.Known = share >= 0 && r.value(share) != ""; p.Known {
				if p.Share, err = strconv.Atoi(r.value(share)); err != nil || p.Share < 0 || p.Share > 1000 {
					r.fault("share", errNotAValue)
				}
			}
			if !p.Primary && r.value(primary) != "N" {
				r.fault("primary", errNotYesNo)
			} else if !yield(p, nil) {
				return
			}
		}
	}
}

func addNexus(d *Data, r *row) {
	d.Nexus = append(d.Nexus, nexus.Row{At: r.at(), Rule: nexus.Rule{
		Country: r.text("country"), State: r.text("state"), Type: nexus.Type(r.text("type")),
		Seller:   nexus.Seller(r.text("seller")),
		Currency: r.text("currency"), Test: nexus.Test(r.text("test")), Amount: r.number("amount"), Count: r.integer("count"),
		AmountExceeded: r.exceeded("amount_test"), CountExceeded: r.exceeded("count_test"),
		Period: nexus.PeriodModel(r.text("period_model")), Exempt: nexus.ExemptTreatment(r.text("exempt_sales")),
		Marketplace: r.flag("marketplace"), Only: r.kinds("counts_only?"),
		Trigger: nexus.Trigger(r.text("trigger")), From: r.date("effective_from"), To: r.date("effective_to"),
		Source: r.text("source"), Confidence: r.confidence(),
	}})
}

func addFilingDue(d *Data, r *row) { addDue(d, r, "") }

func addFilingDueAbroad(d *Data, r *row) { addDue(d, r, strings.Clone(r.text("country"))) }

func addDue(d *Data, r *row, country string) {
	d.FilingDues = append(d.FilingDues, calendar.DueRow{
		At: r.at(), Country: country, State: r.text("state"),
		Frequency: calendar.FilingFrequency(r.text("frequency")), Rule: r.text("due_rule"), Others: r.list("due_rule_of_months?"),
		Default: r.flag("default"),
		Source:  r.text("source"), Confidence: r.confidence(),
	})
}

func addHolidayRule(d *Data, r *row) {
	d.HolidayRules = append(d.HolidayRules, calendar.HolidayRow{
		At: r.at(), Name: r.text("name"), Rule: r.text("rule"), Observed: r.text("observed_rule"), Scope: r.list("scope"),
		Since: r.date("since"),
	})
}

func addFilingSite(d *Data, r *row) {
	d.FilingSites = append(d.FilingSites, FilingSiteRow{
		At: r.at(), Country: r.text("country"), State: r.text("state"), URL: strings.Clone(r.text("url")),
		AsOf: r.date("as_of"), Source: r.text("source"),
	})
}

func addReturnLayout(d *Data, r *row) {
	d.Layouts = append(d.Layouts, ReturnLayoutRow{
		At: r.at(), ID: strings.Clone(r.text("layout")), Country: strings.Clone(r.text("country")),
		State: strings.Clone(r.text("state")), Form: strings.Clone(r.text("form")), Name: strings.Clone(r.text("name")),
		Edition: strings.Clone(r.text("edition")), From: r.date("from"), To: r.date("to"),
		Amends: strings.Clone(r.text("amends")), Source: strings.Clone(r.text("source")),
		Rounding: strings.Clone(r.text("rounding")), Filers: cloned(r.list("filers")), LastMonths: cloned(r.list("last_months")),
		Notes:      cloned(r.list("notes")),
		Confidence: strings.Clone(r.confidence()),
	})
}

func addReturnLine(d *Data, r *row) {
	d.LayoutLines = append(d.LayoutLines, ReturnLineRow{
		At: r.at(), Layout: strings.Clone(r.text("layout")), Line: strings.Clone(r.text("line")),
		Name: strings.Clone(r.text("name")), Unit: strings.Clone(r.text("unit")), Rule: strings.Clone(r.text("rule")),
		Source: strings.Clone(r.text("source")), Confidence: strings.Clone(r.confidence()),
		Each: strings.Clone(r.text("each")), Formula: strings.Clone(r.text("formula")), FromZero: r.text("from_zero") == "Y",
	})
}

// cloned returns copies of texts, which do not keep the block of a table that they were cut out of.
func cloned(texts []string) []string {
	for i := range texts {
		texts[i] = strings.Clone(texts[i])
	}
	return texts
}

func addVendorAllowance(d *Data, r *row) {
	d.Allowances = append(d.Allowances, VendorAllowanceRow{
		At: r.at(), State: strings.Clone(r.text("state")), Program: strings.Clone(r.text("program")),
		Filers: cloned(r.list("filers")), From: r.date("from"), To: r.date("to"), Dates: strings.Clone(r.text("dates")),
		ByDay: r.integer("by_day"), TierBy: strings.Clone(r.text("tier_by")),
		TierKind: strings.Clone(r.text("tier_kind")), TierFrom: r.number("tier_from"), TierTo: r.number("tier_to"),
		Rate: r.number("rate"), Minimum: r.number("minimum"), Cap: r.number("cap"), CapPer: strings.Clone(r.text("cap_per")),
		Basis: strings.Clone(r.text("basis")), Condition: strings.Clone(r.text("condition")),
		Source: strings.Clone(r.text("source")), Confidence: strings.Clone(r.confidence()),
	})
}

func addRegistrationField(d *Data, r *row) {
	d.RegistrationFields = append(d.RegistrationFields, RegistrationFieldRow{
		At: r.at(), Country: strings.Clone(r.text("country")), State: strings.Clone(r.text("state")),
		Field: strings.Clone(r.text("field")), Pattern: strings.Clone(r.text("pattern")),
		Expected: strings.Clone(r.text("expected")), Source: strings.Clone(r.text("source")),
		Confidence: strings.Clone(r.confidence()),
	})
}

func addSimplifiedLine(d *Data, r *row) {
	d.SimplifiedLines = append(d.SimplifiedLines, SimplifiedLineRow{
		At: r.at(), Edition: strings.Clone(r.text("edition")), Line: strings.Clone(r.text("line")),
		Name: strings.Clone(r.text("name")), Rule: strings.Clone(r.text("rule")), Source: strings.Clone(r.text("source")),
		Confidence: strings.Clone(r.confidence()),
	})
}

func addSimplifiedRule(d *Data, r *row) {
	value := r.list("value")
	for i := range value {
		value[i] = strings.Clone(value[i])
	}
	d.SimplifiedRules = append(d.SimplifiedRules, SimplifiedRuleRow{
		At: r.at(), State: strings.Clone(r.text("state")), Part: strings.Clone(r.text("part")), Value: value,
		From: r.date("from"), To: r.date("to"), Source: strings.Clone(r.text("source")),
		Confidence: strings.Clone(r.confidence()),
	})
}

func addReturnFile(d *Data, r *row) {
	d.ReturnFiles = append(d.ReturnFiles, ReturnFileRow{
		At: r.at(), ID: strings.Clone(r.text("layout")), Country: strings.Clone(r.text("country")),
		State: strings.Clone(r.text("state")), Form: strings.Clone(r.text("form")), Frequency: strings.Clone(r.text("frequency")),
		Name: strings.Clone(r.text("name")), Edition: strings.Clone(r.text("edition")), From: r.date("from"), To: r.date("to"),
		MediaType: strings.Clone(r.text("media_type")), Extension: strings.Clone(r.text("extension")),
		Source: strings.Clone(r.text("source")), Confidence: strings.Clone(r.confidence()),
	})
}

func addReturnCode(d *Data, r *row) {
	d.ReturnCodes = append(d.ReturnCodes, ReturnCodeRow{
		At: r.at(), Form: strings.Clone(r.text("form")), State: strings.Clone(r.text("state")),
		Place: strings.Clone(r.text("place")), Code: strings.Clone(r.text("code")), From: r.date("from"), To: r.date("to"),
		Source: strings.Clone(r.text("source")), Confidence: strings.Clone(r.confidence()),
	})
}

// boundariesTable names the boundary files that an operator imported, by state.
const boundariesTable = "boundaries.csv"

func addBoundary(d *Data, r *row) {
	load, err := strconv.ParseInt(r.text("load"), 10, 64)
	if err != nil {
		r.fault("load", err)
	}
	d.Boundaries = append(d.Boundaries, BoundaryRow{At: r.at(), State: strings.Clone(r.text("state")), Load: load})
}
