package web

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
)

type clientPage struct {
	onboarding
	Of   string                   // the partner
	Link *contract.OnboardingLink // nil if there is none
	// Unseen means that the key of step 2 was created with a link, and no one has it.
	Unseen bool

	ToRead *clientSums
	Cancel []field // the fields of the form that cancels the onboarding
	Invite []field // the fields of the form that invites the first admin of the client
	Mail   []field // the fields of the form that sends the link; nil where this installation sends no e-mail
}

// MayRemind reports whether the client can be reminded: at most once in an hour.
func (p clientPage) MayRemind() bool {
	return p.RemindedAt == nil || time.Since(*p.RemindedAt) >= time.Hour
}

// LinkExpired reports whether the link has expired.
func (p clientPage) LinkExpired() bool { return time.Now().After(p.Link.ExpiresAt) }

// clientSums are the numbers of records of a client.
type clientSums struct {
	Nexus                        []nexusCount // by status, without NOT_EXPOSED
	Registrations, Open, Overdue int64
}

func (c *Console) client(v *pageRequest) error {
	v.followEvents()
	id := v.PathValue("id")
	o, err := v.session.GetOnboarding(v.Context(), contract.GetOnboardingRequest{OrganizationID: id})
	if err != nil {
		return err
	}
	page := clientPage{onboarding: onboardingOf(o), Of: v.org}
	if page.ToRead, err = v.readSums(page.OrganizationID); err != nil {
		return err
	}
	link, err := v.session.GetOnboardingLink(v.Context(), contract.GetOnboardingLinkRequest{OrganizationID: id})
	switch {
	case err == nil:
		page.Link = &link
	case !refusedWith(err, http.StatusNotFound) && !refusedWith(err, http.StatusForbidden): // only people of the partner may read it
		return err
	}
	name := required(text("name", "Type the name:", 200, "off"))
	name.Strong = page.Shown()
	page.Cancel = v.inputs("", name, required(text("reason", "Reason", 200, "")))
	page.Unseen = v.user.managesKeys(id) && v.hasUnseenKey(id)
	page.Invite = v.inputs("invite", adminForm()...)
	if c.Mails {
		page.Mail = v.inputs("mail", linkForm()...)
	}
	return v.show(isolated(page.Shown()), page)
}

// hasUnseenKey reports whether the newest keys of a client include one that no one has seen. Without an answer there is
// none: the page of the keys lists all.
func (v *pageRequest) hasUnseenKey(client string) bool {
	list, err := v.session.In(v.Context(), client).ListAPIKeys(v.Context(), contract.ListAPIKeysRequest{})
	return err == nil && slices.ContainsFunc(list.Items, func(k contract.APIKey) bool {
		return valueOf(k.Name) == unseenKey && !k.Confirmed && models.APIKeyStatus(k.Status) == models.APIKeyActive
	})
}

// adminForm returns the fields of the form that invites the first admin of a client.
func adminForm() []field {
	return []field{
		{Name: "email", Label: "E-mail address", Kind: "email", Required: true, Max: 320, Auto: "off", AsTyped: true, id: "admin-email"},
		as("admin-name", required(text("name", "Name", 200, "off"))),
	}
}

// linkForm returns the fields of the form that sends the link of an onboarding.
func linkForm() []field {
	return []field{
		{Name: "email", Label: "E-mail address", Kind: "email", Max: 320, Auto: "off", AsTyped: true, id: "link-email"},
		{Name: "to_contact", Label: "To the contact that the client has named (step 6)", Kind: "check", id: "link-contact"},
	}
}

// inviteClient invites an admin of a client. A link that is not mailed is shown once.
func (c *Console) inviteClient(v *pageRequest) error {
	body, err := contract.Encode(map[string]any{
		"email": v.PostFormValue("email"), "name": v.PostFormValue("name"), "role": models.RoleAdmin,
	})
	if err != nil {
		return err
	}
	client := v.session.In(v.Context(), v.PathValue("id")).WithBody(body)
	created, err := client.InviteUser(v.Context(), contract.InviteUserRequest{})
	if err != nil {
		return err
	}
	return v.showLink(created, "Send this address to the person, who then signs in and manages the organization. It is shown only now, "+
		"works once, and expires after 7 days.", c.client)
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
	ctx, session := v.Context(), v.session.In(v.Context(), client)
	places, err := session.ListNexus(ctx, contract.ListNexusRequest{Params: contract.ListNexusParams{WithoutPagination: true}})
	if err != nil {
		return nil, err
	}
	sums := &clientSums{Nexus: slices.DeleteFunc(countNexus(places.Items), func(n nexusCount) bool {
		return n.Count == 0 || models.NexusStatus(n.Status) == models.NexusNotExposed
	})}
	registrations, err := session.WithQuery("size=1").ListRegistrations(ctx, contract.ListRegistrationsRequest{})
	if err != nil {
		return nil, err
	}
	open := "size=1&status__in=" + openStatuses
	filings, err := session.WithQuery(open).ListFilings(ctx, contract.ListFilingsRequest{})
	if err != nil {
		return nil, err
	}
	yesterday := v.console.now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	overdue, err := session.WithQuery(open+"&due_date__lte="+yesterday).ListFilings(ctx, contract.ListFilingsRequest{})
	sums.Registrations, sums.Open, sums.Overdue = registrations.Total, filings.Total, overdue.Total
	return sums, err
}

