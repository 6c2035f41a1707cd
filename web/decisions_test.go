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

// undecided are actions that leave undone nothing that another person did: they add, save, send or read.
var undecided = strings.Fields(`password confirm begin add_passkey make create correct_comment withdraw_comment comment add change
	reprocess_many assign_many rename remove share verify done_with mail invite file second save preview set return data record
	settings redeliver replay`)

// actionOf finds the action of a form, and tagOf what opens or closes a part of a template.
var (
	tagOf    = regexp.MustCompile(`<(/?)([a-z]+)([^>]*)>`)
	actionOf = regexp.MustCompile(`name="action" value="([a-z_]+)"`)
	codeOf   = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
)

// Every action of a template that is a decision stands in a part that is locked while the page is out of date. An action that
// is no decision is listed above.
func TestEveryDecisionOfTheTemplatesIsLocked(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(templates, "templates/*.html")
	require.NoError(t, err)
	locked := map[string]bool{}
	for _, file := range files {
		text, err := fs.ReadFile(templates, file)
		require.NoError(t, err)
		of, _, _ := strings.Cut(string(text), `{{define "act"}}`) // its forms stand in a line of the queue
		type part struct {
			name    string
			decides bool
		}
		stack := []part{{}}
		for _, tag := range tagOf.FindAllStringSubmatch(codeOf.ReplaceAllString(of, ""), -1) {
			name, in := tag[2], stack[len(stack)-1].decides || strings.Contains(tag[3], "data-decides")
			action := actionOf.FindStringSubmatch(tag[3])
			if strings.Contains(tag[3], `class="risky"`) {
				action = []string{"", "risky"}
			}
			if action != nil {
				require.True(t, in || slices.Contains(undecided, action[1]), "%s: %s", file, action[1])
				locked[action[1]] = locked[action[1]] || in
			}
			switch {
			case tag[1] == "":
				if !slices.Contains(xml.HTMLAutoClose, name) && !strings.HasSuffix(tag[3], "/") {
					stack = append(stack, part{name, in})
				}
			default:
				for i := len(stack) - 1; i > 0; i-- {
					if stack[i].name == name {
						stack = stack[:i]
						break
					}
				}
			}
		}
	}
	for _, decision := range strings.Fields("approve amend register cancel archive end risky disable undisregard record pause") {
		require.True(t, locked[decision], decision)
	}
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
