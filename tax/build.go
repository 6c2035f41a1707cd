package tax

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// ErrContent is wrapped by every fault found in content tables. The message
// names the row.
var ErrContent = errors.New("content")

// NewContent checks the tables and builds a snapshot of them. Every id must
// resolve, periods of one key must not overlap, numbers must be in range; all
// faults are reported together.
func NewContent(d Data) (*Content, error) {
	b := builder{c: &Content{
		version:    d.Version,
		countries:  make(map[string]string, len(d.Countries)),
		countryKey: make(map[string]string, len(d.Countries)),
		byID:       make(map[string]uint16, len(d.Jurisdictions)),
		stateNames: map[string]uint8{},
		provinces:  map[string]string{},
		classRules: map[classRuleKey][]classRule{},
	}, levies: map[string]*levy{}}
	if d.Version == "" {
		b.fault(RowRef{File: "version"}, "empty")
	}
	for _, row := range d.Countries {
		b.c.countries[row.Code] = row.Name
		b.c.countryKey[string(compact(nil, row.Name))] = row.Code
	}
	b.addJurisdictions(d.Jurisdictions)
	b.addRates(d.Rates, d.Sources)
	b.addStates(d)
	b.addClassRules(d.ClassRules)
	b.addTerritories(d.Territories)
	b.addImportLimits(d.ImportLimits)
	b.addCategories(d.Categories)
	b.addNexus(d.Nexus)
	b.addFilingDues(d.FilingDues)
	b.addHolidayRules(d.HolidayRules)
	b.addBoundaries(d)
	if d.Places != nil {
		b.addPlaces(d)
	}
	if len(b.faults) > 0 {
		return nil, errors.Join(b.faults...)
	}
	return b.c, nil
}

type builder struct {
	c      *Content
	levies map[string]*levy // by rule id
	faults []error
}

func (b *builder) fault(at RowRef, format string, args ...any) {
	b.faults = append(b.faults, fmt.Errorf("%w: %s: %s", ErrContent, at, fmt.Sprintf(format, args...)))
}

const numOrders = 7

var typeOrders = map[string]struct {
	order uint8
	kind  JurisdictionType
}{
	"COUNTRY": {0, TypeCountry}, "STATE": {2, TypeState}, "COUNTY": {3, TypeCounty}, "CITY": {4, TypeCity}, "DISTRICT": {5, TypeSpecial},
}

const (
	orderState   = 2
	orderCounty  = 3
	orderCity    = 4
	orderSpecial = 5
)

func (b *builder) addJurisdictions(rows []JurisdictionRow) {
	c := b.c
	if len(rows) > math.MaxUint16 {
		b.fault(RowRef{File: "jurisdictions"}, "more than %d rows", math.MaxUint16)
		return
	}
	ruleParts := make(map[string]RowRef, len(rows))
	for _, row := range rows {
		level, ok := typeOrders[row.Level]
		if !ok {
			b.fault(row.At, "level %q", row.Level)
			continue
		}
		if _, again := c.byID[row.ID]; again {
			b.fault(row.At, "id %s stands twice", row.ID)
			continue
		}
		j := jurisdiction{
			Jurisdiction: Jurisdiction{ID: row.ID, Type: level.kind, Name: cmp.Or(row.Label, row.Name), Country: row.Country,
				State: row.State, Parent: row.Parent, Code: cmp.Or(row.Code, row.ID)},
			order:     level.order,
			statewide: row.Statewide,
			rulePart:  rulePart(row),
		}
		j.general = j.rulePart + "general"
		if first, again := ruleParts[j.rulePart]; again {
			b.fault(row.At, "rule ids %s... already belong to %s: give it a slug", j.rulePart, first)
		}
		ruleParts[j.rulePart] = row.At
		if len(j.rulePart)+len(longestSlug) > maxRuleID {
			b.fault(row.At, "rule ids %s... are too long: give it a slug", j.rulePart)
		}
		c.byID[row.ID] = uint16(len(c.jurisdictions))
		c.jurisdictions = append(c.jurisdictions, j)
	}
	for _, row := range rows {
		if _, ok := c.byID[row.Parent]; !ok && row.Parent != "" {
			b.fault(row.At, "unknown parent %s", row.Parent)
		}
	}
}

const (
	maxRuleID   = 50
	longestSlug = "software-download"
)

// rulePart is the stable beginning of the rule ids of a jurisdiction, such as
// "us-ny-" for a state and "us-ny-nyc-" for a place in it.
func rulePart(row JurisdictionRow) string {
	part := strings.ToLower(row.Country) + "-"
	if row.State != "" {
		part += strings.ToLower(row.State) + "-"
	}
	switch {
	case row.Slug != "":
		part += row.Slug + "-"
	case row.Level == "STATE" || row.Level == "COUNTRY":
	case row.Level == "COUNTY":
		part += slug(row.Name) + "-"
	default: // the id ends in the name: US-TX-M-houston
		part += slug(strings.SplitN(row.ID, "-", 4)[3]) + "-"
	}
	return part
}

