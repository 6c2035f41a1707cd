package attack_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// invited is a browser in which somebody has set a password with the link at the end of a text.
func (b *attackRun) invited(link string) *browser {
	b.Helper()
	v := b.newBrowser()
	link = strings.TrimSpace(link)
	link = "/sign-in/" + link[strings.LastIndexByte(link, '/')+1:]
	answer := v.send("POST", link, form, url.Values{"password": {password}, "again": {password}}.Encode(), "same-origin")
	require.Equal(b, http.StatusSeeOther, answer.status, "%s", answer.body)
	return v
}

// member is somebody with a role in the organization of the attacker, invited by the operator.
func (b *attackRun) member(name, role string) *browser {
	b.Helper()
	return b.invited(string(b.bed.Run("user", "invite", name+"@second.example.com", "--name", name, "--organization",
		b.attacker.organization, "--role", role)))
}

// api calls an operation by the session of a browser.
func (v *browser) api(method, target, body string) shown {
	v.b.Helper()
	return v.send(method, target, ofAPI, body, "same-origin")
}

// onePersonForTwo: where returns need a second person, nobody decides about what that person made, whichever way.
func onePersonForTwo(b *attackRun) {
	now := time.Now().UTC()
	first := time.Date(now.Year(), now.Month()-2, 1, 0, 0, 0, 0, time.UTC)
	registration := b.attack(http.MethodPost, "/v1/registrations", `{"country_code":"US","state_code":"NY",`+
		`"filing_frequency":"MONTHLY","imported":true,"registration_date":"`+first.Format(time.DateOnly)+`"}`).Field("id")
	var filing string
	b.bed.Eventually("a return is planned", func(context.Context) (bool, error) {
		rows := b.bed.Rows("SELECT id FROM filings WHERE organization_id = $1 ORDER BY start_date LIMIT 1",
			b.attacker.organization)
		if len(rows) > 0 {
			filing, _ = rows[0]["id"].(string)
		}
		return len(rows) > 0, nil
	})
	of, settings := "/v1/filings/"+filing, "/v1/organizations/"+b.attacker.organization+"/settings"
	const cancel = `{"status":"CANCELLED","cancelled_reason":"Nothing was sold."}`
	ada, bob := b.member("Ada", "admin"), b.member("Bob", "approver")
	cara, dan := b.member("Cara", "approver"), b.member("Dan", "admin")
	does := func(v *browser, method, target, body string) shown {
		b.Helper()
		answer := v.api(method, target, body)
		require.Equal(b, http.StatusOK, answer.status, "%s", answer.body)
		return answer
	}
	refused := func(v *browser, why string) {
		b.Helper()
		for target, body := range map[string]string{of + "/approve": `{}`, of: cancel} {
			answer := v.api(http.MethodPut, target, body)
			require.Equal(b, http.StatusConflict, answer.status, "%s: %s", why, answer.body)
			require.Contains(b, answer.body, "filing_approval_blocked", why)
			require.Contains(b, answer.body, "another person", why)
		}
	}
	does(ada, http.MethodPost, settings, `{"require_second_person":true}`)

	does(ada, http.MethodPut, of, `{"amount_adjusted":"-5.00"}`)
	does(bob, http.MethodPut, of, `{}`)
	does(bob, http.MethodPut, of, `{"internal_notes":"seen"}`)
	refused(ada, "an empty change and a note of Bob do not make the amount his")

	var invited struct {
		Path string `json:"sign_in_path"`
	}
	answer := does(ada, http.MethodPost, "/v1/users", `{"email":"eve@second.example.com","name":"Eve","role":"approver"}`)
	require.NoError(b, json.Unmarshal([]byte(answer.body), &invited))
	refused(b.invited(invited.Path), "Eve is a twin of Ada")

	for target, body := range map[string]string{of + "/approve": `{"approved_by":"Bob"}`, of: cancel} {
		byKey := b.attack(http.MethodPut, target, body)
		require.Equal(b, http.StatusConflict, byKey.Status, "%s", byKey.Body)
		require.Contains(b, string(byKey.Body), "a key does not prove who uses it")
	}

	asked := does(ada, http.MethodPost, settings, `{"require_second_person":false}`)
	require.Contains(b, asked.body, `"require_second_person":true`)
	require.Contains(b, asked.body, `"second_person_end_requested_by":"Ada"`)
	refused(ada, "one admin does not end the setting")
	require.Equal(b, http.StatusForbidden, b.attack(http.MethodPost, settings, `{"require_second_person":false}`).Status)

	sale := strings.ReplaceAll(saleBody("LATE", 1), "2026-05-15", first.AddDate(0, 0, 3).Format(time.DateOnly))
	require.Less(b, bob.api(http.MethodPost, sales, sale).status, 300)
	b.bed.Eventually("the sale is processed", func(ctx context.Context) (bool, error) {
		read, err := b.attacker.send(ctx, http.MethodGet, sales+"/external/LATE", "")
		return read.Field("processing_status") == "PROCESSED", err
	})
	refused(bob, "whose sale is of its period")
	does(cara, http.MethodPut, "/v1/registrations/"+registration, `{"registration_email":"cara@example.com"}`)
	refused(cara, "who changed its registration")
	pat := b.member("Pat", "preparer")
	require.Equal(b, http.StatusForbidden, pat.api(http.MethodPut, of, `{"status":"PAUSED"}`).status,
		"a pause without an end is no preparer's")
	paused := ada.api(http.MethodPut, of, `{"status":"PAUSED"}`)
	require.Equal(b, http.StatusConflict, paused.status, "nor of who made the return")

	ended := does(dan, http.MethodPost, settings, `{"require_second_person":false}`)
	require.Contains(b, ended.body, `"require_second_person":false`)
	history := does(ada, http.MethodGet, of+"/history", "")
	require.Contains(b, history.body, `"SECOND_PERSON_ENDED"`)
	require.Contains(b, history.body, "Asked for by Ada.")
	does(dan, http.MethodPost, settings, `{"require_second_person":true}`)
	does(dan, http.MethodPut, of, cancel)
	b.only("200", "202", "303", "403", "409")
}
