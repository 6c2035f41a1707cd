package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
)

type clientPage struct {
	onboarding
	Of   string          // the partner
	Link *onboardingLink // nil if there is none

	ToRead *clientSums
	Cancel []field // the fields of the form that cancels the onboarding
}

// MayRemind reports whether the client can be reminded: at most once in an hour.
func (p clientPage) MayRemind() bool {
	return p.Reminded == nil || time.Since(*p.Reminded) >= time.Hour
}

// clientSums are the numbers of records of a client.
type clientSums struct {
	Nexus                        []nexusCount // by status, without NOT_EXPOSED
	Registrations, Open, Overdue int
}

func (c *Console) client(v *pageRequest) error {
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
	case !refusedWith(err, http.StatusNotFound) && !refusedWith(err, http.StatusForbidden): // only people of the partner may read it
		return err
	}
	name := required(text("name", "Type the name:", 200, "off"))
	name.Strong = page.Shown()
	page.Cancel = v.inputs("", name, required(text("reason", "Reason", 200, "")))
	return v.show(page.Shown(), page)
}

// readSums counts the records of a client. It returns nil for an archived client.
func (v *pageRequest) readSums(client string) (*clientSums, error) {
	sums, err := v.countRecords(client)
	if refusedWith(err, http.StatusNotFound) {
		return nil, nil
	}
	return sums, err
}

func (v *pageRequest) countRecords(client string) (*clientSums, error) {
	sums := &clientSums{}
	places, err := v.session.In(v.Context(), client).ListNexus(v.Context(),
		contract.ListNexusRequest{Params: contract.ListNexusParams{WithoutPagination: true}})
	if err != nil {
		return nil, err
	}
	sums.Nexus = slices.DeleteFunc(countNexus(places.Items), func(n nexusCount) bool {
		return n.Count == 0 || models.NexusStatus(n.Status) == models.NexusNotExposed
	})
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

// remindClient reminds a client of its onboarding.
func (c *Console) remindClient(v *pageRequest) error {
	path := "/v1/onboarding/" + v.id() + "/remind"
	if err := v.call(http.MethodPost, path, v.org, nil, nil); err != nil {
		return err
	}
	return v.goTo(strings.TrimSuffix(v.URL.Path, "/remind"))
}

// cancelClient cancels an onboarding. The person has typed the name of the client as a confirmation.
func (c *Console) cancelClient(v *pageRequest) error {
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

// onboardingLink is the link with which a client does the steps of its onboarding.
type onboardingLink struct {
	CreatedBy string     `json:"made_by"`
	Expires   time.Time  `json:"expires_at"`
	Opened    *time.Time `json:"opened_at"`
	Path      string     `json:"path"`
}

// Expired reports whether the link has expired.
func (l *onboardingLink) Expired() bool { return time.Now().After(l.Expires) }

// changeLink creates the link for a client and shows it once, or revokes it.
func (c *Console) changeLink(v *pageRequest) error {
	path := "/v1/onboarding/" + v.id() + "/link"
	if v.PostFormValue("action") == "end" {
		if err := v.call(http.MethodDelete, path, v.org, nil, nil); err != nil {
			return err
		}
		return v.goTo(strings.TrimSuffix(v.URL.Path, "/link"))
	}
	var created onboardingLink
	if err := v.call(http.MethodPost, path, v.org, nil, &created); err != nil {
		return err
	}
	return v.showOnce(shownOnce{Title: "The link for the client", Address: v.absolute(created.Path),
		Says: "Send this address to the client. It is shown only now, works until " + momentText(created.Expires) +
			", and reaches nothing but the steps of this onboarding."}, c.client)
}
