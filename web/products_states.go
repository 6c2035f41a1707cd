package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// taxedState is how a state taxes a product.
type taxedState struct {
	Code, Name, Level string
	Verdict           string
	Rate, Tax, Rule   string
	warnings          []string
}

// stateNote is what makes the answers for some states less sure than they look.
type stateNote struct {
	Text   string
	States []string
}

type taxedStates struct {
	product
	Price  string
	Fault  string
	States []taxedState
	Shapes []shownState
	Counts []nexusCount
	Notes  []stateNote
}

// verdicts say why a state taxes a product or not, with how the map shows it.
var verdicts = map[string]struct{ level, text string }{
	"RULE_FOUND_TAXABLE":           {"taxed", "Taxed"},
	"RULE_FOUND_NOT_TAXABLE":       {"free", "Not taxed"},
	"RULE_FOUND_TAXABLE_ZERO_RATE": {"free", "Taxed at 0 %"},
	"BELOW_THRESHOLD":              {"free", "Not taxed at this price"},
	"TAX_HOLIDAY":                  {"free", "Not taxed in a tax holiday"},
	"PRODUCT_EXEMPT":               {"free", "Marked as never taxed"},
	"NO_RULE_FOUND":                {"unsure", "Not known: no rule"},
}

// noSalesTax is what is said of a state whose content has no tax.
const noSalesTax = "No sales tax of the state"

// productStates shows how the states tax a product today: an estimate for each, of a sale whose place is known to the
// state only, so without the taxes of counties and cities.
func (c *Console) productStates(v *visit) error {
	page := taxedStates{Price: v.URL.Query().Get("amount")}
	if page.Price == "" {
		page.Price = "100"
	}
	if err := v.get(productsPath+"/"+url.PathEscape(v.PathValue("id")), v.org, &page.product); err != nil {
		return err
	}
	status := http.StatusOK
	for _, shape := range stateShapes {
		state, err := v.taxedIn(shape, page.ExternalID, page.Price)
		if refused, ok := isRefusal(err); ok {
			page.Fault, status = refused.said(), refused.Status
			break
		}
		if err != nil {
			return err
		}
		page.States = append(page.States, state)
		text := shape.Name + ": " + state.Verdict + " " + state.Rate
		page.Shapes = append(page.Shapes, shownState{shape, state.Level, text})
	}
	slices.SortFunc(page.States, func(a, b taxedState) int { return strings.Compare(a.Name, b.Name) })
	page.Notes = notesOf(page.States)
	for _, verdict := range []string{"Taxed", "Not taxed", "Not taxed at this price", "Not known: no rule"} {
		n := 0
		for _, s := range page.States {
			if s.Verdict == verdict {
				n++
			}
		}
		page.Counts = append(page.Counts, nexusCount{verdict, n})
	}
	v.render(status, "product_states", "How the states tax "+page.Name, page)
	return nil
}

// taxPart is the part of one jurisdiction in the tax of a line.
type taxPart struct {
	Level  string `json:"jurisdiction_type"`
	Rate   string `json:"rate"`
	Tax    string `json:"amount"`
	Reason string `json:"reason"`
	Rule   string `json:"rule_id"`
}

// taxedIn estimates a sale of one product in a state.
func (v *visit) taxedIn(shape stateShape, externalID, price string) (taxedState, error) {
	state := taxedState{Code: shape.Code, Name: shape.Name, Level: "unknown", Verdict: noSalesTax}
	sent := map[string]any{
		"amount": price, "external_product_id": externalID,
		"shipping_address": map[string]any{"state": shape.Code, "country": "US"},
	}
	var said struct {
		Tax      string `json:"total_tax_amount"`
		Warnings []struct {
			Code, Message string
		} `json:"warnings"`
		Items []struct {
			Parts []taxPart `json:"tax_items"`
		} `json:"transaction_items"`
	}
	if err := v.call(http.MethodPost, "/v1/tax/estimate?explain=false", v.org, sent, &said); err != nil {
		return state, err
	}
	if len(said.Items) == 0 {
		return state, nil
	}
	parts := said.Items[0].Parts
	i := slices.IndexFunc(parts, func(p taxPart) bool { return p.Level == "STATE" })
	if i < 0 {
		return state, nil
	}
	state.Rate, state.Tax, state.Rule = percentOf(parts[i].Rate), parts[i].Tax, parts[i].Rule
	verdict, known := verdicts[parts[i].Reason]
	if !known {
		verdict.level, verdict.text = "unsure", sentence(parts[i].Reason)
	}
	state.Level, state.Verdict = verdict.level, verdict.text
	for _, w := range said.Warnings {
		if w.Code != "LOCAL_TAX_UNKNOWN" { // the page is about the states alone, and says so
			state.warnings = append(state.warnings, w.Message)
		}
	}
	return state, nil
}

// notesOf are the warnings about states, each once with all the states that it is about.
func notesOf(states []taxedState) (notes []stateNote) {
	for _, state := range states {
		for _, text := range state.warnings {
			i := slices.IndexFunc(notes, func(n stateNote) bool { return n.Text == text })
			if i < 0 {
				i = len(notes)
				notes = append(notes, stateNote{Text: text})
			}
			notes[i].States = append(notes[i].States, state.Name)
		}
	}
	return notes
}

// said is what the API refused, in one text.
func (p *problem) said() string {
	texts := []string{}
	for _, e := range p.Errors {
		texts = append(texts, e.Message)
	}
	if len(texts) == 0 {
		return p.Detail
	}
	return strings.Join(texts, " ")
}
