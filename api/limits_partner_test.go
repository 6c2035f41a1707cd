package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/api/limit"
	"levy/internal/fair"
	"levy/models"
)

// Twelve clients of a partner share its one quota of calculations, and leave another partner its own.
func TestClientsOfAPartnerShareItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Server{work: fair.New(fair.Sizes{Total: 4, One: 2, Waits: time.Hour}, time.Now)}
		var mu sync.Mutex
		working, goOn := map[string]int{}, make(chan struct{})
		_, engine := gin.CreateTestContext(httptest.NewRecorder())
		engine.GET("/", s.limitConcurrency(&operation{once: onceIgnored}), func(c *gin.Context) {
			mu.Lock()
			working[callOf(c.Request.Context()).partner()]++
			mu.Unlock()
			<-goOn
		})
		ask := func(organization, partner string) {
			principal := models.Principal{OrganizationID: organization, ParentOrganizationID: &partner}
			ctx := withCall(context.WithoutCancel(t.Context()), &call{principal: principal})
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
			require.NoError(t, err)
			go engine.ServeHTTP(httptest.NewRecorder(), request)
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

// A client that keeps sending beyond its limits is refused slowly on each of its connections; the answer to one that
// disconnects meanwhile does not wait.
func TestCallsBeyondTheLimitAreRefusedSlowly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Server{calls: limit.NewCalls(limit.Config{Rate: models.RateLimit{PerMinute: 60, Burst: 3}}, time.Now)}
		_, engine := gin.CreateTestContext(httptest.NewRecorder())
		engine.GET("/", s.limitCalls(false), func(c *gin.Context) { c.Status(http.StatusOK) })
		ask := func(ctx context.Context) (status int) {
			ctx = withCall(ctx, &call{principal: models.Principal{OrganizationID: "org"}})
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
			require.NoError(t, err)
			answer := httptest.NewRecorder()
			engine.ServeHTTP(answer, request)
			return answer.Code
		}
		began := time.Now()
		for range 3 {
			require.Equal(t, http.StatusOK, ask(t.Context()))
		}
		require.Zero(t, time.Since(began), "within the limits no call waits")
		for n := 1; n <= 10; n++ {
			require.Equal(t, http.StatusTooManyRequests, ask(t.Context()))
			require.Equal(t, time.Duration(n)*refusedPause, time.Since(began))
		}
		left, leave := context.WithCancel(t.Context())
		leave()
		refused := time.Now()
		ask(left)
		require.Zero(t, time.Since(refused))
	})
}
