package content

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const classesDoc = "../../docs/content-classes.md"

// docs/content-classes.md lists every rule of the content with its source and its first day.
func TestTheCoverageOfClassesFollowsFromTheContent(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(classesDoc)
	require.NoError(t, err)
	const begin, end = "<!-- classes: begin -->\n", "<!-- classes: end -->"
	before, rest, ok := strings.Cut(string(doc), begin)
	require.True(t, ok)
	was, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	lists := coverageClasses(t)
	if *update {
		require.NoError(t, os.WriteFile(classesDoc, []byte(before+begin+lists+end+after), 0o644))
		return
	}
	require.Equal(t, lists, was, "run make generate")
}

// classLine is a line of the list: the classes of a place that share a rule.
type classLine struct {
	rule, source, since, confidence string
	classes                         []string
}

// placeClasses are the lines of a place, and the classes that have one.
type placeClasses struct {
	lines []*classLine
	ruled map[string]bool
}

func (p *placeClasses) add(rule, class, source, since, confidence string) {
	at := slices.IndexFunc(p.lines, func(l *classLine) bool {
		return l.rule == rule && l.source == source && l.since == since && l.confidence == confidence
	})
	if at < 0 {
		at = len(p.lines)
		p.lines = append(p.lines, &classLine{rule: rule, source: source, since: since, confidence: confidence})
	}
	p.lines[at].classes = append(p.lines[at].classes, class)
	p.ruled[class] = true
}

func coverageClasses(t *testing.T) string {
	rates, rules := group(withFiner(t, "rates.csv"), "jurisdiction_id"), group(withFiner(t, "class_rules.csv"), "jurisdiction_id")
	taxability, checked := group(append(records(t, "us_taxability.csv"), records(t, "finer_taxability.csv")...), "state"),
		group(records(t, "rules_checked.csv"), "jurisdiction_id")
	classes := allClasses(t)
	cited := map[string]bool{}
	var b strings.Builder
	for _, j := range records(t, "jurisdictions.csv") {
		state, isState := strings.CutPrefix(j["id"], "US-")
		isState = isState && len(state) == 2
		if j["country"] == "US" && !isState || len(rates[j["id"]]) == 0 {
			continue
		}
		p := &placeClasses{ruled: map[string]bool{}}
		general := "*everything else*"
		if isState {
			general = "*the rate of the state*"
		}
		p.addRates(t, rates[j["id"]], general)
		_, first := seriesOf(t, rates[j["id"]])
		for _, r := range rules[j["id"]] {
			if r["valid_to"] == "" {
				p.add(classRuleText(t, r), r["class"], r["source"], documentedSince(r["valid_from"], first, r), r["confidence"])
			}
		}
		if isState {
			for _, r := range taxability[state] {
				if r["effective_to"] == "" {
					since := documentedSince(r["effective_from"], first, r)
					p.add(taxabilityText(t, r), r["category"], r["source"], since, r["confidence"])
				}
			}
		}
		day := newest(rates[j["id"]])
		if len(checked[j["id"]]) > 0 {
			day = checked[j["id"]][0]["as_of"]
		}
		fmt.Fprintf(&b, "## %s\n\nRules last checked %s, rates %s.\n\n", j["name"], day, newest(rates[j["id"]]))
		p.write(&b, cited)
		if isState {
			without := slices.DeleteFunc(slices.Clone(classes), func(class string) bool { return p.ruled[class] })
			fmt.Fprintf(&b, "Without a rule of its own: %s.\n\n", cmp.Or(strings.Join(without, ", "), "none"))
		}
	}
	b.WriteString("## Sources\n\nWith the number of rates that cite each, those of counties, cities and districts among them, " +
		"and the day on which the newest was written down or last compared.\n\n" +
		"| Source | Title | Publisher | Edition | Rates | Newest |\n|---|---|---|---|---|---|\n")
	citing := group(records(t, "rates.csv"), "source")
	for _, s := range records(t, "sources.csv") {
		if id := s["source_id"]; cited[id] || len(citing[id]) > 0 {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s |\n", id, s["title"], s["publisher"],
				cmp.Or(s["edition"], "as known on the day of each rate"), len(citing[id]), newest(citing[id]))
		}
	}
	return b.String()
}

