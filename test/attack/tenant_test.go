package attack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
	"levy/test/testbed"
)

// tenant is a client organization that calls from an address of its own.
type tenant struct {
	t                 *testing.T // at whose end its connections are closed
	url               string     // of the service
	organization, key string
	address           net.IP
	http              *http.Client
}

// newTenant makes an organization with a key and the product "P-1", as its onboarding
// would have left it.
func newTenant(t *testing.T, bed *testbed.Bed, records *store.Store, address string) *tenant {
	t.Helper()
	of := &tenant{t: t, url: bed.API.URL(), address: net.ParseIP(address)}
	of.http = newClient(of.address)
	t.Cleanup(of.http.CloseIdleConnections)
	ring, err := secret.ParseRing(bed.MasterKeys)
	require.NoError(t, err)
	key := secret.NewAPIKey(secret.KindTest)
	prefix, last4 := secret.Shown(key)
	scope := storetest.Organization(t, bed.DatabaseURL)
	require.NoError(t, records.Organizations.CreateAPIKey(t.Context(), scope, models.Actor{}, &models.APIKey{
		ID: models.NewID(models.PrefixAPIKey), Hash: secret.NewKeyHasher(ring).Hash(key), Prefix: prefix, Last4: last4,
	}))
	of.organization, of.key = scope.OrganizationID, key
	return of
}

// newClient is a client that calls from an address.
func newClient(from net.IP) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
	return &http.Client{Timeout: 60 * time.Second,
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 256}}
}

// dialContext opens a connection from the tenant's address.
func (of *tenant) dialContext(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: of.address}}
	return dialer.DialContext(ctx, network, address)
}

// dial opens a connection on which anything may be written.
func (of *tenant) dial() net.Conn {
	of.t.Helper()
	conn, err := of.dialContext(of.t.Context(), "tcp", strings.TrimPrefix(of.url, "http://"))
	require.NoError(of.t, err)
	of.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// head is a request line and the headers that name the tenant.
func (of *tenant) head(method, target string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: levy\r\nX-API-KEY: %s\r\nx-organization-id: %s\r\n", method, target,
		of.key, of.organization)
}

// send sends a request with a body of JSON, unless headers, in pairs, say otherwise.
func (of *tenant) send(ctx context.Context, method, target, body string, headers ...string) (testbed.Answer, error) {
	var content io.Reader = http.NoBody
	if body != "" {
		content = bytes.NewReader([]byte(body))
	}
	return of.sendFrom(ctx, method, target, content, headers...)
}

// sendFrom is send with a body that is made while it is sent.
func (of *tenant) sendFrom(
	ctx context.Context, method, target string, body io.Reader, headers ...string,
) (testbed.Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, of.url+target, body)
	if err != nil {
		return testbed.Answer{}, err
	}
	request.Header.Set("X-API-KEY", of.key)
	request.Header.Set("x-organization-id", of.organization)
	if body != http.NoBody {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := of.http.Do(request)
	if err != nil {
		return testbed.Answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return testbed.Answer{Status: response.StatusCode, Body: content}, err
}

// attack sends a request of the attacker and counts its answer.
func (b *attackRun) attack(method, target, body string, headers ...string) testbed.Answer {
	answer, err := b.attacker.send(b.Context(), method, target, body, headers...)
	b.ended(answer, err)
	return answer
}

func (b *attackRun) ended(answer testbed.Answer, err error) {
	switch {
	case err != nil:
		b.saw("connection closed")
	case answer.Status < 300:
		b.saw(fmt.Sprint(answer.Status))
	default:
		b.saw(fmt.Sprintf("%d %s", answer.Status, answer.Code()))
	}
}

// saleBody is a sale of the product "P-1".
func saleBody(externalID string, n int) string { return encoded(testbed.Sale(externalID, n)) }

func encoded(value any) string {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(body)
}