func slug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return string(compactLower(strings.Join(words, "-")))
}

// compactLower keeps dashes and folds letters to lower-case ASCII.
func compactLower(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r == '-' {
			b = append(b, '-')
			continue
		}
		n := len(b)
		if b = appendFolded(b, r); len(b) > n {
			b[n] = byte(unicode.ToLower(rune(b[n])))
		}
	}
	return b
}

// taxNouns are the names of the taxes that states levy on sales.
var taxNouns = map[string]string{
	"SALES": "sales tax",
	"TPT":   "transaction privilege tax",
	"GRT":   "gross receipts tax",
	"GET":   "general excise tax",
	"IVU":   "sales and use tax",
}

func (b *builder) addRates(rows []RateRow, sources []SourceRow) {
	c := b.c
	bySource := make(map[string]SourceRow, len(sources))
	for _, s := range sources {
		bySource[s.ID] = s
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(x, y RateRow) int { return cmp.Compare(x.From, y.From) })
	last := make(map[rateKey]*RateRow, len(rows))
	for i := range rows {
		row := &rows[i]
		j, ok := c.byID[row.JurisdictionID]
		if !ok {
			b.fault(row.At, "unknown jurisdiction %s", row.JurisdictionID)
			continue
		}
		noun, sales := taxNouns[row.TaxType]
		kind, levied := levyKinds[row.TaxType]
		if !sales && !levied {
			b.fault(row.At, "tax type %q", row.TaxType)
		}
		source, ok := bySource[row.SourceID]
		if !ok {
			b.fault(row.At, "unknown source %q", row.SourceID)
		}
		class, ok := classKeys[row.Class]
		if !ok {
			b.fault(row.At, "unknown class %q", row.Class)
		}
		key := rateKey{j, class}
		if before := last[key]; before != nil && (before.To == 0 || before.To >= row.From) {
			b.fault(row.At, "overlaps %s of the same jurisdiction and class", before.At)
		}
		last[key] = row
		r := rate{span: span{row.From, row.To}, class: class, certain: row.CertainStart, confidence: levelOf(row.Confidence)}
		r.nano = b.fraction(row.At, row.Rate)
		b.checkSpan(row.At, r.span)
		r.source = cite(source.Publisher+": "+source.Title, source.Edition, r.span)
		jur := &c.jurisdictions[j]
		if levied {
			r.levy = b.levy(jur, kind, class)
		}
		jur.rates = append(jur.rates, r)
		jur.taxName = taxName(jur, noun)
	}
	for i := range c.jurisdictions {
		if j := &c.jurisdictions[i]; j.taxName == "" {
			j.taxName = taxName(j, taxNouns["SALES"])
		}
	}
}

type rateKey struct {
	jurisdiction uint16
	class        classKey
}

func taxName(j *jurisdiction, noun string) string {
	switch {
	case j.Type == TypeState && j.State != "DC" && j.State != "PR":
		return j.Name + " state " + noun
	case j.Type == TypeSpecial && strings.Contains(strings.ToLower(j.Name), "tax"):
		return j.Name
	}
	return j.Name + " " + noun
}

func cite(document, version string, s span) ExplainedSource {
	e := ExplainedSource{Document: document, Version: version}
	if s.from != 0 {
		e.EffectiveFrom = &s.from
	}
	if s.to != 0 {
		e.EffectiveTo = &s.to
	}
	return e
}

func (b *builder) checkSpan(at RowRef, s span) {
	if s.to != 0 && s.to < s.from {
		b.fault(at, "ends on %s before it starts on %s", s.to, s.from)
	}
}

func (b *builder) addCategories(rows []CategoryRow) {
	for _, row := range rows {
		if _, ok := row.Class.key(); !ok {
			b.fault(row.At, "unknown class %q", row.Class)
		}
		if row.Subcategory == "" {
			b.c.categories = append(b.c.categories, Category{Name: row.Category, DisplayName: row.DisplayName,
				DefaultSubcategory: row.Default, Subcategories: []Subcategory{}, class: row.Class, displayKey: catalogueKey(row.DisplayName)})
			continue
		}
		i := slices.IndexFunc(b.c.categories, func(c Category) bool { return c.Name == row.Category })
		if i < 0 {
			b.fault(row.At, "unknown category %s", row.Category)
			continue
		}
		b.c.categories[i].Subcategories = append(b.c.categories[i].Subcategories, Subcategory{Name: row.Subcategory,
			DisplayName: row.DisplayName, Description: row.Description, Example: row.Example, TaxClass: row.Class, IsFrequent: row.Frequent,
			displayKey: catalogueKey(row.DisplayName)})
	}
}
