package content

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// rowsOf returns what reads a line of a table into a row for the engine. The columns are those of the fields of T after At, in
// their order. It panics if they are not as many, or if Data has no such rows.
func rowsOf[T any](columns string) func(*Data, *row) {
	names, record, first := strings.Fields(columns), reflect.TypeFor[T](), 0
	if record.Field(0).Name == "At" {
		first = 1
	}
	list := slices.IndexFunc(reflect.VisibleFields(reflect.TypeFor[Data]()), func(f reflect.StructField) bool {
		return f.Type == reflect.SliceOf(record)
	})
	if list < 0 || len(names) != record.NumField()-first {
		panic(fmt.Sprintf("%s has not the fields of %q", record, columns))
	}
	return func(d *Data, r *row) {
		one := reflect.New(record).Elem()
		if first == 1 {
			one.Field(0).Set(reflect.ValueOf(r.at()))
		}
		for i, name := range names {
			r.read(name, one.Field(first+i).Addr().Interface())
		}
		rows := reflect.ValueOf(d).Elem().Field(list).Addr().Interface().(*[]T)
		*rows = append(*rows, one.Interface().(T))
	}
}

// read reads a cell into a field. Texts are copies, which do not keep the block of the table that they were cut out of. An empty
// flag means no if its column may be missing.
func (r *row) read(column string, field any) {
	switch field := field.(type) {
	case *string:
		if *field = strings.Clone(r.text(column)); column == "confidence" {
			*field = r.confidence()
		}
	case *[]string:
		for _, text := range r.list(column) {
			*field = append(*field, strings.Clone(text))
		}
	case *bool:
		if !strings.HasSuffix(column, "?") || r.text(column) != "" {
			*field = r.flag(column)
		}
	case *int:
		*field = r.integer(column)
	case *calendar.Date:
		*field = r.date(column)
	case *decimal.Decimal:
		*field = r.number(column)
	case **decimal.Decimal:
		*field = r.percentage(column)
	default:
		panic(fmt.Sprintf("no cell is a %T", field))
	}
}

// Each of these reads two tables: one that all releases have, and a finer one.
var (
	addCategory = rowsOf[CategoryRow](
		"category subcategory display_name tax_class default_subcategory is_frequent description example")
	addTaxability = rowsOf[TaxabilityRow](`state category treatment state_rate_pct local_rule threshold_usd threshold_mode
		effective_from effective_to source confidence notes?`)
	addClassRule = rowsOf[ClassRuleRow](
		"jurisdiction_id class treatment up_to? currency? valid_from valid_to source confidence notes?")
	addOtherTax = rowsOf[OtherTaxRow]("jurisdiction_id cities classes tax valid_from valid_to source least_usd?")
)

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

// checkChecked reads what only the list of all rules, docs/content-classes.md, shows.
func checkChecked(_ *Data, r *row) {
	r.text("jurisdiction_id")
	if r.date("as_of") == 0 {
		r.fault("as_of", errNotAValue)
	}
}

// tiersTable has the rates for parts of the price of an item.
const tiersTable = "local_tiers.csv"

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

// boundariesTable names the boundary files that an operator imported, by state.
const boundariesTable = "boundaries.csv"

func addBoundary(d *Data, r *row) {
	load, err := strconv.ParseInt(r.text("load"), 10, 64)
	if err != nil {
		r.fault("load", err)
	}
	d.Boundaries = append(d.Boundaries, BoundaryRow{At: r.at(), State: strings.Clone(r.text("state")), Load: load})
}
