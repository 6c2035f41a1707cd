package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

type clientPage struct {
	onboarding
	Of   string          // the partner
	Link *onboardingLink // nil for none

	ToRead *clientSums
	Cancel []field // what is asked before its onboarding is cancelled
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
	case !refusedWith(err, http.StatusNotFound) && !refusedWith(err, http.StatusForbidden): // it is the partner's
		return err
	}
	name := required(text("name", "Type the name:", 200, "off"))
	name.Strong = page.Shown()
	page.Cancel = v.inputs("", name, required(text("reason", "Reason", 200, "")))
	return v.show(page.Shown(), page)
}

// readSums counts what there is to read of a client; nil of one that is archived, or is while it is read.
func (v *pageRequest) readSums(client string) (*clientSums, error) {
	sums, err := v.countRecords(client)
	if refusedWith(err, http.StatusNotFound) {
		return nil, nil
	}
	return sums, err
}

func (v *pageRequest) countRecords(client string) (*clientSums, error) {
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

// remindClient reminds a client of its onboarding.
func (c *Console) remindClient(v *pageRequest) error {
	path := "/v1/onboarding/" + v.id() + "/remind"
	if err := v.call(http.MethodPost, path, v.org, nil, nil); err != nil {
		return err
	}
	return v.goTo(strings.TrimSuffix(v.URL.Path, "/remind"))
}

// cancelClient ends an onboarding for good, once its name was typed.
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

// onboardingLink is what is known of the link with which a client does the steps itself.
type onboardingLink struct {
	CreatedBy string     `json:"made_by"`
	Expires   time.Time  `json:"expires_at"`
	Opened    *time.Time `json:"opened_at"`
	Path      string     `json:"path"`
}

// Expired reports whether a link has ended by its time.
func (l *onboardingLink) Expired() bool { return time.Now().After(l.Expires) }

// changeLink makes the link with which the client does the steps itself, and shows it once, or ends it.
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
