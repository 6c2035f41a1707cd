package filings

import (
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// filingRecord is the mapping of a filing. The sums are written by claims alone.
var filingRecord = pg.MappingOf[models.Filing]()

// selectFilings reads filings as f; conditions follow.
var selectFilings = "SELECT " + filingRecord.Select("f") + ", " + momentOf("f.organization_id") + " FROM filings f"

// momentOf reads a moment of an organization: now, its time zone, and the last day that is over everywhere. A day is so at 12:00
// UTC of the next one.
func momentOf(organization string) string {
	return "now(), (SELECT z.time_zone FROM organization_settings z WHERE z.organization_id = " + organization + `),
		((now() AT TIME ZONE 'UTC') - interval '36 hours')::date`
}

// moment is what momentOf reads.
type moment struct {
	now  time.Time
	zone *string
	over time.Time
}

func (m *moment) targets() []any { return []any{&m.now, &m.zone, &m.over} }

// set writes the days of the moment into a filing. Today is the day in the time zone of the organization.
func (m *moment) set(f *models.Filing) {
	zone := ""
	if m.zone != nil {
		zone = *m.zone
	}
	// guard: filings: today is the day of the organization
	f.Today, f.Elapsed = calendar.DateOf(m.now.In(models.TimeZoneOrUTC(zone))), calendar.DateOf(m.over)
}

// scanFiling reads a row of selectFilings.
func scanFiling(row pgx.Row) (models.Filing, error) {
	var f models.Filing
	var m moment
	err := row.Scan(append(filingRecord.Targets(&f), m.targets()...)...)
	m.set(&f)
	return f, err
}

// scanDueFiling reads a row of selectFilings that ends with the name of the organization.
func scanDueFiling(row pgx.CollectableRow) (f models.DueFiling, err error) {
	var m moment
	err = row.Scan(append(append(filingRecord.Targets(&f.Filing), m.targets()...), &f.OrganizationName)...)
	m.set(&f.Filing)
	return f, err
}
