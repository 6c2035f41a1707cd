package console_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"levy/internal/local"
	"levy/test/testbed"
	"levy/workflows"
)

// Variables of `make temporal-ui`: the program of the Temporal UI, and the folder with the settings of its image.
const uiVariable, uiFolderVariable = "LEVY_TEST_TEMPORAL_UI", "LEVY_TEST_TEMPORAL_UI_FOLDER"

// elsewhere is a name of this machine that Chromium treats as another machine: it keeps no Secure cookie of a page
// there without TLS. Safari keeps none of any page without TLS, also of localhost.
const elsewhere = "temporal.example.test"

// composeUI starts the Temporal UI as docker-compose.yml configures it, beside the servers of a bed, and gives the
// API the settings of compose. It returns the address at which people open the UI.
func composeUI(t *testing.T, bed *testbed.Bed) string {
	t.Helper()
	content, err := os.ReadFile("../../docker-compose.yml")
	require.NoError(t, err)
	var compose struct {
		Environment map[string]string `yaml:"x-environment"`
		Services    map[string]struct{ Environment map[string]string }
	}
	require.NoError(t, yaml.Unmarshal(content, &compose))
	port, err := local.FreePort()
	require.NoError(t, err)
	_, api, _ := strings.Cut(strings.TrimPrefix(bed.API.URL(), "http://"), ":")
	here := strings.NewReplacer(":8233", fmt.Sprint(":", port), ":8080", ":"+api, "temporal:7233", bed.TemporalAddress)
	bed.Set("LEVY_CODEC_ORIGINS", here.Replace(compose.Environment["LEVY_CODEC_ORIGINS"]))
	cmd := exec.Command(os.Getenv(uiVariable), "--root", os.Getenv(uiFolderVariable), "--env", "docker", "start")
	cmd.Env = []string{fmt.Sprint("TEMPORAL_UI_PORT=", port)}
	for name, value := range compose.Services["temporal-ui"].Environment {
		cmd.Env = append(cmd.Env, name+"="+here.Replace(value))
	}
	ui, err := local.StartProcess(cmd, syscall.SIGKILL)
	require.NoError(t, err)
	t.Cleanup(func() { _ = ui.Stop(context.Background(), syscall.SIGTERM, 5*time.Second) })
	address := fmt.Sprint("http://localhost:", port)
	bed.Eventually("the UI answers", func(ctx context.Context) (bool, error) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return false, err
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	return address
}

// Staff of a deployment by compose sign in once, to the console: the Temporal UI shows them clear text, and takes an
// Update with data, which comes to the workflow with a proof of who sent it. Nothing is set in the browser.
func TestTheUIOfComposeIsReadAndWritten(t *testing.T) {
	t.Parallel()
	if os.Getenv(uiVariable) == "" {
		t.Skip("make temporal-ui runs it.")
	}
	b := open(t, 1280, 900, "host-resolver-rules", "MAP "+elsewhere+" 127.0.0.1")
	bed := testbed.New(t, testbed.Options{})
	ui := composeUI(t, bed)
	bed.API.Start()
	bed.Worker.Start()
	registration := bed.Post("/v1/registrations", map[string]any{
		"country_code": "US", "state_code": "WA", "filing_frequency": "MONTHLY", "imported": true,
		"registration_date":   testbed.FirstOfMonth(3).Format(time.DateOnly),
		"create_filings_from": testbed.FirstOfMonth(-12).Format(time.DateOnly),
	})
	require.Equal(t, http.StatusOK, registration.Status, string(registration.Body))
	filing := laterReturn(t, bed)
	b.do(chromedp.Navigate(ui + "/namespaces/" + bed.TemporalNamespace + "/workflows/" +
		url.PathEscape(workflows.FilingID(filing))))
	b.is(`document.body.innerText.includes('Workflow') && !document.body.innerText.includes('"category": ` +
		`"REGULAR"')`) // no person is signed in
	b.shot("compose-ui-nobody")

	link := invited(bed, "staff@example.com", "--name", "Sam Staff", "--staff", "operator")
	b.enter(strings.Replace(link, "127.0.0.1", "localhost", 1))
	b.is(`location.pathname === '/'`)
	b.readAndPause(ui, bed.TemporalNamespace, filing)
	bed.Eventually("the return is paused by the person", func(context.Context) (bool, error) {
		return bed.Count(`SELECT count(*)
			FROM audit a JOIN filings f ON f.id = a.entity_id
			WHERE f.id = $1 AND f.status = 'PAUSED' AND a.user_name = 'Sam Staff'`, filing) == 1, nil
	})
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM attached_proofs
		WHERE user_id IS NOT NULL AND used_by IS NOT NULL`))
	b.shot("compose-ui-paused")

	// The UI reads its token from a cookie, which a browser also has that keeps no Secure cookies of this address.
	b.do(chromedp.Navigate(strings.Replace(ui, "localhost", elsewhere, 1)))
	b.is(`document.cookie.includes('_csrf=')`)
}
