package web

import (
	"cmp"
	"net/url"
	"strings"

	"levy/contract"
)

// authorityNames are the names of authorities by their adapter.
var authorityNames = map[string]string{"hmrc": "HM Revenue and Customs"}

// connectionList is the page of the authorities that take returns of an organization by a grant of access.
type connectionList struct {
	Items  []contract.AuthorityConnection
	Opened *contract.AuthorityConnection // the one whose granting has begun; nil for none
}

// AuthorityName returns the name of an authority.
func (connectionList) AuthorityName(authority contract.ConnectedAuthority) string {
	return authorityNames[string(authority)]
}

func (c *Console) connections(v *pageRequest) error { return v.showConnections(nil) }

// showConnections shows the connections of an organization, with a link to the authority where a person grants access.
func (v *pageRequest) showConnections(opened *contract.AuthorityConnection) error {
	found, err := v.session.ListAuthorityConnections(v.Context(), contract.ListAuthorityConnectionsRequest{})
	if err != nil {
		return err
	}
	return v.show("Access at authorities", connectionList{Items: found.Items, Opened: opened})
}

// changeConnections begins to grant access, or ends it.
func (c *Console) changeConnections(v *pageRequest) error {
	change := contract.AuthorityConnectionChange{Authority: contract.ConnectedAuthority(v.PostFormValue("authority"))}
	switch v.PostFormValue("action") {
	case "connect":
		change.Action = "BEGIN"
	case "disconnect":
		change.Action = "END"
	default:
		return unknownAction()
	}
	changed, err := v.session.ChangeAuthorityConnection(v.Context(), contract.ChangeAuthorityConnectionRequest{Body: change})
	if err != nil || changed.Address == nil {
		return v.goBack(err)
	}
	return v.showConnections(&changed)
}

// cameBack is the page of a person who comes back from an authority, with what came back.
type cameBack struct {
	Authority, State, Code, Error string
}

// AuthorityName returns the name of the authority.
func (b cameBack) AuthorityName() string { return cmp.Or(authorityNames[b.Authority], "The authority") }

// connectionBack asks a person who comes back from an authority to finish. A page of another site could send a person here, so
// opening the page changes nothing.
func (c *Console) connectionBack(v *pageRequest) error {
	query := v.URL.Query()
	return v.show("Finish the connection", cameBack{
		Authority: v.PathValue("authority"), State: query.Get("state"), Code: query.Get("code"), Error: query.Get("error"),
	})
}

// finishConnection sends what came back from an authority. The state begins with the organization that began.
func (c *Console) finishConnection(v *pageRequest) error {
	organization, _, _ := strings.Cut(v.PostFormValue("state"), ".")
	_, err := v.session.In(v.Context(), organization).ChangeAuthorityConnection(v.Context(),
		contract.ChangeAuthorityConnectionRequest{Body: contract.AuthorityConnectionChange{
			Authority: contract.ConnectedAuthority(v.PathValue("authority")), Action: "FINISH", State: v.PostFormValue("state"),
			Code: v.PostFormValue("code"), Error: v.PostFormValue("error"),
		}})
	if err != nil {
		return err
	}
	return v.goTo("/o/" + url.PathEscape(organization) + "/connections")
}
