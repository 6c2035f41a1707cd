package clients_test

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/client"
	"levy/internal/webhook"
	"levy/test/testbed"
)

// languages are the clients that programs of other languages run: their tests where they were built, and their examples and
// receivers where the package alone was installed.
var languages = map[string]struct{ tests, example, receiver []string }{
	"typescript": {
		[]string{"node", "--test", "dist/test/live.js"},
		[]string{"node", "first-sale.js"},
		[]string{"node", "receiver.js"},
	},
	"python": {
		[]string{"python3", "-m", "tests.live"},
		[]string{"../venv/bin/python3", "first_sale.py"},
		[]string{"../venv/bin/python3", "receiver.py"},
	},
}

// Each client records a sale, reads its tax, reads lists page by page, repeats what it did with the same key, and verifies
// what Levy sends. LEVY_CLIENTS is the folder in which make clients has built them.
func TestTheClientsCallARunningLevy(t *testing.T) {
	folder := os.Getenv("LEVY_CLIENTS")
	if folder == "" {
		t.Skip("make clients runs it: it needs Node, Python and mypy")
	}
	bed := testbed.New(t, testbed.Options{})
	bed.Set("LEVY_WEBHOOK_HOSTS", "127.0.0.1")
	bed.API.Start()
	bed.Worker.Start()
	for name, language := range languages {
		t.Run(name, func(t *testing.T) {
			secret, _ := webhook.NewSecret(webhook.SchemeShared)
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			address := listener.Addr().String()
			require.NoError(t, listener.Close())
			_, port, err := net.SplitHostPort(address)
			require.NoError(t, err)
			command := func(in string, words []string) *exec.Cmd {
				run := exec.CommandContext(t.Context(), words[0], words[1:]...)
				run.Dir = filepath.Join(folder, in, name)
				run.Env = append(os.Environ(), "LEVY_URL="+bed.API.URL(), "LEVY_API_KEY="+bed.APIKey,
					"LEVY_ORGANIZATION="+bed.OrganizationID, "LEVY_WEBHOOK_SECRET="+secret, "PORT="+port)
				return run
			}
			said, err := command("", language.tests).CombinedOutput()
			t.Logf("%s", said)
			require.NoError(t, err)
			said, err = command("installed", language.example).CombinedOutput()
			require.NoError(t, err, "%s", said)
			require.Contains(t, string(said), "PROCESSED 8.88")
			require.Contains(t, string(said), "body.external_id")

			receiver := command("installed", language.receiver)
			receiver.Stdout, receiver.Stderr = t.Output(), t.Output()
			require.NoError(t, receiver.Start())
			defer func() {
				_ = receiver.Process.Kill()
				_ = receiver.Wait()
			}()
			receives(t, address, secret)
		})
	}
	t.Run("go", func(t *testing.T) { callsByGo(t, bed) })
}

// receives sends a receiver an event that it accepts, and one that another signed.
func receives(t *testing.T, address, secret string) {
	t.Helper()
	require.Eventually(t, func() bool {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	}, testbed.WaitLimit, 50*time.Millisecond, "it listens")
	sender := webhook.NewClient(webhook.Options{Hosts: webhook.Hosts{"127.0.0.1"}, Timeout: time.Minute})
	body := []byte(`{"id":"evnt_1","type":"test.ping","data":{"object":{"name":"Zoë"}}}`)
	other, _ := webhook.NewSecret(webhook.SchemeShared)
	for status, key := range map[int]string{http.StatusNoContent: secret, http.StatusBadRequest: other} {
		headers, err := webhook.Headers("evnt_1", time.Now(), body, key)
		require.NoError(t, err)
		reply := sender.Post(t.Context(), "http://"+address+"/levy", headers, body)
		require.Empty(t, reply.Failed)
		require.Equal(t, status, reply.Status)
	}
}

// callsByGo has the Go client do what the tests of the other languages do.
func callsByGo(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	levy := client.New(bed.API.URL(), bed.APIKey, bed.OrganizationID)
	var wanted, met []string
	for _, id := range []string{"GO-1", "GO-2", "GO-3"} {
		product := client.ProductCreate{ExternalID: id, Name: id, ProductCategory: "PHYSICAL"}
		first, err := levy.CreateProduct(t.Context(), product, client.WithIdempotencyKey(id))
		require.NoError(t, err)
		second, err := levy.CreateProduct(t.Context(), product, client.WithIdempotencyKey(id))
		require.NoError(t, err)
		require.Equal(t, first.ID, second.ID)
		wanted = append(wanted, id)
	}
	for product, err := range levy.EachProduct(t.Context(), client.ListProductsParams{Size: 2}) {
		require.NoError(t, err)
		met = append(met, product.ExternalID)
	}
	require.Subset(t, met, wanted)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(met))), len(met), "no row twice")
	estimate, err := levy.EstimateTax(t.Context(), client.EstimateTaxParams{}, client.EstimateRequest{
		Date: time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC), Currency: "USD",
		Addresses: []client.TransactionAddressCreate{
			{Type: client.AddressTypeSHIPTO, City: "New York", State: "NY", PostalCode: "10118", Country: "US"},
		},
		TransactionItems: []client.EstimateItemCreate{{ExternalProductID: "GO-1", Amount: decimal.MustParse("100.10")}},
	})
	require.NoError(t, err)
	require.Equal(t, "8.88", estimate.TotalTaxAmount)
}
