package content

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
)

// RateImport says what an import of rates did.
type RateImport struct {
	Jurisdictions int // with a rate in the file
	New           int // of them not known before; only boundary files lead to them
	Rates         int // rows added
	Gaps          int // series with days without a rate
}

// foodClass is the class of the second rate of a rate file: food and drugs.
const foodClass = "FOOD"

// nevada reports the whole rate on its counties and zero for the state.
const nevada = "NV"

// GeneralRates gives the rate of a jurisdiction for goods in general on a day, as a
// fraction. ok is false where it has none.
type GeneralRates interface {
	GeneralRate(jurisdiction string, day calendar.Date) (rate decimal.Decimal, ok bool)
}

// ImportRates imports the rates of a rate file. The file replaces the rows of each of its jurisdictions from the first
// day on that it names. base is the content that the tables are built to. Errors: *RefusedError.
func (t Tables) ImportRates(base GeneralRates, name FeedName, file string, records []RateRecord) (RateImport, error) {
	var done RateImport
	var refused RefusedError
	book, err := t.openBook()
	if err != nil {
		return done, err
	}
	source := RateFileSource + name.State
	edition := fmt.Sprintf("%dQ%d", name.Year, name.Quarter)
	if newer := book.edition(source); newer > edition {
		refused.add(Fault{RowRef{File: file, Line: 1}, "the rate file of " + newer + " is imported already"})
		return done, refused.err()
	}
	if name.State == nevada {
		records = withoutState(base, book, records, &refused)
	}
	general, food := map[string][]period{}, map[string][]period{}
	for _, r := range records {
		id, isNew := book.jurisdiction(name.State, r.Type, r.Code)
		if isNew {
			done.New++
		}
		general[id] = append(general[id], period{r.At, r.From, r.To, r.General})
		if r.Food != nil {
			food[id] = append(food[id], period{r.At, r.From, r.To, *r.Food})
		}
	}
	done.Jurisdictions = len(general)
	for _, id := range slices.Sorted(maps.Keys(general)) {
		rates, gaps := series(general[id], &refused)
		done.Gaps += min(gaps, 1)
		done.Rates += book.supersede(id, "*", source, rates, nil)
		if len(food[id]) > 0 {
			foods, _ := series(food[id], &refused)
			done.Rates += book.supersede(id, foodClass, source, foods, rates)
		}
	}
	if err := refused.err(); err != nil {
		return done, err
	}
	book.cite(source, "Rate file "+file, "Streamlined Sales Tax, "+name.State, edition)
	if err := t.confirmQuarter(name); err != nil {
		return done, err
	}
	return done, book.close(t)
}

// withoutState is what the counties of Nevada levy themselves.
func withoutState(base GeneralRates, book *book, records []RateRecord, refused *RefusedError) (local []RateRecord) {
	for _, r := range records {
		if r.Type == BoundaryState {
			continue
		}
		r, err := beyondState(base, book, r)
		if err != nil {
			refused.add(Fault{r.At, err.Error()})
			continue
		}
		local = append(local, r)
	}
	return local
}

// beyondState is what a county levies beyond the state and the taxes due in all
// of it.
func beyondState(base GeneralRates, book *book, r RateRecord) (RateRecord, error) {
	whole := r.General
	for _, id := range book.statewide(nevada) {
		rate, ok := base.GeneralRate(id, r.From)
		if !ok {
			continue
		}
		for _, part := range []*decimal.Decimal{&r.General, r.Food} {
			if part == nil || part.IsZero() {
				continue
			}
			left, err := part.SubExact(rate, 9)
			if err != nil || left.IsNeg() {
				return r, fmt.Errorf("the rate %s is less than that of the state", whole)
			}
			*part = left.Trim(0)
		}
	}
	return r, nil
}

// book is the tables that an import of rates changes.
type book struct {
	rates, jurisdictions, sources, coverage *sheet
	byCode                                  map[string]string // state, type and code -> id
	byName                                  map[string]string // see named; made at first use
	counties                                map[string]string // FIPS -> name
	rows                                    map[string][]int  // jurisdiction and category -> rows of rates
	dropped                                 map[int]bool
	local                                   map[string]bool // states that now levy a local tax
}

func (t Tables) openBook() (b *book, err error) {
	b = &book{
		byCode: map[string]string{}, counties: map[string]string{}, rows: map[string][]int{},
		dropped: map[int]bool{}, local: map[string]bool{},
	}
	for _, one := range []struct {
		sheet **sheet
		file  string
	}{{&b.rates, "rates.csv"}, {&b.jurisdictions, "jurisdictions.csv"}, {&b.sources, "sources.csv"},
		{&b.coverage, "coverage.csv"}} {
		if *one.sheet, err = t.sheet(one.file); err != nil {
			return nil, err
		}
	}
	for _, row := range b.jurisdictions.rows {
		r := JurisdictionRow{
			CodeSystem: b.jurisdictions.get(row, "code_system"), Code: b.jurisdictions.get(row, "fips_or_code"),
		}
		if kind, code := r.Boundary(); kind != "" {
			b.byCode[b.jurisdictions.get(row, "state")+":"+kind+":"+code] = b.jurisdictions.get(row, "id")
		}
	}
	places, err := t.sheet("places.csv")
	if err != nil {
		return nil, err
	}
	for _, row := range places.rows {
		b.counties[places.get(row, "county_fips")] = places.get(row, "county")
	}
	for i, row := range b.rates.rows {
		key := b.rates.get(row, "jurisdiction_id") + " " + b.rates.get(row, "category")
		b.rows[key] = append(b.rows[key], i)
	}
	return b, nil
}

