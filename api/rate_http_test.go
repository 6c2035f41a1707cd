package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
	"levy/service/limit"
)

func TestRateLimitsOverHTTP(t *testing.T) {
	t.Parallel()
	now := time.Now()
	in := install(t, func(_ *service.Deps, o *api.Options) {
		o.Now = func() time.Time { return now }
		o.Limits = limit.Config{Rate: models.RateLimit{PerMinute: 60, Burst: 4}}
	})
	client := in.client("Client") // two calls of the root's key
	a := in.do(in.root, "GET", "/v1/products", "").expect(200)
	for name, want := range map[string]string{
		"RateLimit-Policy": "60;w=60;burst=4", "RateLimit-Limit": "60", "RateLimit-Remaining": "1", "RateLimit-Reset": "3",
	} {
		require.Equal(t, want, a.Header().Get(name), name)
	}
	lost := in.do(credentials{"org_x", in.root.key}, "GET", "/v1/products", "").expect(404, "organization_not_found")
	require.Equal(t, "0", lost.Header().Get("RateLimit-Remaining"), "every authenticated answer tells")
	for _, organizationID := range []string{"", client.organizationID} {
		refused := in.do(credentials{organizationID, in.root.key}, "POST", "/v1/products", "{").
			expect(429, "rate_limited")
		require.Equal(t, "rate", refused.text("limit_type"))
		require.Equal(t, "1", refused.Header().Get("Retry-After"))
		require.Equal(t, true, refused.member("retryable"))
		require.Equal(t, "4", refused.Header().Get("RateLimit-Reset"))
	}
	in.do(client, "GET", "/v1/products", "").expect(200) // the owner of the key counts, not the header
	unknown := in.do(credentials{
		in.root.organizationID, "wrong",
	}, "GET", "/v1/products", "").expect(401, "unauthenticated")
	require.Empty(t, unknown.Header().Get("RateLimit-Limit"))
	require.Empty(t, in.do(in.root, "GET", "/healthz", "").expect(200).Header().Get("RateLimit-Limit"))

	now = now.Add(time.Second)
	in.do(in.root, "GET", "/v1/products", "").expect(200)
	require.NoError(t, in.store.Organizations.SetRateLimit(t.Context(), models.Scope{
		OrganizationID: in.root.organizationID,
	}, models.Actor{}, &models.RateLimit{PerMinute: 6000, Burst: 50}))
	now = now.Add(time.Minute)
	own := in.do(in.root, "GET", "/v1/products", "").expect(200)
	require.Equal(t, "6000;w=60;burst=50", own.Header().Get("RateLimit-Policy"))
	require.Equal(t, "49", own.Header().Get("RateLimit-Remaining"))
}

func TestCallsUnderWayAreBounded(t *testing.T) {
	t.Parallel()
	arrived, leave := make(chan struct{}), make(chan struct{})
	in := install(t, func(d *service.Deps, o *api.Options) {
		o.Limits = limit.Config{Concurrent: 1}
		d.Idempotency = &slow{d.Idempotency, arrived, leave}
	})
	in.product(in.root, "P-1")
	first := make(chan answer)
	go func() { first <- in.do(in.root, "POST", "/v1/transactions", sale("ORDER-1", ""), once("k")) }()
	<-arrived
	refused := in.do(in.root, "GET", "/v1/products", "").expect(429, "rate_limited")
	require.Equal(t, "concurrency", refused.text("limit_type"))
	require.Equal(t, "1", refused.Header().Get("Retry-After"))
	close(leave)
	(<-first).expect(202)
	in.do(in.root, "GET", "/v1/products", "").expect(200)
}
