package content

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noLaw is what is no statute, regulation or official publication: collections of others, packages, and words that
// name no document.
var noLaw = regexp.MustCompile(`(?i)github|gitlab|\brepo(sitory|s)?\b|\bnpm\b|\bpypi\b|@[0-9a-f]{6,}|open-?sales-?tax|taxrates-us|` +
	`vatnode|commerceguys|kdeldycke|not checked|cross-check \)|secondary|public (state |web |nexus |tax |notice)|` +
	`^(see|statute|guidance|various|unknown|none)\b|department guidance|see [a-z_]+\.csv|^https?:|^$`)

// Every row that decides a tax, a threshold or a due day cites a law or an official publication.
func TestEveryRowCitesTheLaw(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("data")
	require.NoError(t, err)
	sources := map[string]record{}
	for _, s := range records(t, "sources.csv") {
		sources[s["source_id"]] = s
		for _, column := range []string{"title", "publisher", "edition"} {
			assert.NotRegexp(t, noLaw, s[column], "%s of source %s", column, s["source_id"])
		}
	}
	cited := map[string]bool{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".csv") || uncited[f.Name()] != "" {
			continue
		}
		for i, r := range records(t, f.Name()) {
			law, given := r["source"]
			require.True(t, given, "%s has no column for its source, and no reason in uncited", f.Name())
			if f.Name() == "rates.csv" {
				require.Contains(t, sources, law, "%s:%d", f.Name(), i+2)
				cited[law] = true
				continue
			}
			assert.NotRegexp(t, noLaw, law, "%s:%d", f.Name(), i+2)
		}
	}
	for id := range sources {
		assert.True(t, cited[id] || id == "CENSUS" || id == "GEONAMES", "nothing cites %s", id)
	}
	for file, why := range uncited {
		require.FileExists(t, "data/"+file, cmp.Or(why, "a reason"))
	}
}

// uncited are the tables that say nothing about law, and why.
var uncited = map[string]string{
	"sources.csv":          "the publications themselves",
	"jurisdictions.csv":    "names and codes",
	"places.csv":           "ZIP areas of the Census and of the postal service",
	"coverage.csv":         "counts of rows",
	"categories.csv":       "Levy's own catalogue",
	"iso_countries.csv":    "ISO 3166-1",
	"rules_checked.csv":    "days on which rows were looked at",
	"us_holiday_rules.csv": "days on which offices are closed",
}
