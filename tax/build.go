package tax

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/nexus"
	"levy/tax/postal"
)

// newContent checks the tables and builds a snapshot of them. Every id must
// resolve, periods of one key must not overlap, numbers must be in range; all
// faults are reported together.
func newContent(d content.Data) (*Content, error) {
	b := builder{c: &Content{
		version:      d.Version,
		businessLaws: map[string][]businessLaw{},
		countries:    make(map[string]string, len(d.Countries)),
		countryKey:   make(map[string]string, len(d.Countries)),
		byID:         make(map[string]uint16, len(d.Jurisdictions)),
		stateNames:   map[string]uint8{},
		provinces:    map[string]string{},
		classRules:   map[classRuleKey][]classRule{},
	}, levies: map[string]*levy{}}
	if d.Version == "" {
		b.fault(content.RowRef{File: "version"}, "empty")
	}
	for _, row := range d.Countries {
		b.c.countries[row.Code] = row.Name
		b.c.countryKey[string(postal.Compact(nil, row.Name))] = row.Code
	}
	b.addJurisdictions(d.Jurisdictions)
	b.addRates(d.Rates, d.Sources)
	b.addStates(d)
	b.addClassRules(d.ClassRules)
	b.addTerritories(d.Territories)
	b.addImportLimits(d.ImportLimits)
	b.addBorderTaxes(d.BorderTaxes)
	b.addReverseCharges(d.ReverseCharges)
	b.addOtherTaxes(d.OtherTaxes)
	b.addMarketplaceLaws(d.MarketplaceLaws)
	b.addDiscountLaws(d.DiscountLaws)
	b.addCategories(d.Categories)
	b.addObligations(d)
	b.addFilingSites(d.FilingSites)
	b.addReturnLayouts(d.Layouts, d.LayoutLines)
	b.addVendorAllowances(d.Allowances)
	b.addRegistrationFields(d.RegistrationFields)
	b.addSimplifiedReturns(d)
	b.addReturnFiles(d.ReturnFiles, d.ReturnCodes)
	b.addBoundaries(d)
	if d.Places != nil {
		b.addPlaces(d)
	}
	if len(b.faults) > 0 {
		return nil, errors.Join(b.faults...)
	}
	return b.c, nil
}

func (b *builder) addCategories(rows []content.CategoryRow) {
	for _, row := range rows {
		if _, ok := TaxClass(row.Class).key(); !ok {
			b.fault(row.At, "unknown class %q", row.Class)
		}
		if row.Subcategory == "" {
			b.c.categories = append(b.c.categories, Category{Name: row.Category, DisplayName: row.DisplayName,
				DefaultSubcategory: row.Default, Subcategories: []Subcategory{}, class: TaxClass(row.Class),
				displayKey: catalogueKey(row.DisplayName)})
			continue
		}
		i := slices.IndexFunc(b.c.categories, func(c Category) bool { return c.Name == row.Category })
		if i < 0 {
			b.fault(row.At, "unknown category %s", row.Category)
			continue
		}
		b.c.categories[i].Subcategories = append(b.c.categories[i].Subcategories, Subcategory{Name: row.Subcategory,
			DisplayName: row.DisplayName, Description: row.Description, Example: row.Example, TaxClass: TaxClass(row.Class),
			IsFrequent: row.Frequent,
			displayKey: catalogueKey(row.DisplayName)})
	}
}

func (b *builder) addFilingSites(rows []content.FilingSiteRow) {
	b.c.filingSites = make(map[Authority]string, len(rows))
	b.c.authorities = make(map[Authority]string, len(rows))
	for _, row := range rows {
		at := Authority{row.Country, row.State}
		if _, twice := b.c.filingSites[at]; twice {
			b.fault(row.At, "a second site for %s %s", row.Country, row.State)
		}
		if site, err := url.Parse(row.URL); err != nil || site.Scheme != "https" || site.Host == "" {
			b.fault(row.At, "%q is no https address", row.URL)
		}
		if row.AsOf == 0 || row.Source == "" {
			b.fault(row.At, "no day or no source")
		}
		b.c.filingSites[at], b.c.authorities[at] = row.URL, strings.Clone(row.Source)
	}
}

func (b *builder) addObligations(d content.Data) {
	name := func(id string) string {
		j, _ := b.c.Jurisdiction(id)
		return j.Name
	}
	known := func(at fmt.Stringer, state string) {
		if b.c.usState(state) == 0 {
			b.fault(at, "unknown state %q", state)
		}
	}
	b.c.nexus = nexus.NewTable(d.Nexus, name, b.fault)
	for i := range d.Nexus {
		if row := &d.Nexus[i]; row.Type == nexus.TypeState && row.Country == "US" {
			known(row.At, row.State)
		}
	}
	b.c.calendar = calendar.New(d.HolidayRules, d.FilingDues, b.fault)
	for i := range d.FilingDues {
		row := &d.FilingDues[i]
		if row.Country == "" {
			known(row.At, row.State)
		} else if _, ok := b.c.countries[row.Country]; !ok {
			b.fault(row.At, "unknown country %q", row.Country)
		}
	}
}
