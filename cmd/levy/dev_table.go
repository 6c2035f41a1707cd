package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"levy/internal/local"
	"levy/internal/local/postgres"
)

// publish writes dev.json for what runs at this moment.
func (d *dev) publish() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	info := devInfo{
		BaseURL:           d.baseURL(),
		credentials:       d.credentials,
		TemporalAddress:   d.config.TemporalAddress,
		TemporalNamespace: d.config.TemporalNamespace,
		DatabaseURL:       d.config.DatabaseURL.Reveal(),
		MasterKeysFile:    d.keysFile,
		Starting:          d.starting,
	}
	info.PIDs.Levy = os.Getpid()
	if d.postgres != nil {
		pid := d.postgres.PID()
		info.PIDs.Postgres = &pid
		var err error
		if info.DatabaseURL, err = postgres.LoginURL(d.postgres.URL(""), postgres.ServiceLogin, ""); err != nil {
			return err
		}
	}
	if d.temporal != nil {
		pid := d.temporal.PID()
		info.PIDs.Temporal = &pid
		info.TemporalUIURL = d.temporal.UIURL
	}
	return d.state.publish(info)
}

// table shows a new user where everything is and what to try first.
func (d *dev) table(took time.Duration) string {
	var b strings.Builder
	row := func(name, value string) { fmt.Fprintf(&b, "  %-14s %s\n", name, value) }
	fmt.Fprintf(&b, "\nLevy answers (%.1f s).\n\n", took.Seconds())
	row("API", d.baseURL())
	row("API docs", d.baseURL()+"/docs")
	if d.ownTemporal {
		row("Temporal UI", d.temporalUI()+" (soon)")
	}
	row("Temporal", d.config.TemporalAddress+", namespace "+d.config.TemporalNamespace)
	if d.postgres != nil {
		row(
			"PostgreSQL",
			fmt.Sprintf("127.0.0.1:%d (%s, in %s)", d.postgres.Port, d.postgres.Version, d.postgres.ClusterDir),
		)
	}
	row("Logs", d.state.path("logs"))
	fmt.Fprintln(&b)
	row("Organization", d.credentials.OrganizationID)
	if d.credentials == d.state.known {
		row("Keys", "unchanged, in "+d.state.path(devFile))
	} else {
		row("API key", d.credentials.APIKey)
		row("Operator key", d.credentials.OperatorKey)
		row("", "shown only now; kept in "+d.state.path(devFile))
	}
	if d.links.Staff != "" {
		fmt.Fprintln(&b)
		row("Console", d.baseURL()+"/")
		row("Staff", d.links.StaffEmail)
		row("", d.baseURL()+d.links.Staff)
		row("Partner", d.links.PartnerEmail)
		row("", d.baseURL()+d.links.Partner)
		row("", "each link sets the password of its address, once")
	}
	fmt.Fprintf(&b, "\nA first product, estimate and transaction:\n\n%s\n", d.firstTransaction())
	fmt.Fprintf(&b, "Still to come: %s. Levy estimates and accepts meanwhile; accepted transactions wait until then.\n",
		strings.Join(d.starting, ", "))
	return b.String()
}

// temporalUI is the address of the UI of an own Temporal server.
func (d *dev) temporalUI() string { return "http://" + local.OnLoopback(d.TemporalUIPort) }

// completed says that all services answer.
func (d *dev) completed(took time.Duration) string {
	text := fmt.Sprintf("\nLevy is running (%.1f s): what was accepted is processed.\n", took.Seconds())
	if d.ownTemporal {
		text += "The Temporal UI is at " + d.temporalUI() + ".\n" +
			"It shows payloads in clear text to everyone who reaches its port, without a sign-in: keep it on this machine.\n"
	}
	return text
}

// firstTransaction are commands that can be pasted into a shell. The key
// comes from dev.json, so that it does not enter the shell's history.
func (d *dev) firstTransaction() string {
	curl := func(path, body string) string {
		return fmt.Sprintf(`  curl -sS %s%s \
    -H "X-API-KEY: $KEY" -H 'x-organization-id: %s' -H 'Content-Type: application/json' \
    -d '%s'
`, d.baseURL(), path, d.credentials.OrganizationID, body)
	}
	now := time.Now().UTC().Format(time.RFC3339)
	order := time.Now().UTC().Format("ORDER-20060102-150405") // new on every start
	return fmt.Sprintf("  KEY=$(sed -n 's/.*\"api_key\": \"\\(.*\\)\".*/\\1/p' '%s')\n", d.state.path(devFile)) +
		curl("/v1/products", `{"external_id":"P-1","name":"Widget","product_category":"PHYSICAL",`+
			`"product_subcategory":"PHYSICAL_GENERAL"}`) +
		curl("/v1/tax/estimate", `{"amount":"100.00","external_product_id":"P-1","date":"`+now+`",`+
			`"shipping_address":{"street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118","country":"US"}}`) +
		curl("/v1/transactions", `{"external_id":"`+order+`","date":"`+now+`","type":"SALE","total_amount":"100.00",`+
			`"customer":{"external_id":"C-1","name":"Ada"},`+
			`"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118","country":"US"}],`+
			`"transaction_items":[{"date":"`+now+`","external_product_id":"P-1","quantity":1,"amount":"100.00"}]}`)
}
