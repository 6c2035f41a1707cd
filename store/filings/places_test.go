package filings_test

import (
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"

	"levy/models"
	"levy/rules"
	"levy/store/filings"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// allPlaces are the places of delivery and the authorities that have returns. These are each state of the United
// States, each province of Canada and each other country. The members of the European Union are also listed together,
// because a sale may be taxed at home in any of them.
type allPlaces struct {
	day         time.Time
	delivered   []tax.Authority
	authorities []tax.Authority
	members     []string
}

func everyPlace(t *testing.T) (p allPlaces) {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	p.day = calendar.DateOf(time.Now().UTC()).Time() // statements have the members of today
	p.members = nexus.UnionMembers(calendar.DateOf(p.day))
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			if province, ok := content.AuthorityNamed("CA", code); ok && province.State == code && code != "CA" {
				p.delivered = append(p.delivered, tax.Authority{Country: "CA", State: code})
			}
			region, err := language.ParseRegion(code)
			if err == nil && region.IsCountry() && region.String() == code && code != "US" {
				p.authorities = append(p.authorities, tax.Authority{Country: code, State: code})
				if code != "CA" {
					p.delivered = append(p.delivered, tax.Authority{Country: code})
				}
			}
		}
	}
	for _, state := range content.States() {
		p.delivered = append(p.delivered, tax.Authority{Country: "US", State: state.State})
	}
	for _, place := range p.delivered {
		if place.State != "" {
			p.authorities = append(p.authorities, place)
		}
	}
	p.authorities = append(p.authorities, tax.Authority{Country: nexus.EuropeanUnion, State: nexus.EuropeanUnion})
	require.Greater(t, len(p.delivered), 300)
	return p
}

// reportedTo lists the authorities to which the rules report a sale that an organization in a country delivers to a
// place. The organization has no obligation abroad, so that a sale across the European Union is taxed at home or at the
// place.
func (p *allPlaces) reportedTo(to tax.Authority, home string) []tax.Authority {
	place := tax.Place{Country: to.Country, State: to.State, Jurisdictions: []string{to.Country}}
	t := models.Transaction{Type: models.TypeSale, TaxDate: p.day, Place: &place, Home: home}
	authorities := rules.AuthoritiesOf(t)
	if home != "" {
		t.Origin = &tax.Place{Country: home, Jurisdictions: []string{home}}
		authorities = append(authorities, rules.AuthoritiesOf(t)...)
	}
	return authorities
}

// homes are the countries of an organization between which the rules differ.
func (p *allPlaces) homes() []string { return append([]string{"", "US"}, p.members...) }

// codes splits places into their countries and states.
func codes(places []tax.Authority) (countries, states []string) {
	for _, p := range places {
		countries, states = append(countries, p.Country), append(states, p.State)
	}
	return countries, states
}

// A transaction that cannot be processed may belong to the returns of the authorities to which the rules could report
// it, and to no others. The country of its organization does not matter.
func TestUnresolvedTransactionsMayBelongToWhereRulesReportThem(t *testing.T) {
	t.Parallel()
	p := everyPlace(t)
	expected := map[tax.Authority]map[tax.Authority]bool{}
	expect := func(delivered tax.Authority, authorities ...tax.Authority) {
		if expected[delivered] == nil {
			expected[delivered] = map[tax.Authority]bool{}
		}
		for _, a := range authorities {
			expected[delivered][a] = true
		}
	}
	for _, to := range p.delivered {
		for _, home := range p.homes() {
			expect(to, p.reportedTo(to, home)...)
			if to.State != "" { // the state may be unknown
				expect(tax.Authority{Country: to.Country}, p.reportedTo(to, home)...)
			}
		}
	}
	expect(tax.Authority{}, p.authorities...) // and so may the country

	delivered := append(slices.Clone(p.delivered), tax.Authority{}, tax.Authority{Country: "US"},
		tax.Authority{Country: "CA"})
	countries, states := codes(delivered)
	ofCountries, ofStates := codes(p.authorities)
	rows, err := storetest.SQL(t, storetest.URL(t)).Query(t.Context(), `
		SELECT d.n, f.n,`+filings.MayBelong("$6::text[]")+`
		  FROM (SELECT u.*, $5::date AS tax_date FROM unnest($1::text[], $2::text[]) WITH ORDINALITY
		          AS u(country, state, n)) d
		 CROSS JOIN (SELECT u.*, $5::date AS start_date, $5::date AS end_date FROM unnest($3::text[], $4::text[])
		          WITH ORDINALITY AS u(country_code, state_code, n)) f`,
		countries, states, ofCountries, ofStates, p.day, filings.UnionReturns())
	require.NoError(t, err)
	var d, f, compared int
	var may bool
	_, err = pgx.ForEachRow(rows, []any{&d, &f, &may}, func() error {
		compared++
		require.Equal(t, expected[delivered[d-1]][p.authorities[f-1]], may, "delivered to %v, return of %v",
			delivered[d-1], p.authorities[f-1])
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, len(delivered)*len(p.authorities), compared)
}

// The obligations that a claim waits for are all by which the rules tax a sale that may belong to the return. Of Canada
// and the European Union they are all of the country or union, because a transaction is returned to several there.
func TestAClaimWaitsForTheObligationsByWhichRulesTax(t *testing.T) {
	t.Parallel()
	p := everyPlace(t)
	day := calendar.DateOf(p.day)
	type pair struct{ authority, record tax.Authority }
	needed := map[pair]bool{}
	for _, to := range p.delivered {
		for _, home := range p.homes() {
			authorities := p.reportedTo(to, home)
			for _, record := range p.authorities {
				o := models.NexusObligation{CountryCode: record.Country, StateCode: record.State}
				place := o.Place()
				for _, a := range authorities {
					if place.Counts(to.Country, to.State, home, day) || a.Country != nexus.EuropeanUnion &&
						place.Counts(a.Country, to.State, home, day) {
						needed[pair{a, record}] = true
					}
				}
			}
		}
	}
	countries, states := codes(p.authorities)
	rows, err := storetest.SQL(t, storetest.URL(t)).Query(t.Context(), `
		WITH nexus_records AS (
		  SELECT 'org' AS organization_id, u.* FROM unnest($1::text[], $2::text[]) WITH ORDINALITY
		    AS u(country_code, state_code, n)),
		filings AS (SELECT * FROM nexus_records)
		SELECT f.n, x.n FROM filings f`+filings.RecordsOf, countries, states, filings.UnionReturns())
	require.NoError(t, err)
	read := map[pair]bool{}
	var f, x int
	_, err = pgx.ForEachRow(rows, []any{&f, &x}, func() error {
		read[pair{p.authorities[f-1], p.authorities[x-1]}] = true
		return nil
	})
	require.NoError(t, err)
	for of := range needed {
		require.True(t, read[of], "the return of %v depends on the record of %v", of.authority, of.record)
	}
	union := func(a tax.Authority) bool { return slices.Contains(filings.UnionReturns(), a.Country) }
	for of := range read {
		together := of.authority.Country == "CA" && of.record.Country == "CA" || union(of.authority) && union(of.record)
		require.True(t, needed[of] || together, "the return of %v waits for the record of %v", of.authority, of.record)
	}
}