// documentedSince is the first day that is documented of a rule, which begins on a day or has none. One that is no
// settled law was looked up for the years since 2024 alone: tax.classRulesSince.
func documentedSince(from, first string, r record) string {
	switch {
	case from != "":
		return from
	case r["confidence"] != "HIGH":
		return max(first, "2024-01-01")
	}
	return first
}

func (p *placeClasses) addRates(t *testing.T, rates []record, general string) {
	t.Helper()
	for _, r := range rates {
		class := r["category"]
		if class == "*" {
			class = general
		}
		if r["valid_to"] == "" {
			p.add(r["tax_type"]+" "+percentText(t, r["rate"]), class, r["source"], r["valid_from"], r["confidence"])
		}
	}
}

// write writes the table of a place.
func (p *placeClasses) write(b *strings.Builder, cited map[string]bool) {
	b.WriteString("| Rule | Classes | Source | Since | Confidence |\n|---|---|---|---|---|\n")
	for _, l := range p.lines {
		cited[l.source] = true
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", l.rule, strings.Join(l.classes, ", "),
			strings.ReplaceAll(l.source, "|", "\\|"), l.since, l.confidence)
	}
	b.WriteString("\n")
}

// withFiner are the lines of a table and of the one of the same columns about finer classes.
func withFiner(t *testing.T, file string) []record {
	t.Helper()
	return append(records(t, file), records(t, "finer_"+file)...)
}

// allClasses are the classes of the catalogue in its order.
func allClasses(t *testing.T) (classes []string) {
	for _, r := range withFiner(t, "categories.csv") {
		if class := r["tax_class"]; class != "" && class != "NOT_TAXABLE" && !slices.Contains(classes, class) {
			classes = append(classes, class)
		}
	}
	return classes
}

func classRuleText(t *testing.T, r record) string {
	texts := map[string]string{
		"STANDARD": "the standard rate", "EXEMPT": "exempt", "FOLLOWS_ITEMS": "as the goods it belongs to",
		"CONDITIONAL": "depends: taken at the rate shown for the class, else the standard rate",
	}
	require.Contains(t, texts, r["treatment"])
	return texts[r["treatment"]]
}

// taxabilityText says how a state treats a class.
func taxabilityText(t *testing.T, r record) string {
	treatment, share, _ := strings.Cut(r["treatment"], ":")
	texts := map[string]string{
		"TAXABLE": "taxed", "EXEMPT": "exempt", "REDUCED": "reduced", "THRESHOLD": "limit of " + r["threshold_usd"] + " USD",
		"TAXABLE_BASE_PCT": "taxed on " + share + " % of the price", "TAXABLE_IF_ITEMS_TAXABLE": "as the goods it belongs to",
		"EXEMPT_IF_SEPARATELY_STATED": "exempt if separately stated", "CONDITIONAL": "depends: taken as taxed",
		"CONDITIONAL_EXEMPT": "depends: taken as exempt",
	}
	require.Contains(t, texts, treatment)
	text := texts[treatment]
	if free := treatment == "EXEMPT" || treatment == "CONDITIONAL_EXEMPT"; r["state_rate_pct"] != "" && !free {
		text += ", state rate " + r["state_rate_pct"] + " %"
	}
	local, rate, _ := strings.Cut(r["local_rule"], ":")
	switch {
	case local == "NONE" && !strings.Contains(treatment, "EXEMPT"):
		text += ", no local tax"
	case local == "FULL" && treatment == "EXEMPT":
		text += " from the state's tax, local taxes remain"
	case local == "VARIES":
		text += ", local taxes vary"
	case local == "FIXED":
		text += ", local taxes " + rate + " % in all"
	}
	return text
}
