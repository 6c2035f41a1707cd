package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/temporalproto"

	"levy/models"
	"levy/store/storetest"
	"levy/workflows"
)

// temporalPosition is the relation of people to an organization, as in the table of operations.
type temporalPosition struct {
	name, organization string
	reads              int // status of a read of the organization; 0 without one
	people             []*temporalPerson
}

type temporalPerson struct {
	*visitor
	role, id string
}

// proofArguments are the arguments of the Updates that people send from the Temporal UI.
var proofArguments = []struct{ update, argument string }{
	{workflows.ApproveUpdate, `{"expected_amount":"1.00"}`}, {workflows.PauseUpdate, `{"until":"2026-12-31"}`},
	{workflows.ResumeUpdate, `{}`}, {workflows.RetryUpdate, `{"filing_id":"file_1"}`},
	{workflows.SkipUpdate, `{"reason":"NO_LIABILITY"}`}, {workflows.CancelUpdate, `{"reason":"END"}`},
	{workflows.ConfirmCancellationUpdate, `{"organization_id":"org_1","reason":"END"}`},
}

// atTemporal returns people of every role in every position: of a client, of its partner with each grant, and of staff.
func (p *apiProcess) atTemporal(t *testing.T, db *pgx.Conn) []temporalPosition {
	t.Helper()
	partner := p.callers[slices.IndexFunc(p.callers, func(c caller) bool { return c.name == "the partner" })].organization
	people := func(organization string, roles ...string) (all []*temporalPerson) {
		for i, role := range roles {
			who := userInviteCmd{Email: fmt.Sprintf("%s-%d@%s.example", role, i, strings.ReplaceAll(organization, "_", "-"))}
			if organization == "" {
				who.Email, who.Staff = role+"@staff.example", role
			} else {
				who.Organization, who.Role = organization, role
			}
			one := &temporalPerson{visitor: p.invite(t, who), role: role}
			require.NoError(t, db.QueryRow(t.Context(), "SELECT id FROM users WHERE email = $1", who.Email).Scan(&one.id))
			all = append(all, one)
		}
		return all
	}
	roles := []string{"viewer", "preparer", "approver", "admin"}
	ofPartner := people(partner, roles...)
	client := func(status, change string) string {
		made := storetest.NewClient(models.NewID(models.PrefixOrganization))
		require.NoError(t, storetest.CreateClient(t.Context(), p.parts.store, models.Scope{OrganizationID: partner}, made))
		_, err := db.Exec(t.Context(), "UPDATE organizations SET onboarding_status = $2 WHERE id = $1", made.ID, status)
		require.NoError(t, err)
		_, err = db.Exec(t.Context(), "UPDATE client_grants SET "+change+" WHERE organization_id = $1", made.ID)
		require.NoError(t, err)
		return made.ID
	}
	own, staff := client("COMPLETED", "ended_at = now()"), people("", "auditor", "operator")
	return []temporalPosition{
		{"its own", own, http.StatusOK, people(own, roles...)},
		{"a partner, itself", partner, http.StatusOK, ofPartner},
		{"a partner, onboarding", client("IN_PROGRESS", "role = role"), http.StatusOK, ofPartner},
		{"a partner, approver", client("COMPLETED", "role = 'approver'"), http.StatusOK, ofPartner},
		{"a partner, preparer", client("COMPLETED", "role = 'preparer'"), http.StatusOK, ofPartner},
		{"a partner, as before", client("COMPLETED", "role = 'as_before'"), http.StatusForbidden, ofPartner},
		{"a partner, ended", client("COMPLETED", "ended_at = now()"), http.StatusForbidden, ofPartner},
		{"staff, any", own, http.StatusOK, staff},
		{"staff, none", "", 0, staff},
	}
}