// remindClient reminds a client of its onboarding.
func (c *Console) remindClient(v *pageRequest) error {
	reminded := contract.RemindOnboardingRequest{OrganizationID: v.PathValue("id")}
	if _, err := v.session.RemindOnboarding(v.Context(), reminded); err != nil {
		return err
	}
	return v.goTo(strings.TrimSuffix(v.URL.Path, "/remind"))
}

// cancelClient cancels an onboarding. The person has typed the name of the client as a confirmation.
func (c *Console) cancelClient(v *pageRequest) error {
	id := v.PathValue("id")
	o, err := v.session.GetOnboarding(v.Context(), contract.GetOnboardingRequest{OrganizationID: id})
	if err != nil {
		return err
	}
	if strings.TrimSpace(v.PostFormValue("name")) != onboardingOf(o).Shown() {
		return &problem{Status: http.StatusBadRequest, Title: "The name does not match",
			Detail: "Type the name as the page shows it: nothing was cancelled."}
	}
	session, err := v.sending(map[string]any{"reason": v.PostFormValue("reason")})
	if err == nil {
		_, err = session.CancelOnboarding(v.Context(), contract.CancelOnboardingRequest{OrganizationID: id})
	}
	return v.goBack(err)
}

// changeLink creates the link for a client and shows it once, or revokes it.
func (c *Console) changeLink(v *pageRequest) error {
	id := v.PathValue("id")
	if v.PostFormValue("action") == "end" {
		if err := v.session.EndOnboardingLink(v.Context(), contract.EndOnboardingLinkRequest{OrganizationID: id}); err != nil {
			return err
		}
		return v.goTo(strings.TrimSuffix(v.URL.Path, "/link"))
	}
	session := v.session
	if v.PostFormValue("action") == "mail" {
		to := map[string]any{}
		if typed := strings.TrimSpace(v.PostFormValue("email")); typed != "" {
			to["email"] = typed
		}
		if v.PostFormValue("to_contact") != "" {
			to["to_contact"] = true
		}
		if len(to) == 0 {
			return &problem{Status: http.StatusBadRequest, Title: "To whom?",
				Detail: "Type an address, or tick the box for the contact: nothing was changed."}
		}
		var err error
		if session, err = v.sending(to); err != nil {
			return err
		}
	}
	created, err := session.MakeOnboardingLink(v.Context(), contract.MakeOnboardingLinkRequest{OrganizationID: id})
	if err != nil {
		return err
	}
	once := shownOnce{Title: "The link for the client", Address: v.absolute(valueOf(created.Path)),
		Says: "Send this address to the client. It is shown only now, works until " + momentText(created.ExpiresAt) +
			", and reaches nothing but the steps of this onboarding."}
	if created.Mail != nil {
		once.Says = "The link is sent to " + created.Mail.Email + ", who needs nothing else. The address below is your own. It is " +
			"shown only now, works until " + momentText(created.ExpiresAt) + ", and reaches nothing but the steps of this onboarding."
	}
	if once.Secret = v.firstKey(id); once.Secret != "" {
		once.Says += " The key below is that of step 2, for the systems of the client. It is shown only now, and the client does not " +
			"see it. Store it, or replace it later on the page of the keys."
	}
	return v.showOnce(once, c.client)
}

// firstKey does step 2 of the onboarding of a client, if that is the next one, and returns the key. It returns "" if there
// is none: then the first form of the link does the step.
func (v *pageRequest) firstKey(client string) string {
	o, err := v.session.GetOnboarding(v.Context(), contract.GetOnboardingRequest{OrganizationID: client})
	if err != nil || valueOf(o.NextStep) != models.StepAPIKey {
		return ""
	}
	created, err := v.session.In(v.Context(), client).CreateAPIKey(v.Context(), contract.CreateAPIKeyRequest{
		Body: contract.APIKeyCreate{Name: "Made with the onboarding link"},
	})
	if err != nil {
		v.log(slog.LevelWarn, "no key with the onboarding link", err)
	}
	return created.APIKey
}
