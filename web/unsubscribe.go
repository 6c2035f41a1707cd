package web

import (
	"errors"
	"net/http"

	"levy/models"
)

// unsubscribePage is the data of the page that turns off a kind of e-mail. Its token is no sign-in.
type unsubscribePage struct {
	Token   string
	Stopped string // the kind that is turned off now; empty before
	Fault   string
}

// unsubscribePage asks before it turns anything off: programs open the addresses in mails to look at them.
func (c *Console) unsubscribePage(v *pageRequest) error {
	return v.show("E-mails", unsubscribePage{Token: v.PathValue("token")})
}

// unsubscribe turns off a kind of e-mail. The form of the page sends it, and a mail program by one POST (RFC 8058), which
// has no cookie and names no origin.
func (c *Console) unsubscribe(v *pageRequest) error {
	if namesAnotherSite(v.Request) {
		v.render(http.StatusForbidden, "E-mails",
			unsubscribePage{Fault: "Only a page of this service, or a mail program, may switch off e-mails."})
		return nil
	}
	kind, err := c.gate.StopMails(v.Context(), v.PathValue("token"))
	if errors.Is(err, models.ErrUnauthenticated) {
		v.render(http.StatusNotFound, "E-mails", unsubscribePage{Fault: "It is not known, or has ended."})
		return nil
	}
	if err != nil {
		return err
	}
	return v.show("E-mails", unsubscribePage{Stopped: field{Options: mailLabels, Value: string(kind)}.Shown()})
}
