package web

import (
	"net/http"
	"slices"
)

type nexusPage struct {
	States, Abroad  []nexusRecord
	Shapes          []shownState
	Counts          []nexusCount
	All             bool // also the jurisdictions without nexus and sales
	Total, Relevant int  // numbers of jurisdictions, and of those with nexus or sales
}

type nexusCount struct {
	Status string
	Count  int
}

// nexus shows the nexus of an organization on a map of the states and in lists. The lists have only jurisdictions with
// nexus or sales, unless the query asks for all.
func (c *Console) nexus(v *pageRequest) error {
	var list struct{ Items []nexusRecord }
	if err := v.get("/v1/nexus?without_pagination=true", v.org, &list); err != nil {
		return err
	}
	slices.SortStableFunc(list.Items, func(a, b nexusRecord) int {
		if a.Status != b.Status {
			return slices.Index(nexusStatuses, a.Status) - slices.Index(nexusStatuses, b.Status)
		}
		return b.Share() - a.Share()
	})
	page := nexusPage{All: v.URL.Query().Get("show") == "all", Total: len(list.Items), Shapes: mapOf(list.Items)}
	counts := map[string]int{}
	for _, n := range list.Items {
		n.Expected = c.expected(n.Months)
		counts[n.Status]++
		if n.Relevant() {
			page.Relevant++
		} else if !page.All {
			continue
		}
		if n.Country == "US" {
			page.States = append(page.States, n)
		} else {
			page.Abroad = append(page.Abroad, n)
		}
	}
	for _, status := range nexusStatuses {
		page.Counts = append(page.Counts, nexusCount{status, counts[status]})
	}
	return v.show("Nexus", page)
}

type nexusRecordPage struct {
	nexusRecord
	ByMonth []monthSales
	Average string
	Curve   *curve // nil if there are no sales

	Disregard []field // the fields of the form that disregards the nexus
}

// disregardForm returns the fields for the reason and the last day of disregarding a nexus.
func disregardForm() []field {
	return []field{as("why", required(text("reason", "Reason", 255, ""))), date("until", "Until (optional)")}
}

func (c *Console) nexusOf(v *pageRequest) error {
	path, page := "/v1/nexus/"+v.id(), nexusRecordPage{}
	if err := v.get(path, v.org, &page.nexusRecord); err != nil {
		return err
	}
	months := struct {
		Months  *[]monthSales `json:"months"`
		Average *string       `json:"average_amount"`
	}{&page.ByMonth, &page.Average}
	if err := v.get(path+"/months", v.org, &months); err != nil {
		return err
	}
	page.Expected = c.expected(page.Months)
	ahead := 0
	if page.Months != nil {
		ahead = *page.Months
	}
	page.Curve = curveOf(page.ByMonth, page.Average, page.Currency, ahead)
	page.Disregard = v.inputs("disregard", disregardForm()...)
	return v.show("Nexus in "+page.Name, page)
}

// expected returns the month after a number of months from today; "" for nil.
func (c *Console) expected(months *int) string {
	if months == nil {
		return ""
	}
	return monthName(c.now().UTC().Format("2006-01")+"-01", *months)
}

// changeNexus registers in a jurisdiction, disregards its nexus or ends that.
func (c *Console) changeNexus(v *pageRequest) error {
	path := "/v1/nexus/" + v.id()
	var err error
	switch v.PostFormValue("action") {
	case "register":
		err = v.call(http.MethodPut, path+"/register", v.org, map[string]any{}, nil)
	case "disregard":
		sent := map[string]any{"reason": v.PostFormValue("reason")}
		if until := v.PostFormValue("until"); until != "" {
			sent["until"] = until
		}
		err = v.call(http.MethodPost, path+"/disregard", v.org, sent, nil)
	case "undisregard":
		err = v.call(http.MethodPost, path+"/undisregard", v.org, nil, nil)
	default:
		err = unknownAction()
	}
	return v.goBack(err)
}
