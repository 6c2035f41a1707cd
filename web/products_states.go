package web

import (
	"cmp"
	"levy/contract"
	"net/http"
	"slices"
	"strings"
)

// taxedState is the taxation of a product in a state.
type taxedState struct {
	Code, Name, Level string
	Result            string
	Rate, Tax, Rule   string
	warnings          []string
}

// stateNote is a warning about the taxation in some states.
type stateNote struct {
	Text   string
	States []string
}

type taxedStates struct {
	product
	Fault  string
	Prices filterForm // the form for the price
	States []taxedState
	Shapes []shownState
	Counts []nexusCount
	Notes  []stateNote
}

// taxReasons are the text and the colour of the map for each reason.
var taxReasons = map[contract.TaxReason]struct{ level, text string }{
	"RULE_FOUND_TAXABLE":           {"taxed", "Taxed"},
	"RULE_FOUND_NOT_TAXABLE":       {"free", "Not taxed"},
	"RULE_FOUND_TAXABLE_ZERO_RATE": {"free", "Taxed at 0 %"},
	"BELOW_THRESHOLD":              {"free", "Not taxed at this price"},
	"TAX_HOLIDAY":                  {"free", "Not taxed in a tax holiday"},
	"PRODUCT_EXEMPT":               {"free", "Marked as never taxed"},
	"NO_RULE_FOUND":                {"unsure", "Not known: no rule"},
}

// noSalesTax is the text for a state without sales tax.
const noSalesTax = "No sales tax of the state"

// productStates shows the taxation of a product in each state today. Sales have no address, so taxes of counties and
// cities are not included.
func (c *Console) productStates(v *pageRequest) error {
	page, price := taxedStates{}, cmp.Or(v.URL.Query().Get("amount"), "100")
	amount := field{Name: "amount", Label: "Price before tax, USD", Kind: "number", Max: 20, Required: true, Value: price}
	page.Prices = filters("Show", nil, amount)
	id, status := v.PathValue("id"), http.StatusOK
	var err error
	page.Product, err = v.session.GetProduct(v.Context(), contract.GetProductRequest{ProductID: id})
	if err != nil {
		return err
	}
	said, err := v.session.GetProductTaxability(v.Context(), contract.GetProductTaxabilityRequest{
		ProductID: id, Params: contract.GetProductTaxabilityParams{Amount: price},
	})
	if refused, ok := correctable(err); ok {
		page.Fault, status = refused.text(), refused.Status
	} else if err != nil {
		return err
	}
	page.take(said.States)
	v.render(status, "How the states tax "+isolated(page.Name), page)
	return nil
}

// take fills the map and the list.
func (page *taxedStates) take(states []contract.StateTaxability) {
	shapes := map[string]stateShape{}
	for _, shape := range stateShapes {
		shapes[shape.Code] = shape
	}
	counts := map[string]int{}
	for _, s := range states {
		shape, onMap := shapes[s.StateCode]
		if !onMap {
			continue // the map and the list have the same states
		}
		state := taxedState{Code: s.StateCode, Name: shape.Name, Level: "unknown", Result: noSalesTax}
		if s.Reason != nil {
			result, known := taxReasons[*s.Reason]
			if !known {
				result.level, result.text = "unsure", sentence(string(*s.Reason))
			}
			state.Level, state.Result = result.level, result.text
			state.Rate, state.Tax, state.Rule = percentOf(s.Rate), s.TaxAmount, s.RuleID
			for _, w := range s.Warnings {
				if w.Code != "LOCAL_TAX_UNKNOWN" { // the page says that it is about states only
					state.warnings = append(state.warnings, w.Message)
				}
			}
		}
		counts[state.Result]++
		page.States = append(page.States, state)
		page.Shapes = append(page.Shapes,
			shownState{shape, state.Level, shape.Name + ": " + state.Result + " " + state.Rate})
	}
	slices.SortFunc(page.States, func(a, b taxedState) int { return strings.Compare(a.Name, b.Name) })
	page.Notes = notesOf(page.States)
	for _, result := range []string{"Taxed", "Not taxed", "Not taxed at this price", "Not known: no rule"} {
		page.Counts = append(page.Counts, nexusCount{result, counts[result]})
	}
}

// notesOf returns the warnings, each once with all of its states.
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

// text returns the error messages of a refusal as one text.
func (p *problem) text() string {
	texts := []string{}
	for _, e := range p.Errors {
		texts = append(texts, e.Message)
	}
	if len(texts) == 0 {
		return p.Detail
	}
	return strings.Join(texts, " ")
}
