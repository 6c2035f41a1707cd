package work_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
	"levy/store/work"
)

// A registration from January 2025 owes 5.00 euro for sales of 20 December 2024, unless another return has them.
func TestTheTaxFromBeforeTheReturnsOfARegistration(t *testing.T) {
	t.Parallel()
	sql := storetest.SQL(t, storetest.URL(t))
	const (
		german = `{"organization_id": "org", "id": "regs", "country_code": "DE", "state_code": "DE",
			"status": "REGISTERED", "registration_date": "2025-01-01"}`
		shop = `{"organization_id": "org", "id": "regs", "country_code": "ZZ_EU", "state_code": "ZZ_EU",
			"status": "REGISTERED", "registration_date": "2025-01-01", "oss_type": "UNION",
			"oss_member_state_of_identification_code": "IE"}`
		none     = ""
		atMember = `{"organization_id": "org", "country_code": "DE", "state_code": "DE", "nexus_type": "EU_MEMBER_STATE"}`
	)
	another := func(country, status, from, until string) string {
		return `{"organization_id": "org", "id": "other", "country_code": "` + country + `", "state_code": "` + country +
			`", "status": "` + status + `", "registration_date": "` + from + `", "deregistration_date": ` + until + `}`
	}
	returned := func(registration, category, status, start, end string) string {
		return `{"organization_id": "org", "registration_id": "` + registration + `", "filing_category": "` + category +
			`", "status": "` + status + `", "start_date": "` + start + `", "end_date": "` + end + `"}`
	}
	tax := func(country, member, day, liability string) string {
		return `{"organization_id": "org", "country_code": "` + country + `", "state_code": "` + country +
			`", "member_code": "` + member + `", "currency": "EUR", "day": "` + day + `", "liability": ` + liability + `}`
	}
	owed := tax("DE", "DE", "2024-12-20", "5.00")
	for _, c := range []struct {
		rule         string
		registration string
		other        string
		filing       string
		nexus        string
		taxes        string
		want         string // empty: nothing
	}{
		{"it is owed", german, none, none, none, owed, "5.00 EUR since 2024-12-20"},
		{"of several days together", german, none, none, none, owed + "," + tax("DE", "DE", "2024-12-31", "-2.00"),
			"3.00 EUR since 2024-12-20"},
		{"taken back, nothing is", german, none, none, none, owed + "," + tax("DE", "DE", "2024-12-31", "-5.00"), ""},
		{"not what its own returns have", german, none, none, none, tax("DE", "DE", "2025-01-01", "5.00"), ""},
		{"another registration had the day", german, another("DE", "DEREGISTERED", "2024-01-01", `"2024-12-20"`), none, none,
			owed, ""},
		{"one that had ended", german, another("DE", "DEREGISTERED", "2024-01-01", `"2024-12-19"`), none, none, owed,
			"5.00 EUR since 2024-12-20"},
		{"one that was cancelled", german, another("DE", "CANCELLED", "2024-01-01", "null"), none, none, owed,
			"5.00 EUR since 2024-12-20"},
		{"one elsewhere", german, another("FR", "REGISTERED", "2024-01-01", "null"), none, none, owed,
			"5.00 EUR since 2024-12-20"},
		{"a return has the day", german, none, returned("regs", "REGULAR", "FILED", "2024-12-20", "2024-12-20"), none, owed,
			""},
		{"also one that was skipped", german, none, returned("regs", "REGULAR", "SKIPPED", "2024-12-01", "2024-12-31"), none,
			owed, ""},
		{"not one that was cancelled", german, none, returned("regs", "REGULAR", "CANCELLED", "2024-12-01", "2024-12-31"),
			none, owed, "5.00 EUR since 2024-12-20"},
		{"nor an amendment", german, none, returned("regs", "AMENDMENT", "FILED", "2024-12-01", "2024-12-31"), none, owed,
			"5.00 EUR since 2024-12-20"},
		{"the one-stop shop had the sale to a member", german, another("ZZ_EU", "REGISTERED", "2024-01-01", "null"), none,
			atMember, owed, ""},
		{"from its day on", german, another("ZZ_EU", "REGISTERED", "2024-12-21", "null"), none, atMember, owed,
			"5.00 EUR since 2024-12-20"},
		{"where the country is a member", german, another("ZZ_EU", "REGISTERED", "2024-01-01", "null"), none, none, owed,
			"5.00 EUR since 2024-12-20"},
		{"the one-stop shop owes it", shop, none, none, none, tax("ZZ_EU", "FR", "2024-12-20", "5.00"),
			"5.00 EUR since 2024-12-20"},
		{"unless the member had it", shop, another("FR", "REGISTERED", "2024-01-01", "null"), none, none,
			tax("ZZ_EU", "FR", "2024-12-20", "5.00"), ""},
		{"or it is the member of identification", shop, none, none, none, tax("ZZ_EU", "IE", "2024-12-20", "5.00"), ""},
	} {
		list := func(rows ...string) string {
			text := ""
			for _, row := range rows {
				if row != "" && text != "" {
					text += ","
				}
				text += row
			}
			return "[" + text + "]"
		}
		rows, err := sql.Query(t.Context(), `
			WITH registrations AS (SELECT * FROM jsonb_populate_recordset(NULL::registrations, $1)),
			filings AS (SELECT * FROM jsonb_populate_recordset(NULL::filings, $2)),
			nexus_records AS (SELECT * FROM jsonb_populate_recordset(NULL::nexus_records, $3)),
			nexus_taxes AS (SELECT * FROM jsonb_populate_recordset(NULL::nexus_taxes, $4))
			SELECT early.owed || ' ' || early.currency || ' since ' || early.day
			  FROM registrations r`+work.BackTax+` WHERE r.id = 'regs'`,
			list(c.registration, c.other), list(c.filing), list(c.nexus), list(c.taxes))
		require.NoError(t, err, c.rule)
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err, c.rule)
		if c.want == "" {
			require.Empty(t, found, c.rule)
		} else {
			require.Equal(t, []string{c.want}, found, c.rule)
		}
	}
}
