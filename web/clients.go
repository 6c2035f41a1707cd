package web

import (
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

type onboarding struct {
	Org     string    `json:"organization_id"`
	Name    string    `json:"organization_name"`
	Status  string    `json:"status"`
	Done    []int     `json:"completed_steps"`
	Next    int       `json:"next_step"`
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires_at"`
	Reason  string    `json:"reason"`

	Undoing *struct {
		Status string `json:"status"`
	} `json:"compensation"`

	Reminded *time.Time       `json:"reminded_at"`
	Steps    []onboardingStep `json:"steps"`
}

type onboardingStep struct {
	Number      int            `json:"number"`
	Name        string         `json:"name"`
	Status      string         `json:"status"`
	StartedAt   time.Time      `json:"started_at"`
	CompletedAt time.Time      `json:"completed_at"`
	Attempts    int            `json:"attempts"`
	Refused     int            `json:"refused"`
	Error       string         `json:"error"`  // why its last call was refused; empty once one was accepted
	Errors      []problemField `json:"errors"` // by field

	Address string // of its form; empty where the person cannot open it
}

// LastRefusal is the latest step whose last call was refused; nil for none.
func (o onboarding) LastRefusal() *onboardingStep {
	for i := range o.Steps {
		if step := &o.Steps[len(o.Steps)-1-i]; step.Error != "" {
			return step
		}
	}
	return nil
}

// Ended says in words how it ended before it was complete; empty where it did not.
func (o onboarding) Ended() string {
	return map[string]string{"CANCELLED": "It was cancelled", "EXPIRED": "It expired", "FAILED": "It failed"}[o.Status]
}

// Shown is the name, or the id of a client that has none.
func (o onboarding) Shown() string {
	if o.Name != "" {
		return o.Name
	}
	return o.Org
}

type clientList struct {
	listed

	Items  []onboarding `json:"items"`
	Counts []count      `json:"counts"`
	Org    string
	File   template.URL // the filter, for the same list as a file
	Steps  []step
	Waits  []waiting
	Views  []view
	Saved  savedViews
}

// Onboarding reports whether the list is of all who are still onboarding.
func (l clientList) Onboarding() bool {
	return passed(l.Query, clientParameters...) == url.Values{"status__in": {waitingStatuses}}.Encode()
}

type count struct {
	Status string `json:"status"`
	Next   int    `json:"next_step"`
	Count  int    `json:"count"`
}

// waiting is how many clients wait at a step, and how many of them without progress for a week.
type waiting struct {
	Step      int
	Name      string
	All, Long int
}

// stepNames are the eight steps, as people read them.
func stepNames(n int) string {
	if n >= 1 && n <= len(steps) {
		return steps[n-1].Label
	}
	return ""
}

// waitingStatuses are those of clients whose onboarding is not complete and may still be.
const waitingStatuses = "NOT_STARTED,IN_PROGRESS"

// clientParameters are the parameters of a list of clients that are part of a view.
var clientParameters = []string{"query", "status__in", "next_step__in", "age_days__gte", "order_by"}

// partner is the partner whose clients are asked for: of those of whom the person is one the first, unless another one
// is named. Empty for none.
func (v *visit) partner() string {
	if named := v.URL.Query().Get("organization_id"); named != "" {
		return named
	}
	for _, m := range v.session.Organizations {
		if m.Root {
			return m.ID
		}
	}
	return ""
}

// clientsFile is the list of clients as a file.
func (c *Console) clientsFile(v *visit) error {
	v.org = v.partner()
	return c.pass(v, "/v1/onboardings/export?"+passedWith(v.URL.Query(), url.Values{"format": {"csv"}},
		clientParameters...))
}

// clients lists the clients of a partner with where they are.
func (c *Console) clients(v *visit) error {
	list := clientList{listed: v.listed(), Org: v.partner(), Steps: steps}
	if !list.Query.Has("status__in") && list.Query.Get("query") == "" { // a name is found whatever has become of it
		list.Query.Set("status__in", waitingStatuses)
	}
	list.Views = clientViews(list.Query)
	list.File = template.URL(passed(list.Query, append([]string{"organization_id"}, clientParameters...)...)) //nolint:gosec // it is encoded
	if list.Org == "" {
		return v.show("clients", "Clients", list)
	}
	query := passed(list.Query, append([]string{"page"}, clientParameters...)...)
	err := v.get("/v1/onboardings?"+query, list.Org, &list)
	if err != nil {
		return err
	}
	if list.Saved, err = v.saved("clients", list.Query.Get("organization_id"), list.Query,
		clientParameters...); err != nil {
		return err
	}
	var all, long clientList
	if err := v.get("/v1/onboardings?size=1", list.Org, &all); err != nil {
		return err
	}
	if err := v.get("/v1/onboardings?size=1&age_days__gte=7", list.Org, &long); err != nil {
		return err
	}
	for _, s := range steps[1:] {
		w := waiting{Step: s.Number, Name: s.Label, All: waitingAt(all.Counts, s.Number),
			Long: waitingAt(long.Counts, s.Number)}
		list.Waits = append(list.Waits, w)
	}
	return v.show("clients", "Clients", list)
}

func waitingAt(counts []count, step int) (n int) {
	for _, each := range counts {
		if each.Next == step && each.Status == "IN_PROGRESS" {
			n += each.Count
		}
	}
	return n
}

type clientPage struct {
	onboarding
	Of   string          // the partner
	Link *onboardingLink // nil for none

	ToRead *clientSums
}

// MayRemind reports whether the client can be reminded: not twice within an hour.
func (p clientPage) MayRemind() bool {
	return p.Reminded == nil || time.Since(*p.Reminded) >= time.Hour
}

// clientSums say how much there is to read of a client.
type clientSums struct {
	Nexus                        []nexusCount // by status, but where there is none
	Registrations, Open, Overdue int
}

// readSums counts what there is to read of a client; nil of one that is archived, or is while it is read.
func (v *visit) readSums(client string) (*clientSums, error) {
	sums, err := v.countRecords(client)
	if refusedWith(err, http.StatusNotFound) {
		return nil, nil
	}
	return sums, err
}

func (v *visit) countRecords(client string) (*clientSums, error) {
	sums := &clientSums{}
	var places struct{ Items []nexusRecord }
	if err := v.get("/v1/nexus?without_pagination=true", client, &places); err != nil {
		return nil, err
	}
	byStatus := map[string]int{}
	for _, place := range places.Items {
		byStatus[place.Status]++
	}
	for _, status := range nexusStatuses {
		if status != "NOT_EXPOSED" && byStatus[status] > 0 {
			sums.Nexus = append(sums.Nexus, nexusCount{status, byStatus[status]})
		}
	}
	yesterday := v.console.now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	for path, count := range map[string]*int{
		"/v1/registrations?size=1":                                                      &sums.Registrations,
		"/v1/filings?size=1&status__in=" + openStatuses:                                 &sums.Open,
		"/v1/filings?size=1&status__in=" + openStatuses + "&due_date__lte=" + yesterday: &sums.Overdue,
	} {
		var list struct{ Total int }
		if err := v.get(path, client, &list); err != nil {
			return nil, err
		}
		*count = list.Total
	}
	return sums, nil
}

// onboardingLink is what is known of the link with which a client does the steps itself.
type onboardingLink struct {
	MadeBy  string     `json:"made_by"`
	Expires time.Time  `json:"expires_at"`
	Opened  *time.Time `json:"opened_at"`
	Path    string     `json:"path"`
}

// Over reports whether a link has ended by its time.
func (l *onboardingLink) Over() bool { return time.Now().After(l.Expires) }

func (c *Console) client(v *visit) error {
	page := clientPage{Of: v.org}
	v.followEvents()
	if err := v.get("/v1/onboarding/"+v.id(), v.org, &page.onboarding); err != nil {
		return err
	}
	for i := range page.Steps {
		page.Steps[i].Name = strconv.Itoa(page.Steps[i].Number) + ". " + stepNames(page.Steps[i].Number)
	}
	var err error
	if page.ToRead, err = v.readSums(page.onboarding.Org); err != nil {
		return err
	}
	link := &onboardingLink{}
	err = v.get("/v1/onboarding/"+v.id()+"/link", v.org, link)
	switch {
	case err == nil:
		page.Link = link
	case !refusedWith(err, http.StatusNotFound) && !refusedWith(err, http.StatusForbidden): // it is the partner's
		return err
	}
	return v.show("client", page.Shown(), page)
}

// remindClient reminds a client of its onboarding.
func (c *Console) remindClient(v *visit) error {
	path := "/v1/onboarding/" + v.id() + "/remind"
	if err := v.call(http.MethodPost, path, v.org, nil, nil); err != nil {
		return err
	}
	return v.goTo(strings.TrimSuffix(v.URL.Path, "/remind"))
}

// cancelClient ends an onboarding for good, once its name was typed.
func (c *Console) cancelClient(v *visit) error {
	path := "/v1/onboarding/" + v.id()
	var o onboarding
	if err := v.get(path, v.org, &o); err != nil {
		return err
	}
	if strings.TrimSpace(v.PostFormValue("name")) != o.Shown() {
		return &problem{Status: http.StatusBadRequest, Title: "The name does not match",
			Detail: "Type the name as the page shows it: nothing was cancelled."}
	}
	reason := map[string]string{"reason": v.PostFormValue("reason")}
	return v.goBack(v.call(http.MethodPost, path+"/cancel", v.org, reason, nil))
}

// createClient makes a client of the partner, and shows it.
func (c *Console) createClient(v *visit) error {
	partner := v.PostFormValue("organization_id")
	sent := map[string]any{"name": v.PostFormValue("name"), "is_test": v.PostFormValue("is_test") == "yes"}
	var made struct{ ID string }
	if err := v.call(http.MethodPost, "/v1/organizations", partner, sent, &made); err != nil {
		return err
	}
	return v.goTo("/o/" + url.PathEscape(partner) + "/clients/" + url.PathEscape(made.ID))
}

// changeLink makes the link with which the client does the steps itself, and shows it once, or ends it.
func (c *Console) changeLink(v *visit) error {
	path := "/v1/onboarding/" + v.id() + "/link"
	if v.PostFormValue("action") == "end" {
		if err := v.call(http.MethodDelete, path, v.org, nil, nil); err != nil {
			return err
		}
		return v.goTo(strings.TrimSuffix(v.URL.Path, "/link"))
	}
	var made onboardingLink
	if err := v.call(http.MethodPost, path, v.org, nil, &made); err != nil {
		return err
	}
	return v.showOnce(shownOnce{Title: "The link for the client", Address: v.absolute(made.Path),
		Says: "Send this address to the client. It is shown only now, works until " + momentText(made.Expires) +
			", and reaches nothing but the steps of this onboarding."}, c.client)
}
