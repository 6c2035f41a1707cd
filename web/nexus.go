package web

import (
	"cmp"
	"html/template"
	"net/http"
	"slices"

	"levy/contract"
	"levy/models"
)

type nexusPage struct {
	File            template.URL // of all jurisdictions
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
		File: v.fileOf("nexus", nil),
		All:  v.URL.Query().Get("show") == "all", Total: len(records), Shapes: mapOf(records), Counts: countNexus(list),
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
	Register  []field // the fields of the form that registers
}

// OwesBackTax reports whether tax is owed for sales of before a registration.
func (p nexusRecordPage) OwesBackTax() bool { return p.TaxLiability != "" && !isZero(p.TaxLiability) }

// registerForm returns the fields of the form that registers where nexus is. eligible means that a voluntary disclosure is
// possible there, which registering may forfeit.
func registerForm(eligible bool) []field {
	often := as("often", choice("filing_frequency", "Filing frequency", "off", filingFrequencies))
	often.Blank = "The usual one there"
	fields := []field{
		often,
		hinted(as("since", date("registration_date", "Registered since")),
			"A past day records a registration that you have. Leave empty to have Levy register."),
		hinted(as("returns-from", date("create_filings_from", "Returns from")),
			"The first day that returns cover. Leave empty to start with the registration."),
		{Name: disclosed, Label: "It follows a voluntary disclosure", Kind: "check"},
	}
	if eligible {
		fields = append(fields, field{Name: aware, Label: "I know that registering may forfeit a voluntary disclosure", Kind: "check"})
	}
	return fields
}

// disclosed is a field of the body, and aware is a box that only the page has.
const disclosed, aware = "vda", "aware"

// registerNexus registers where nexus is. Where a voluntary disclosure is possible, the person has either made one or says
// that it may be lost.
func (v *pageRequest) registerNexus(id string) error {
	record, err := v.session.GetNexus(v.Context(), contract.GetNexusRequest{NexusID: id})
	if err != nil {
		return err
	}
	// guard: nexus: a voluntary disclosure is not forfeited unknowingly
	if record.VdaEligible && v.PostFormValue(aware) == "" && v.PostFormValue(disclosed) == "" {
		return &problem{Status: http.StatusBadRequest, Title: "A voluntary disclosure may be lost",
			Detail: "Confirm that you know, or say that there was one."}
	}
	sent := v.nonEmpty("filing_frequency", "registration_date", "create_filings_from")
	if v.PostFormValue(disclosed) != "" {
		sent[disclosed] = true
	}
	session, err := v.sending(sent)
	if err == nil {
		_, err = session.RegisterNexus(v.Context(), contract.RegisterNexusRequest{NexusID: id})
	}
	return err
}

// disregardForm returns the fields for the reason and the last day of disregarding a nexus.
func disregardForm() []field {
	return []field{as("why", required(text("reason", "Reason", 255, ""))), date("until", "Until (optional)")}
}

func (c *Console) nexusOf(v *pageRequest) error {
	v.followEvents()
	id := v.PathValue("id")
	record, err := v.session.GetNexus(v.Context(), contract.GetNexusRequest{NexusID: id})
	if err != nil {
		return err
	}
	page := nexusRecordPage{nexusRecord: c.nexusRecordOf(record), Disregard: v.inputs("disregard", disregardForm()...),
		Register: v.inputs("register", registerForm(record.VdaEligible)...)}
	if page.Sales, err = v.session.ListNexusMonths(v.Context(), contract.ListNexusMonthsRequest{NexusID: id}); err != nil {
		return err
	}
	page.Curve = curveOf(page.Sales.Months, page.Sales.AverageAmount, page.NexusRecord.Currency,
		valueOf(page.PredictedMonthFromToday), limitOf(&record))
	return v.show("Nexus in "+page.StateName, page)
}

// changeNexus registers in a jurisdiction, disregards its nexus or ends that.
func (c *Console) changeNexus(v *pageRequest) error {
	id := v.PathValue("id")
	var err error
	switch v.PostFormValue("action") {
	case "register":
		err = v.registerNexus(id)
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
