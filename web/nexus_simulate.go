package web

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/contract"
)

type simulatePage struct {
	Form   htmlForm
	Faults []fault
	Result *contract.NexusSimulated  // nil before the form is sent
	Shown  []contract.SimulatedNexus // the jurisdictions with a difference, and the one of the form
}

// placeField has a jurisdiction as country and state: "US/NY".
const placeField = "state_code"

// simulateForm returns the form of a simulation.
func simulateForm(places []option) htmlForm {
	whole := func(name, label, hint string) field {
		return field{Name: name, Label: label, Kind: "number", Max: 12, Auto: "off", Hint: hint}
	}
	return htmlForm{Groups: []fieldGroup{{Title: "All sales", Fields: []field{
		inPercent(whole("sales_change_percent", "Growth in percent", "Negative for a decline")),
		inPercent(whole("marketplace_share", "Share sold through marketplaces, in percent", "Leave empty to keep it")),
		{Name: "on", Label: "On this date", Kind: "date", Auto: "off", Hint: "Leave empty for today; at most a year ahead"},
	}}, {Title: "One more sale", Fields: []field{
		sold(choice(placeField, "Where", "off", places)),
		sold(whole("amount", "Amount before tax", "In the currency of the place")),
		sold(whole("transactions", "Number of sales", "Leave empty for one")),
		sold(hinted(field{Name: "date", Label: "Date", Kind: "date", Auto: "off"}, "Leave empty for today")),
	}}}}
}

// sold makes a field a part of the additional sale.
func sold(f field) field { f.Path = "additional_sales[0]." + f.Name; return f }

// places returns the jurisdictions in which an organization may have nexus.
func (v *pageRequest) places() ([]option, error) {
	records, err := v.allNexus("country_code", "state_name")
	if err != nil {
		return nil, err
	}
	all := make([]option, len(records))
	for i, n := range records {
		all[i] = option{n.CountryCode + "/" + n.StateCode, n.StateName}
		if n.CountryCode != "US" && n.CountryCode != n.StateCode {
			all[i].Label += ", " + n.CountryCode
		}
	}
	slices.SortStableFunc(all, func(a, b option) int { // the United States first
		return strings.Compare(strings.Replace(a.Value[:2], "US", "", 1), strings.Replace(b.Value[:2], "US", "", 1))
	})
	return all, nil
}

func (c *Console) simulateForm(v *pageRequest) error {
	if err := v.requireReader(); err != nil {
		return err
	}
	places, err := v.places()
	if err != nil {
		return err
	}
	return v.show("What if", simulatePage{Form: simulateForm(places)})
}

// simulate shows the nexus that different sales would cause. Nothing is stored.
func (c *Console) simulate(v *pageRequest) error {
	places, err := v.places()
	if err != nil {
		return err
	}
	page := simulatePage{Form: simulateForm(places).filled(nil, v.PostForm)}
	session, err := v.sending(v.supposed(c.now()))
	if err != nil {
		return err
	}
	result, err := session.SimulateNexus(v.Context(), contract.SimulateNexusRequest{})
	if refused, ok := correctable(err); ok {
		page.Faults = page.Form.mark(refused)
		v.render(refused.Status, titled("What if", page.Faults), page)
		return nil
	}
	if err != nil {
		return err
	}
	page.Result = &result
	for _, item := range result.Items {
		if item.Changed || item.CountryCode+"/"+item.StateCode == v.PostFormValue(placeField) {
			page.Shown = append(page.Shown, item)
		}
	}
	return v.show("What if", page)
}

// supposed returns the body of a simulation. It sends texts that are not numbers unchanged: the API reports them.
func (v *pageRequest) supposed(now time.Time) map[string]any {
	typed := func(name string) string { return strings.TrimSpace(v.PostFormValue(name)) }
	number := func(into map[string]any, name string) {
		if n, err := strconv.Atoi(typed(name)); err == nil {
			into[name] = n
		} else if typed(name) != "" {
			into[name] = typed(name)
		}
	}
	sent := map[string]any{}
	number(sent, "sales_change_percent")
	number(sent, "marketplace_share")
	if typed("on") != "" {
		sent["on"] = typed("on")
	}
	if typed(placeField) == "" && typed("amount") == "" {
		return sent
	}
	country, state, _ := strings.Cut(typed(placeField), "/")
	sale := map[string]any{"amount": typed("amount"), "date": typed("date")}
	if country != "" {
		sale["country_code"], sale["state_code"] = country, state
	}
	if sale["date"] == "" {
		sale["date"] = now.UTC().Format(time.DateOnly)
	}
	number(sale, "transactions")
	sent["additional_sales"] = []any{sale}
	return sent
}
