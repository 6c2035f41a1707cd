package web

import (
	"cmp"
	"slices"

	"levy/contract"
	"levy/models"
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
	list, err := v.allNexus()
	if err != nil {
		return err
	}
	records := make([]nexusRecord, len(list))
	for i, n := range list {
		records[i] = c.nexusRecordOf(n)
	}
	urgency := func(n nexusRecord) int { return slices.Index(models.NexusStatuses, models.NexusStatus(n.Status)) }
	slices.SortStableFunc(records, func(a, b nexusRecord) int {
		return cmp.Or(urgency(a)-urgency(b), b.Share()-a.Share())
	})
	page := nexusPage{
		All: v.URL.Query().Get("show") == "all", Total: len(records), Shapes: mapOf(records), Counts: countNexus(list),
	}
	for _, n := range records {
		if n.Relevant() {
			page.Relevant++
		} else if !page.All {
			continue
		}
		if n.CountryCode == "US" {
			page.States = append(page.States, n)
		} else {
			page.Abroad = append(page.Abroad, n)
		}
	}
	return v.show("Nexus", page)
}

// allNexus reads the nexus of the organization in all jurisdictions.
func (v *pageRequest) allNexus(orderBy ...string) ([]contract.NexusRecord, error) {
	list, err := v.session.ListNexus(v.Context(), contract.ListNexusRequest{
		Params: contract.ListNexusParams{WithoutPagination: true, OrderBy: orderBy},
	})
	return list.Items, err
}

// nexusRecordOf returns a record with the month of its forecast.
func (c *Console) nexusRecordOf(n contract.NexusRecord) nexusRecord {
	record := nexusRecord{NexusRecord: n}
	if n.PredictedMonthFromToday != nil {
		record.Expected = monthName(c.now().UTC().Format("2006-01")+"-01", *n.PredictedMonthFromToday)
	}
	return record
}

// countNexus counts records by status, the most urgent first.
func countNexus(records []contract.NexusRecord) []nexusCount {
	counts := make([]nexusCount, len(models.NexusStatuses))
	for i, status := range models.NexusStatuses {
		counts[i].Status = string(status)
		for _, n := range records {
			if models.NexusStatus(n.Status) == status {
				counts[i].Count++
			}
		}
	}
	return counts
}

type nexusRecordPage struct {
	nexusRecord
	Sales contract.NexusMonths
	Curve *curve // nil if there are no sales

	Disregard []field // the fields of the form that disregards the nexus
}

// disregardForm returns the fields for the reason and the last day of disregarding a nexus.
func disregardForm() []field {
	return []field{as("why", required(text("reason", "Reason", 255, ""))), date("until", "Until (optional)")}
}

func (c *Console) nexusOf(v *pageRequest) error {
	id := v.PathValue("id")
	record, err := v.session.GetNexus(v.Context(), contract.GetNexusRequest{NexusID: id})
	if err != nil {
		return err
	}
	page := nexusRecordPage{nexusRecord: c.nexusRecordOf(record), Disregard: v.inputs("disregard", disregardForm()...)}
	if page.Sales, err = v.session.ListNexusMonths(v.Context(), contract.ListNexusMonthsRequest{NexusID: id}); err != nil {
		return err
	}
	page.Curve = curveOf(page.Sales.Months, page.Sales.AverageAmount, page.NexusRecord.Currency,
		valueOf(page.PredictedMonthFromToday))
	return v.show("Nexus in "+page.StateName, page)
}

// changeNexus registers in a jurisdiction, disregards its nexus or ends that.
func (c *Console) changeNexus(v *pageRequest) error {
	id := v.PathValue("id")
	var err error
	switch v.PostFormValue("action") {
	case "register":
		_, err = v.session.RegisterNexus(v.Context(), contract.RegisterNexusRequest{NexusID: id})
	case "disregard":
		err = v.disregardNexus(id)
	case "undisregard":
		_, err = v.session.UndisregardNexus(v.Context(), contract.UndisregardNexusRequest{NexusID: id})
	default:
		err = unknownAction()
	}
	return v.goBack(err)
}

func (v *pageRequest) disregardNexus(id string) error {
	sent := map[string]any{"reason": v.PostFormValue("reason")}
	if until := v.PostFormValue("until"); until != "" {
		sent["until"] = until
	}
	session, err := v.sending(sent)
	if err == nil {
		_, err = session.DisregardNexus(v.Context(), contract.DisregardNexusRequest{NexusID: id})
	}
	return err
}