// jurisdiction finds or adds the jurisdiction of a code.
func (b *book) jurisdiction(state, kind, code string) (id string, isNew bool) {
	key := kind
	if PlaceType(kind) {
		key = BoundaryPlace
	}
	if key != BoundaryState {
		b.local[state] = true
	} else if fips := b.stateFIPS(state); fips != "" {
		return b.byCode[state+":"+BoundaryState+":"+fips], false
	}
	if id, ok := b.byCode[state+":"+key+":"+code]; ok {
		return id, false
	}
	if id, ok := b.byCode[state+":*:"+code]; ok && key != BoundaryCounty && key != BoundaryPlace {
		return id, false
	}
	row := b.rowOf(state, key, kind, code)
	b.jurisdictions.add(row)
	b.byCode[state+":"+key+":"+code] = row["id"]
	return row["id"], true
}

// rowOf is a jurisdiction that only the rate file knows.
func (b *book) rowOf(state, key, kind, code string) map[string]string {
	row := map[string]string{
		"country": "US", "state": state, "parent_id": "US-" + state, "admin": "STATE",
		"notes": "from a rate file",
	}
	switch key {
	case BoundaryCounty:
		fips := b.stateFIPS(state) + code
		row["id"], row["level"], row["code_system"], row["fips_or_code"] = "US-"+state+"-C"+code, "COUNTY",
			"FIPS-COUNTY", fips
		row["name"], row["slug"] = cmp.Or(b.counties[fips], "County "+code), "county-"+code
	case BoundaryPlace:
		row["id"], row["level"], row["code_system"], row["fips_or_code"] = "US-"+state+"-M-sst-"+code, "CITY",
			"SST-PLACE", code
		row["name"] = "Place " + code
	default:
		row["id"], row["level"] = fmt.Sprintf("US-%s-D-sst-%s-%s", state, kind, strings.ToLower(code)), "DISTRICT"
		row["code_system"], row["fips_or_code"], row["name"] = "SST-"+kind, code, "District "+code
	}
	return row
}

func (b *book) stateFIPS(state string) string {
	for key := range b.byCode {
		if fips, ok := strings.CutPrefix(key, state+":"+BoundaryState+":"); ok {
			return fips
		}
	}
	return ""
}

// statewide lists the state and the local taxes due everywhere in it.
func (b *book) statewide(state string) []string {
	ids := []string{"US-" + state}
	for _, row := range b.jurisdictions.rows {
		if b.jurisdictions.get(row, "state") == state && b.jurisdictions.get(row, "scope") == "STATEWIDE" {
			ids = append(ids, b.jurisdictions.get(row, "id"))
		}
	}
	return ids
}

// supersede ends the known rates of a key before the first of the new rates, and leaves out later ones. A rate equal to
// the one of the same days in unless is not needed. It returns how many rows it added.
func (b *book) supersede(id, category, source string, rates, unless []period) (added int) {
	key := id + " " + category
	taxType := "SALES"
	first := rates[0].from.String()
	for _, i := range b.rows[id+" *"] {
		taxType = b.rates.get(b.rates.rows[i], "tax_type")
	}
	for _, i := range b.rows[key] {
		row := b.rates.rows[i]
		switch {
		case b.rates.get(row, "valid_from") >= first:
			b.dropped[i] = true
		case b.rates.get(row, "valid_to") == "" || b.rates.get(row, "valid_to") >= first:
			b.rates.set(row, "valid_to", rates[0].from.AddDays(-1).String())
		}
	}
	for _, p := range rates {
		same := func(g period) bool { return g.from == p.from && g.to == p.to && g.rate.Cmp(p.rate) == 0 }
		if slices.ContainsFunc(unless, same) {
			continue
		}
		b.rates.add(map[string]string{
			"jurisdiction_id": id, "tax_type": taxType, "category": category, "rate": p.rate.String(),
			"valid_from": p.from.String(),
			"valid_to":   p.to.String(), "from_basis": "FILE", "source": source, "as_of": p.from.String(), "confidence": "HIGH",
			"notes": p.at.String(),
		})
		added++
	}
	return added
}

func (b *book) edition(source string) string {
	for _, row := range b.sources.rows {
		if b.sources.get(row, "source_id") == source {
			return b.sources.get(row, "edition")
		}
	}
	return ""
}

// cite adds or renews a source.
func (b *book) cite(id, title, publisher, edition string) {
	b.sources.rows = slices.DeleteFunc(
		b.sources.rows, func(row []string) bool { return b.sources.get(row, "source_id") == id },
	)
	b.sources.add(map[string]string{
		"source_id": id, "title": title, "publisher": publisher, "edition": edition,
		"obtained_via": "imported by the operator",
	})
}

// close writes the tables back.
func (b *book) close(t Tables) error {
	kept := b.rates.rows[:0:0]
	for i, row := range b.rates.rows {
		if !b.dropped[i] {
			kept = append(kept, row)
		}
	}
	b.rates.rows = kept
	for _, row := range b.coverage.rows {
		if b.local[b.coverage.get(row, "state")] {
			b.coverage.set(row, "has_local_tax", "Y")
		}
	}
	for _, s := range []*sheet{b.rates, b.jurisdictions, b.sources, b.coverage} {
		if err := t.put(s); err != nil {
			return err
		}
	}
	return nil
}