// codec sends a payload to the codec as the Temporal UI does in the browser of a person.
func (v *temporalPerson) codec(path, organization string, data []byte) (status int, payloads *commonpb.Payloads) {
	v.t.Helper()
	sealed := v.p.sealed
	defer func() { v.p.sealed = sealed }()
	if data != nil {
		text := base64.StdEncoding.EncodeToString
		v.p.sealed = `{"payloads":[{"metadata":{"encoding":"` + text([]byte("json/plain")) + `"},"data":"` + text(data) + `"}]}`
	}
	answer := v.p.ask(caller{from: elsewhere}, http.MethodPost, path, "Origin", itsUI,
		"Cookie", v.cookie.Name+"="+v.cookie.Value, "X-Organization-Id", organization)
	payloads = &commonpb.Payloads{}
	if answer.Code == http.StatusOK {
		require.NoError(v.t, temporalproto.CustomJSONUnmarshalOptions{}.Unmarshal(answer.Body.Bytes(), payloads))
	}
	return answer.Code, payloads
}

// updates reports whether a person can send an argument of an Update from the Temporal UI. Then the codec attaches a proof,
// which the database accepts for the person. A proof that was attached for a person without the right is refused.
func (v *temporalPerson) updates(organization, argument string) bool {
	v.t.Helper()
	ctx := models.AcrossOrganizations(v.t.Context())
	store := v.p.parts.store.Organizations
	status, payloads := v.codec("/codec/encode", organization, []byte(argument))
	if status != http.StatusOK {
		_, forged := models.AttachProof(argument, time.Now())
		require.NoError(v.t, store.AttachProof(ctx, forged, models.Actor{UserID: v.id}, ""))
		_, err := store.UseProof(ctx, forged, "run/1")
		require.ErrorIs(v.t, err, models.ErrNoOperator, "%s: %s", v.role, argument)
		return false
	}
	opened, err := v.p.parts.codec.Decode(payloads.GetPayloads())
	require.NoError(v.t, err)
	var sent struct{ Proof string }
	require.NoError(v.t, json.Unmarshal(opened[0].GetData(), &sent))
	proof, err := models.ReadProof(sent.Proof)
	require.NoError(v.t, err, argument)
	who, err := store.UseProof(ctx, proof, "run/1")
	require.NoError(v.t, err, argument)
	require.Equal(v.t, v.id, who.UserID, "the Update is in the name of the person")
	return true
}

// The codec and the Updates of the Temporal UI are for staff. No role of an organization and no grant of a partner reaches
// them. The docs say the least role for each, in the positions of the table of operations.
func TestTheRolesOfTheDocsAreThoseOfTheTemporalUI(t *testing.T) { //nolint:paralleltest // openParts sets the logger
	p := newAPIProcess(t)
	db, err := pgx.Connect(t.Context(), p.parts.cfg.DatabaseURL.Reveal())
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	at := p.atTemporal(t, db)
	type door struct {
		name string
		may  func(v *temporalPerson, organization string) bool
	}
	doors := []door{
		{"`/codec/decode`", func(v *temporalPerson, organization string) bool {
			status, _ := v.codec("/codec/decode", organization, nil)
			return status == http.StatusOK
		}},
		{"`/codec/encode`", func(v *temporalPerson, organization string) bool {
			status, _ := v.codec("/codec/encode", organization, []byte(`"text"`))
			return status == http.StatusOK
		}},
	}
	for _, sent := range proofArguments {
		doors = append(doors, door{"Update `" + sent.update + "`", func(v *temporalPerson, organization string) bool {
			return v.updates(organization, sent.argument)
		}})
	}
	names := make([]string, len(at))
	for i, position := range at {
		names[i] = position.name
		for _, person := range position.people {
			if position.reads != 0 {
				require.Equal(t, position.reads, person.send("GET", "/v1/products", position.organization, "").Code,
					"%s, %s: the position is as it is called", position.name, person.role)
			}
		}
	}
	table := fmt.Sprintf("| at Temporal | %s |\n|%s\n", strings.Join(names, " | "), strings.Repeat("---|", len(at)+1))
	for _, d := range doors {
		table += "| " + d.name
		for _, position := range at {
			least := "–"
			for _, person := range position.people {
				switch may := d.may(person, position.organization); {
				case may && least == "–":
					least = person.role
				case !may:
					require.Equal(t, "–", least, "%s: %s may, and %s may not, %s", d.name, least, person.role, position.name)
				}
			}
			table += " | " + least
		}
		table += " |\n"
	}
	page, err := os.ReadFile("../../docs/roles.md")
	require.NoError(t, err)
	require.Contains(t, string(page), table, "put this table into docs/roles.md")
}
