package content

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// noLaw matches sources that are no statute, regulation or official publication: collections of others, packages, and
// words that name no document.
var noLaw = regexp.MustCompile(`(?i)github|gitlab|\brepo(sitory|s)?\b|\bnpm\b|\bpypi\b|@[0-9a-f]{6,}|` +
	`open-?sales-?tax|taxrates-us|vatnode|commerceguys|kdeldycke|not checked|secondary|` +
	`published local|state revenue departments|local governments?\b|` +
	`public (state |web |nexus |tax |notice)|^(see|statute|guidance|various|unknown|none)\b|department guidance|` +
	`see [a-z_]+\.csv|^https?:|^$`)

// uncited are the tables without statements about law, and the reason.
var uncited = map[string]string{
	"sources.csv":          "the publications themselves",
	"jurisdictions.csv":    "names and codes",
	"places.csv":           "ZIP areas of the Census and of the postal service",
	"coverage.csv":         "counts of rows",
	"publications.csv":     "the publications themselves",
	"categories.csv":       "Levy's own catalogue",
	"finer_categories.csv": "Levy's own catalogue",
	"iso_countries.csv":    "ISO 3166-1",
	"rules_checked.csv":    "days on which rows were checked",
	"us_holiday_rules.csv": "days on which offices are closed",
}

// Every row that decides a tax, a threshold or a due day cites a law or an official publication.
func TestEveryRowCitesTheLaw(t *testing.T) {
	t.Parallel()
	var faults []string
	check := func(cited, format string, args ...any) {
		if noLaw.MatchString(cited) {
			faults = append(faults, fmt.Sprintf(format, args...)+fmt.Sprintf(" cites %q", cited))
		}
	}
	unused := map[string]bool{}
	for _, s := range records(t, "sources.csv") {
		unused[s["source_id"]] = true
		for _, column := range []string{"title", "publisher", "edition"} {
			if column != "edition" || s[column] != "" { // without one each rate has a day, which loading proves
				check(s[column], "%s of source %s", column, s["source_id"])
			}
		}
	}
	files, err := os.ReadDir("data")
	require.NoError(t, err)
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".csv") || uncited[f.Name()] != "" {
			continue
		}
		for i, r := range records(t, f.Name()) {
			law, given := r["source"]
			require.True(t, given, "%s has no column for its source, and no reason in uncited", f.Name())
			if f.Name() == "rates.csv" { // loading them proves that the source exists
				delete(unused, law)
				continue
			}
			check(law, "%s:%d", f.Name(), i+2)
		}
	}
	require.Empty(t, faults)
	require.Equal(t, map[string]bool{"CENSUS": true, "GEONAMES": true}, unused, "sources of places alone")
}
