package service

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract/problem"
	"levy/internal/fair"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/limit"
)

// Twelve clients of a partner share its one quota of calculations, and leave another partner its own.
func TestClientsOfAPartnerShareItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Service{work: fair.New(fair.Sizes{
			Total: 4, Partner: fair.Share{Busy: 2}, Organization: fair.Share{Busy: 2}, Waits: time.Hour,
		}, time.Now)}
		var mu sync.Mutex
		working, goOn := map[string]int{}, make(chan struct{})
		work := func(c *call.Call) {
			release, err := s.acquireSlot(context.WithoutCancel(t.Context()), c, &Operation{once: onceIgnored}, 0)
			if err != nil {
				return
			}
			defer release()
			mu.Lock()
			working[c.Partner()]++
			mu.Unlock()
			<-goOn
		}
		ask := func(organization, partner string) {
			principal := models.Principal{OrganizationID: organization, ParentOrganizationID: &partner}
			go work(&call.Call{Principal: principal, Scope: models.Scope{OrganizationID: organization}})
			synctest.Wait()
		}
		for i := range 12 {
			ask(string(rune('a'+i)), "many")
		}
		ask("z", "few")
		mu.Lock()
		require.Equal(t, map[string]int{"many": 2, "few": 1}, working)
		mu.Unlock()
		close(goOn)
	})
}

// A client beyond its limits is refused slowly on each of its connections. The answer to a client
// that disconnects meanwhile does not wait.
func TestCallsBeyondTheLimitAreRefusedSlowly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Service{calls: limit.NewCalls(limit.Config{Rate: models.RateLimit{PerMinute: 60, Burst: 3}}, time.Now)}
		ask := func(ctx context.Context) error {
			session := &Session{service: s, call: call.Call{Principal: models.Principal{OrganizationID: "org"}}}
			return s.countCall(ctx, session, &Operation{})
		}
		began := time.Now()
		for range 3 {
			require.NoError(t, ask(t.Context()))
		}
		require.Zero(t, time.Since(began), "within the limits no call waits")
		for n := 1; n <= 10; n++ {
			var refusal *problem.Problem
			require.ErrorAs(t, ask(t.Context()), &refusal)
			require.Equal(t, problem.CodeRateLimited, refusal.Code)
			require.Equal(t, time.Duration(n)*refusedPause, time.Since(began))
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		refused := time.Now()
		require.Error(t, ask(left))
		require.Zero(t, time.Since(refused))
	})
}
