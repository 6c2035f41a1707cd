package content_test

import (
	"cmp"
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/content"
)

const coveragePage = "../../docs/coverage.md"

// The page of what is covered, to what precision and until when follows from the content and from the answers about it.
func TestTheCoveragePageFollowsFromTheContent(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(coveragePage)
	require.NoError(t, err)
	text := string(doc)
	for name, table := range map[string]string{"states": coveredStates(t), "countries": coveredCountries(t)} {
		begin, end := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->"
		before, rest, ok := strings.Cut(text, begin)
		require.True(t, ok, begin)
		was, after, ok := strings.Cut(rest, end)
		require.True(t, ok, end)
		if flag.Lookup("update").Value.String() != "true" {
			require.Equal(t, table, was, "run make generate")
		}
		text = before + begin + table + end + after
	}
	if flag.Lookup("update").Value.String() == "true" {
		require.NoError(t, os.WriteFile(coveragePage, []byte(text), 0o644))
	}
}

// lines reads a table by the names of its columns.
func lines(t *testing.T, file string) (list []map[string]string) {
	t.Helper()
	in, err := os.Open("data/" + file)
	require.NoError(t, err)
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		line := map[string]string{}
		for i, name := range rows[0] {
			line[name] = row[i]
		}
		list = append(list, line)
	}
	return list
}

// zips counts those of a state. In complete ones no tax may be missing, in sure ones one tax is due, but for a few people.
type zips struct{ all, complete, sure int }

func (z zips) percent(n int) string { return fmt.Sprintf("%d %%", (100*n+z.all/2)/z.all) }

func zipsByState(t *testing.T, c *tax.Content) map[string]*zips {
	t.Helper()
	d, err := content.Parse(content.Packed())
	require.NoError(t, err)
	found := map[string]*zips{}
	for row, err := range d.Places {
		require.NoError(t, err)
		if !row.Primary {
			continue
		}
		state := strings.Clone(row.State)
		if found[state] == nil {
			found[state] = &zips{}
		}
		z := found[state]
		z.all++
		p := c.Resolve(tax.Address{State: state, PostalCode: strings.Clone(row.ZIP), Country: "US"})
		if p.Completeness == tax.CompletenessComplete {
			z.complete++
			if !p.Ambiguous {
				z.sure++
			}
		}
	}
	return found
}

func coveredStates(t *testing.T) string {
	c, err := tax.LoadContent()
	require.NoError(t, err)
	counted := zipsByState(t, c)
	var b strings.Builder
	b.WriteString("| State | Local taxes | ZIPs where no tax is missing | ZIPs where one tax is due | Classes with a rule | Table | " +
		"Confirmed until | Next edition expected |\n|---|---|---|---|---|---|---|---|\n")
	ruled := map[string]map[string]bool{}
	for _, file := range []string{"us_taxability.csv", "finer_taxability.csv"} {
		for _, line := range lines(t, file) {
			if state := line["state"]; line["effective_to"] == "" {
				if ruled[state] == nil {
					ruled[state] = map[string]bool{}
				}
				ruled[state][line["category"]] = true
			}
		}
	}
	covered := map[string]map[string]string{}
	for _, line := range lines(t, "coverage.csv") {
		covered[line["state"]] = line
	}
	for _, table := range c.RateTables() {
		local, line := "none", covered[table.State]
		if line["has_local_tax"] == "Y" {
			var levels []string
			for _, level := range []string{"county", "city", "district"} {
				switch line[level+"_level"] {
				case "COMPLETE":
					levels = append(levels, level+": all")
				case "PARTIAL":
					levels = append(levels, level+": in part")
				case "NONE":
					levels = append(levels, level+": missing")
				}
			}
			local = strings.Join(levels, ", ")
		}
		z := counted[table.State]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s | %s | %s |\n", table.Name, local, z.percent(z.complete), z.percent(z.sure),
			len(ruled[table.State]), table.Publication, cmp.Or(table.Until.String(), "a change of the statute"), cmp.Or(table.Next.String(), "–"))
	}
	return b.String()
}

func coveredCountries(t *testing.T) string {
	names, newest, classes := map[string]string{}, map[string]string{}, map[string]map[string]bool{}
	for _, j := range lines(t, "jurisdictions.csv") {
		if j["country"] != "US" {
			names[j["id"]] = j["name"]
		}
	}
	for _, r := range lines(t, "rates.csv") {
		id := r["jurisdiction_id"]
		if names[id] == "" || r["valid_to"] != "" && r["valid_to"] < "2026-11-28" {
			continue
		}
		newest[id] = max(newest[id], r["as_of"])
		if classes[id] == nil {
			classes[id] = map[string]bool{}
		}
		if r["category"] != "*" {
			classes[id][r["category"]] = true
		}
	}
	var b strings.Builder
	b.WriteString("| Country, province or territory | Classes with a rate of their own | Rates as known on |\n|---|---|---|\n")
	ids := slices.SortedFunc(maps.Keys(newest), func(x, y string) int { return cmp.Compare(names[x], names[y]) })
	for _, id := range ids {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", names[id], len(classes[id]), newest[id])
	}
	return b.String()
}
