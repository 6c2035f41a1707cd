package filings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store/filings"
	"levy/store/storetest"
)

// The conditions of laws stand in statements, one for each law. Here each is asked about rows of tables that hold
// nothing else.

// A return of the one-stop shop has the sales that no other return has: Directive 2006/112/EC, articles 369a and 369b.
func TestTheSalesOfTheOneStopShop(t *testing.T) {
	t.Parallel()
	const (
		ofUnion = `{"organization_id": "org", "id": "shop", "country_code": "ZZ_EU", "status": "REGISTERED",
			"registration_date": "2025-01-01", "oss_type": "UNION", "oss_member_state_of_identification_code": "IE"}`
		ofOthers = `{"organization_id": "org", "id": "shop", "country_code": "ZZ_EU", "status": "REGISTERED",
			"registration_date": "2025-01-01", "oss_type": "NON_UNION", "oss_member_state_of_identification_code": "IE"}`
	)
	french := func(status, from, until string) string {
		return `{"organization_id": "org", "id": "french", "country_code": "FR", "status": "` + status + `",
			"registration_date": ` + from + `, "deregistration_date": ` + until + `}`
	}
	sql := storetest.SQL(t, storetest.URL(t))
	for _, c := range []struct {
		rule    string
		country string // of the return
		shop    string // its registration
		other   string // another one
		member  string // member of the European Union to which the sale is made, on 15 January 2026
		has     bool
	}{
		{"a sale to another member", "ZZ_EU", ofUnion, "", "FR", true},
		{"one to the member of identification is no sale of the scheme", "ZZ_EU", ofUnion, "", "IE", false},
		{"a seller from elsewhere has no own member", "ZZ_EU", ofOthers, "", "IE", true},
		{"a registration there has the sale", "ZZ_EU", ofUnion, french("REGISTERED", `"2026-01-15"`, "null"), "FR", false},
		{"also for a seller from elsewhere", "ZZ_EU", ofOthers, french("REGISTERED", `"2026-01-15"`, "null"), "FR", false},
		{"one that begins later", "ZZ_EU", ofUnion, french("REGISTERED", `"2026-01-16"`, "null"), "FR", true},
		{"one that is to end", "ZZ_EU", ofUnion, french("DEREGISTERING", `"2025-01-01"`, `"2026-01-15"`), "FR", false},
		{"one that has ended had its days", "ZZ_EU", ofUnion, french("DEREGISTERED", `"2025-01-01"`, `"2026-01-15"`), "FR",
			false},
		{"and not those after it", "ZZ_EU", ofUnion, french("DEREGISTERED", `"2025-01-01"`, `"2026-01-14"`), "FR", true},
		{"one that is asked for", "ZZ_EU", ofUnion, french("PROCESSING", `"2025-01-01"`, "null"), "FR", true},
		{"one that was cancelled", "ZZ_EU", ofUnion, french("CANCELLED", `"2025-01-01"`, "null"), "FR", true},
		{"in another member", "ZZ_EU", ofUnion, french("REGISTERED", `"2025-01-01"`, "null"), "DE", true},
		{"of a country, its own sales", "FR", ofUnion, french("REGISTERED", `"2025-01-01"`, "null"), "FR", true},
	} {
		registrations := "[" + c.shop
		if c.other != "" {
			registrations += "," + c.other
		}
		var has bool
		err := sql.QueryRow(t.Context(), `
			WITH registrations AS (SELECT * FROM jsonb_populate_recordset(NULL::registrations, $1))
			SELECT`+filings.OfOneStopShop+`
			  FROM (SELECT 'org' AS organization_id, $2 AS country_code, 'shop' AS registration_id) f,
			       (SELECT $3 AS member_code, '2026-01-15'::date AS tax_date) x`, registrations+"]", c.country,
			c.member).Scan(&has)
		require.NoError(t, err, c.rule)
		require.Equal(t, c.has, has, c.rule)
	}
}

// Late transactions are returned by an amendment, or by another return for days that were skipped because nothing was
// owed.
func TestTheFilingsThatAreMadeForWhatComesLate(t *testing.T) {
	t.Parallel()
	sql := storetest.SQL(t, storetest.URL(t))
	skipped := func(registration, category, status, start, end string) string {
		return `[{"organization_id": "org", "registration_id": "` + registration + `", "filing_category": "` + category +
			`", "status": "` + status + `", "start_date": "` + start + `", "end_date": "` + end + `"}]`
	}
	for _, c := range []struct {
		rule     string
		category string // of the filing, from 1 to 31 January 2026
		other    string
		late     bool
	}{
		{"an amendment", "AMENDMENT", "[]", true},
		{"a regular return", "REGULAR", "[]", false},
		{"days that were skipped", "REGULAR", skipped("regs", "REGULAR", "SKIPPED", "2026-01-01", "2026-01-31"), true},
		{"some of the days", "REGULAR", skipped("regs", "REGULAR", "SKIPPED", "2026-01-01", "2026-03-31"), true},
		{"fewer days", "REGULAR", skipped("regs", "REGULAR", "SKIPPED", "2026-01-02", "2026-01-31"), false},
		{"other days", "REGULAR", skipped("regs", "REGULAR", "SKIPPED", "2025-12-01", "2025-12-31"), false},
		{"cancelled days", "REGULAR", skipped("regs", "REGULAR", "CANCELLED", "2026-01-01", "2026-01-31"), false},
		{"of another registration", "REGULAR", skipped("other", "REGULAR", "SKIPPED", "2026-01-01", "2026-01-31"), false},
		{"a payment on account", "REGULAR", skipped("regs", "PREPAYMENT", "SKIPPED", "2026-01-01", "2026-01-31"), false},
	} {
		var late bool
		err := sql.QueryRow(t.Context(), `
			WITH filings AS (SELECT * FROM jsonb_populate_recordset(NULL::filings, $1))
			SELECT`+filings.MadeLate+`
			  FROM (SELECT 'org' AS organization_id, 'regs' AS registration_id, $2 AS filing_category,
			               '2026-01-01'::date AS start_date, '2026-01-31'::date AS end_date) f`, c.other, c.category).Scan(&late)
		require.NoError(t, err, c.rule)
		require.Equal(t, c.late, late, c.rule)
	}
}
