package filings

import (
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// filingRecord is the mapping of a filing. Only claims write the sums.
var filingRecord = pg.MappingOf[models.Filing]()

// selectFilings reads filings as f; conditions follow.
var selectFilings = "SELECT " + filingRecord.Select("f") + ", (now() AT TIME ZONE 'UTC')::date, " + elapsed + " FROM filings f"

// elapsed is the last day that is over everywhere, at 12:00 UTC of the next one.
const elapsed = "((now() AT TIME ZONE 'UTC') - interval '36 hours')::date"

// scanFiling reads a row of selectFilings.
func scanFiling(row pgx.Row) (models.Filing, error) {
	var f models.Filing
	var today, over time.Time
	err := row.Scan(append(filingRecord.Targets(&f), &today, &over)...)
	f.Today, f.Elapsed = calendar.DateOf(today), calendar.DateOf(over)
	return f, err
}

// scanDueFiling reads a row of selectFilings that ends with the name of the organization.
func scanDueFiling(row pgx.CollectableRow) (f models.DueFiling, err error) {
	var today, over time.Time
	err = row.Scan(append(filingRecord.Targets(&f.Filing), &today, &over, &f.OrganizationName)...)
	f.Today, f.Elapsed = calendar.DateOf(today), calendar.DateOf(over)
	return f, err
}
