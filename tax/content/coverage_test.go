package content

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/money"
)

var update = flag.Bool("update", false, "write the tables of docs/content.md anew: make generate")

const coverageDoc = "../../docs/content.md"

// The tables of docs/content.md are made from the content, so that they never claim more than the content holds.
func TestTheCoverageTablesFollowFromTheContent(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(coverageDoc)
	require.NoError(t, err)
	text := string(doc)
	for name, table := range map[string]string{
		"us": coverageUS(t), "canada": coverageCanada(t), "vat": coverageVAT(t),
	} {
		begin, end := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->"
		before, rest, ok := strings.Cut(text, begin)
		require.True(t, ok, "marker %s", begin)
		was, after, ok := strings.Cut(rest, end)
		require.True(t, ok, "marker %s", end)
		if !*update {
			require.Equal(t, table, was, "run make generate")
		}
		text = before + begin + table + end + after
	}
	if *update {
		require.NoError(t, os.WriteFile(coverageDoc, []byte(text), 0o644))
	}
}

// record is a line of a table by column.
type record map[string]string

func records(t *testing.T, file string) []record {
	t.Helper()
	var list []record
	require.NoError(t, readTable(os.DirFS("data"), file, func(r *row) {
		line := record{}
		for i, column := range r.table.columns {
			line[column] = r.value(i)
		}
		list = append(list, line)
	}))
	return list
}

func group(list []record, column string) map[string][]record {
	groups := map[string][]record{}
	for _, r := range list {
		groups[r[column]] = append(groups[r[column]], r)
	}
	return groups
}

func percentText(t *testing.T, rate string) string {
	d, err := money.ParseDecimal(rate)
	require.NoError(t, err)
	p, err := d.Mul(decimal.MustNew(100, 0))
	require.NoError(t, err)
	return p.Trim(0).String() + " %"
}

// sureness counts the rows of each confidence, the best first.
func sureness(list []record) string {
	count := map[string]int{}
	for _, r := range list {
		count[r["confidence"]]++
	}
	var parts []string
	for _, c := range []string{"HIGH", "MED", "LOW"} {
		if count[c] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[c], c))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// classesOf lists the classes with an open row of a confidence.
func classesOf(list []record, column, confidence string) string {
	var classes []string
	for _, r := range list {
		open := cmp.Or(r["effective_to"], r["valid_to"]) == ""
		if open && r["confidence"] == confidence && !slices.Contains(classes, r[column]) {
			classes = append(classes, r[column])
		}
	}
	slices.Sort(classes)
	return cmp.Or(strings.Join(classes, ", "), "–")
}

func newest(list []record) (day string) {
	for _, r := range list {
		day = max(day, r["as_of"])
	}
	return cmp.Or(day, "–")
}

func level(r record, level, have, all string) string {
	switch r[level] {
	case "NOT_APPLICABLE":
		return "no such tax"
	case "NONE":
		return "missing"
	case "COMPLETE":
		return "all"
	}
	if all == "" {
		return r[have] + " of many"
	}
	return r[have] + " of " + r[all]
}

var streetLevel = map[string]string{
	"NOT_NEEDED": "nothing", "SST": "SST rate and boundary files", "STATE_FILE": "the state's own table as CSV",
}

func coverageUS(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| State | Counties | Cities | Districts | ZIPs complete | Rates | As of | Classes in doubt (LOW) |" +
		" For street level import |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	states := map[string][]record{}
	for _, r := range records(t, "rates.csv") {
		if id, ok := strings.CutPrefix(r["jurisdiction_id"], "US-"); ok {
			states[id[:2]] = append(states[id[:2]], r)
		}
	}
	taxability := group(records(t, "us_taxability.csv"), "state")
	for _, r := range records(t, "coverage.csv") {
		state := r["state"]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s %% | %s | %s | %s | %s |\n", state,
			level(r, "county_level", "counties_with_rate", "counties_total"),
			level(r, "city_level", "cities_with_rate", ""),
			level(r, "district_level", "districts", ""),
			r["zips_complete_pct"], sureness(states[state]), newest(states[state]),
			classesOf(taxability[state], "category", "LOW"), streetLevel[r["street_level"]])
		require.Contains(t, streetLevel, r["street_level"])
	}
	return b.String()
}

// seriesOf writes the general rates of one jurisdiction, the newest last.
func seriesOf(t *testing.T, list []record) (taxes []string, since string) {
	for _, r := range list {
		if r["category"] != "*" {
			continue
		}
		if since == "" || r["valid_from"] < since {
			since = r["valid_from"]
		}
		if r["valid_to"] == "" {
			taxes = append(taxes, r["tax_type"]+" "+percentText(t, r["rate"]))
		}
	}
	return taxes, since
}

func coverageCanada(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| Province | Taxes today | Rows from | Rates | Rules in doubt (LOW) | As of |\n" +
		"|---|---|---|---|---|---|\n")
	rates, rules := group(records(t, "rates.csv"), "jurisdiction_id"),
		group(records(t, "class_rules.csv"), "jurisdiction_id")
	for _, j := range records(t, "jurisdictions.csv") {
		if j["country"] != "CA" {
			continue
		}
		taxes, since := seriesOf(t, rates[j["id"]])
		if len(taxes) == 0 {
			fmt.Fprintf(&b, "| %s | the federal GST only | | | | |\n", j["name"])
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", j["name"], strings.Join(taxes, ", "), since,
			sureness(rates[j["id"]]),
			classesOf(rules[j["id"]], "class", "LOW"), newest(rates[j["id"]]))
	}
	return b.String()
}

func coverageVAT(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| Country | Standard rate | Rows from | Classes with a rate of their own | Rates |" +
		" In doubt (LOW) | As of |\n" +
		"|---|---|---|---|---|---|---|\n")
	rates, rules := group(records(t, "rates.csv"), "jurisdiction_id"),
		group(records(t, "class_rules.csv"), "jurisdiction_id")
	for _, j := range records(t, "jurisdictions.csv") {
		list := rates[j["id"]]
		if j["country"] == "US" || j["country"] == "CA" || len(list) == 0 {
			continue
		}
		taxes, since := seriesOf(t, list)
		var classes []string
		for _, r := range list {
			if r["category"] != "*" && r["valid_to"] == "" {
				classes = append(classes, r["category"]+" "+percentText(t, r["rate"]))
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", j["name"],
			strings.TrimPrefix(strings.Join(taxes, ", "), "VAT "), since,
			cmp.Or(strings.Join(classes, ", "), "–"), sureness(list),
			classesOf(append(slices.Clone(rules[j["id"]]), inDoubt(list)...), "class", "LOW"), newest(list))
	}
	return b.String()
}

// inDoubt gives rate rows of a class the column that class rules have.
func inDoubt(list []record) []record {
	var found []record
	for _, r := range list {
		if r["category"] != "*" {
			found = append(found, record{
				"class": r["category"], "confidence": r["confidence"], "valid_to": r["valid_to"],
			})
		}
	}
	return found
}
