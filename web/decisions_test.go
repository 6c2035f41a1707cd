package web

import (
	"encoding/xml"
	"errors"
	"io"
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
