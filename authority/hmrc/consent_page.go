package hmrc

import (
	"crypto/rand"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"levy/models"
)

// codeLasts is how long a code may be exchanged, as long as one of the authority.
const codeLasts = 10 * time.Minute

// codePattern has the organization of a code of the page, the second at which it ends, and the challenge of its verifier.
var codePattern = regexp.MustCompile(`^code\.([A-Za-z0-9_-]{1,64})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})\.[A-Z0-9]+$`)

// statePattern has the organization that a state begins with.
var statePattern = regexp.MustCompile(`^([A-Za-z0-9_-]{1,64})\.[A-Z0-9]+$`)

// page is the page on which a person grants access. It has no scripts and no styles.
var page = template.Must(template.New("consent").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandbox of the VAT API</title>
<h1>Sandbox of the VAT API</h1>
<p>This page stands for the sign-in of HM Revenue and Customs. It asks for no password, and nothing is sent to the authority.</p>
<p>The program <strong>{{.Client}}</strong> asks to read your VAT account and to submit VAT returns for 18 months.</p>
<form method="post">{{range $name, $value := .Fields}}<input type="hidden" name="{{$name}}" value="{{$value}}">{{end}}
<button name="answer" value="allow">Grant authority</button> <button name="answer" value="deny">Do not grant authority</button></form>
`))

// ConsentPage returns the page on which people answer the sandbox, for the only address to which it sends them back. The sandbox
// does not ask for a name: the organization is that with which the state begins.
func (s *Server) ConsentPage(redirect string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		asked := url.Values{}
		if r.ParseForm() == nil {
			for _, name := range []string{
				"response_type", "client_id", "scope", "state", "redirect_uri", "code_challenge", "code_challenge_method",
			} {
				asked.Set(name, r.Form.Get(name))
			}
		}
		owner := statePattern.FindStringSubmatch(asked.Get("state"))
		// guard: consents: the sandbox sends no person to an address that was not registered
		if asked.Get("redirect_uri") != redirect || asked.Get("client_id") == "" || asked.Get("response_type") != "code" || owner == nil ||
			asked.Get("code_challenge_method") != "S256" || len(asked.Get("code_challenge")) != 43 {
			http.Error(w, "The request of the program is not one that the authority answers.", http.StatusBadRequest)
			return
		}
		answer := url.Values{"state": {asked.Get("state")}}
		switch {
		case r.Method == http.MethodPost && r.PostForm.Get("answer") == "allow":
			end := strconv.FormatInt(s.now().Add(codeLasts).Unix(), 10)
			answer.Set("code", strings.Join([]string{"code", owner[1], end, asked.Get("code_challenge"), rand.Text()}, "."))
		case r.Method == http.MethodPost:
			answer.Set("error", "access_denied")
			answer.Set("error_description", "user denied the authorization")
			answer.Set("error_code", "USER_DENIED_AUTHORIZATION")
		default:
			fields := map[string]string{}
			for name := range asked {
				fields[name] = asked.Get(name)
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
			_ = page.Execute(w, map[string]any{"Client": asked.Get("client_id"), "Fields": fields})
			return
		}
		http.Redirect(w, r, redirect+"?"+answer.Encode(), http.StatusSeeOther)
	})
}

// exchanged returns the organization of a code that the page gave, for the verifier of its challenge, once; "" for one that is
// not taken. Error: the ledger failed.
func (s *Server) exchanged(r *http.Request) (organization string, err error) {
	code := r.PostForm.Get("code")
	parts := codePattern.FindStringSubmatch(code)
	if parts == nil {
		return "", nil
	}
	end, _ := strconv.ParseInt(parts[2], 10, 64)
	// guard: hmrc: the sandbox takes no code that has expired, or whose verifier another program has
	if s.now().Unix() >= end || oauth2.S256ChallengeFromVerifier(r.PostForm.Get("code_verifier")) != parts[3] {
		return "", nil
	}
	used, err := s.ledger.Receive(r.Context(), models.SandboxReceipt{
		Key: ledgerKey(parts[1], "code", code), Answer: models.AuthorityAnswer{Outcome: models.AuthorityAccepted},
	})
	if err != nil {
		return "", fmt.Errorf("the code of a consent: %w", err)
	}
	// guard: hmrc: the sandbox takes a code once
	if used.Contacts > 1 {
		return "", nil
	}
	return parts[1], nil
}
