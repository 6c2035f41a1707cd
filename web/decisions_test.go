package web

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each line of a queue has a key of its own, also where one record has several exceptions.
func TestTwoExceptionsOfARecordHaveTheirOwnKeys(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`, "GET /v1/exceptions/groups": `{}`,
		"GET /v1/exceptions": `{"items":[{"type":"TRANSACTION_ISSUE","reason_code":"ADDRESS","organization_id":"org_1","object_id":"txn_1"},
			{"type":"TRANSACTION_ISSUE","reason_code":"CALCULATION","organization_id":"org_1","object_id":"txn_1"},
			{"type":"REFUND_TO_CLAIM","organization_id":"org_1","object_id":"txn_1"}]}`,
	}, "/exceptions", nil).Body.String()
	keys := regexp.MustCompile(`<tr [^>]*data-decides="[^"]*txn_1"`).FindAllString(shown, -1)
	require.Len(t, keys, 3)
	slices.Sort(keys)
	require.Len(t, slices.Compact(keys), 3)
}

// undecided are forms by file and action, or by file and button where a form has no action. They leave undone nothing that
// another person did: they add, save with the revision that was read, send or read. Those with a reason behind them decide.
var undecided = []string{
	"account: password", "account: confirm", "account: begin", "account: add_passkey", "calendar_feeds: make", "clients: create",
	"comments: correct_comment withdraw_comment", "comments: comment", "connection_back: Finish Continue", "customer: add",
	"customer: change", "customers: Add the customer", "estimate: Estimate", "exceptions: reprocess_many assign_many",
	"exemption: Upload", "exemption: change", "exemptions: Add the certificate", "fields: Save", "fields: rename remove share",
	"filing: verify", "filing: change", "filing_entries: add", "home: done_with",
	"import_correct: Import the corrected rows", "imports: Import", "keys: make", "layout: Sign out", "layout: ",
	"nexus_simulate: Calculate", "notice: Upload", "notice: change", "notices: Record the letter",
	"onboarding_link: Send the last step Save and continue", "onboarding_partner: invite", "onboarding_partner: Remind now",
	"onboarding_session_step: Save Send the last step Save and continue", "people: invite", "people: second", "preferences: save",
	"product: preview save", "products: Add the product", "registration: return", "registration: change", "registration: data",
	"registrations: Register", "set_password: Set password and sign in", "settings: record", "settings: settings",
	"sign_in: Sign in", "sign_in: Sign in with a passkey", "step_up: Go on with a passkey", "step_up: Go on",
	"transaction: Save and process again", "unsubscribe: Switch off", "webhook: redeliver", "webhook: replay", "webhooks: Add",
	"rates: set", // its second page is no page to read again: the server shows it anew when the rate before has changed
}

// formTextOf finds the text of a form, tagOf what opens or closes a part of it, and the others what a form does.
var (
	tagOf      = regexp.MustCompile(`<(/?)([a-z]+)([^>]*)>`)
	actionOf   = regexp.MustCompile(`name="action" value="([a-z_]+)"`)
	codeOf     = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	formTextOf = regexp.MustCompile(`(?s)^.*?</form>`)
	buttonOf   = regexp.MustCompile(`(?s)<button[^>]*>([^<]*)`)
)

// nameOf names a form by its actions, or by its last button in each of its states.
func nameOf(form string) string {
	var names []string
	for _, action := range actionOf.FindAllStringSubmatch(form, -1) {
		names = append(names, action[1])
	}
	if buttons := buttonOf.FindAllStringSubmatch(form, -1); names == nil && buttons != nil {
		names = strings.Fields(buttons[len(buttons)-1][1])
	}
	return strings.Join(names, " ")
}

// Every form of a template that decides stands in a part that is locked while the page is out of date. A form that decides
// nothing is listed above.
func TestEveryDecisionOfTheTemplatesIsLocked(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(templates, "templates/*.html")
	require.NoError(t, err)
	var unlocked []string
	for _, file := range files {
		text, err := fs.ReadFile(templates, file)
		require.NoError(t, err)
		of, _, _ := strings.Cut(string(text), `{{define "act"}}`) // its forms stand in a line of the queue
		of = codeOf.ReplaceAllString(of, "\v")
		type part struct {
			name    string
			decides bool
		}
		stack := []part{{}}
		for _, at := range tagOf.FindAllStringSubmatchIndex(of, -1) {
			name, attributes := of[at[4]:at[5]], of[at[6]:at[7]]
			in := stack[len(stack)-1].decides || strings.Contains(attributes, "data-decides")
			if strings.Contains(attributes, `class="risky"`) {
				require.True(t, in, "%s: a risky button", file)
			}
			if name == "form" && strings.Contains(attributes, `method="post"`) && !in {
				form := nameOf(formTextOf.FindString(of[at[0]:]))
				unlocked = append(unlocked, strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")+": "+form)
			}
			switch opens := at[2] == at[3]; opens {
			case true:
				if !slices.Contains(xml.HTMLAutoClose, name) && !strings.HasSuffix(attributes, "/") {
					stack = append(stack, part{name, in})
				}
			case false:
				for i := len(stack) - 1; i > 0; i-- {
					if stack[i].name == name {
						stack = stack[:i]
						break
					}
				}
			}
		}
	}
	slices.Sort(unlocked)
	require.Equal(t, slices.Sorted(slices.Values(undecided)), slices.Compact(unlocked))
}

// lockedDecisions checks that each decision of a page is in a part that is locked while the page is out of date, and counts
// the decisions. These are forms with a dangerous button, and those of a panel of actions.
func lockedDecisions(t *testing.T, path, page string) (decisions int) {
	t.Helper()
	type element struct{ decides, acts bool }
	stack := []element{{}}
	tokens := xml.NewDecoder(strings.NewReader(page))
	tokens.Strict, tokens.AutoClose, tokens.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			return decisions
		}
		require.NoError(t, err, path)
		switch token := token.(type) {
		case xml.StartElement:
			in := stack[len(stack)-1]
			risky, post := false, false
			for _, attribute := range token.Attr {
				switch attribute.Name.Local {
				case "data-decides":
					in.decides = true
				case "class":
					classes := " " + attribute.Value + " "
					in.acts = in.acts || strings.Contains(classes, " panel ") && strings.Contains(classes, " acts ")
					risky = strings.Contains(classes, " risky ")
				case "method":
					post = attribute.Value == "post"
				}
			}
			if risky || token.Name.Local == "form" && post && in.acts {
				decisions++
				require.True(t, in.decides, "%s: a decision without data-decides: %v", path, token)
			}
			stack = append(stack, in)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}
