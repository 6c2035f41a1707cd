package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// revokedWithin is what Levy guarantees: a revoked key is refused everywhere after this time.
const revokedWithin = 5 * time.Second

// keyManager creates a key, uses it, and often revokes it.
type keyManager struct {
	*load
	random *rand.Rand
	name   int
	last   bool // no further key

	made    int
	current *key
	shown   []*key
}

type key struct {
	name, id, secret string
	used             bool
	stays            bool
	revoked          time.Time // when the revocation was accepted
	tried            bool      // a revocation was sent
}

func (k *keyManager) step() (done bool) {
	self := "/v1/organizations/api_keys"
	c := k.current
	switch {
	case c == nil && (k.last || k.made >= mostKeys):
		return true
	case c == nil:
		name := fmt.Sprintf("KEY-%d-%d", k.name, k.made)
		k.made++
		answer, o := k.do(k.random, request{kind: kindKey, id: name, method: http.MethodPost, path: self,
			body: map[string]any{"name": name}, expected: []string{"api_key_limit_reached"}})
		if o == accepted {
			k.current = &key{name: name, id: answer.Field("id"), secret: answer.Field("api_key"), stays: k.made%8 == 0}
			k.shown = append(k.shown, k.current)
		}
	case !c.used:
		_, o := k.send(k.random, request{id: c.name, method: http.MethodGet, path: "/v1/onboarding", as: k.with(c)})
		c.used = o == accepted
	case c.stays:
		k.current = nil
	case c.revoked.IsZero():
		_, o := k.do(k.random, request{kind: kindRevocation, id: c.name, method: http.MethodDelete, path: self + "/" + c.id})
		c.tried = true
		if o == accepted {
			c.revoked = time.Now()
		}
	case time.Since(c.revoked) > revokedWithin:
		answer, o := k.send(k.random,
			request{id: c.name, method: http.MethodGet, path: "/v1/onboarding", as: k.with(c),
				expected: []string{"unauthenticated"}})
		if o == accepted {
			k.addFinding("%s still works %s after it was revoked", c.name, time.Since(c.revoked))
		}
		if answer.Status == http.StatusUnauthorized {
			k.current = nil
		}
	}
	return false
}

// mostKeys stays below the limit of an organization, because keys whose answer was lost stay.
const mostKeys = 24

func (k *keyManager) with(c *key) *testbed.Caller {
	return &testbed.Caller{APIKey: c.secret, OrganizationID: k.bed.OrganizationID}
}

// requireKeys checks in both processes each key that a client has received: those that were not revoked work, those that
// were do not, and neither do those of cancelled clients.
func (l *load) requireKeys() {
	t := l.bed.TB()
	t.Helper()
	works, refused := 0, 0
	check := func(name string, as testbed.Caller, alive bool) {
		for _, api := range l.apis {
			answer, err := l.bed.SendAs(context.Background(), as, api, http.MethodGet, "/v1/onboarding", nil, "")
			require.NoError(t, err)
			if alive {
				require.Equal(t, http.StatusOK, answer.Status, "%s works: %s", name, answer.Body)
				works++
				continue
			}
			require.Equal(t, http.StatusUnauthorized, answer.Status, "%s is revoked: %s", name, answer.Body)
			refused++
		}
	}
	for _, k := range l.keyManagers {
		for _, c := range k.shown[max(0, len(k.shown)-10):] { // failed attempts are limited
			check(c.name, *k.with(c), !c.tried)
		}
	}
	gone := 0
	for _, m := range l.clients {
		for _, secret := range m.keys {
			if gone += 1; !m.gone || gone <= 10 {
				check(m.name, testbed.Caller{APIKey: secret, OrganizationID: m.id}, !m.gone)
			}
		}
	}
	t.Logf("keys: %d work, %d are refused, as they should", works, refused)
}
