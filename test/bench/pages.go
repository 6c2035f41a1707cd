package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

// Aims of a page of the console: until its first content, and its size.
const (
	pageTime = 300 // ms
	pageSize = 200 // kB
)

// pageRounds is how often each page is opened.
const pageRounds = 10

// pageClients write the clients of a partner. Four of five are onboarded, the others wait at one of the steps for up to
// a month. An onboarded client has nexus records for the states, two registrations, and the monthly returns of half a
// year. Some returns are overdue or have an issue, and some registrations lack their number. $1 is a client that has done
// three steps, $2 are the clients.
var pageClients = []string{
	`INSERT INTO organizations
	 SELECT r.*
	   FROM organizations t, unnest($2::text[]) WITH ORDINALITY AS c (id, n),
	        jsonb_populate_record(t, jsonb_build_object('id', c.id, 'external_id', c.id, 'name', 'Client ' || c.n,
	        'name_key', 'client ' || c.n, 'created_at', t.created_at - c.n * interval '1 minute',
	        'onboarding_status', CASE WHEN c.n % 5 = 0 THEN 'IN_PROGRESS' ELSE 'COMPLETED' END)) r
	  WHERE t.id = $1`,
	`INSERT INTO client_grants (organization_id, partner_id)
	 SELECT o.id, o.parent_organization_id FROM organizations o WHERE o.id = ANY ($2) AND $1 <> ''`,
	`INSERT INTO organization_settings
	 SELECT r.*
	   FROM organization_settings t, unnest($2::text[]) AS c (id),
	        jsonb_populate_record(t, jsonb_build_object('organization_id', c.id)) r
	  WHERE t.organization_id = $1`,
	`INSERT INTO onboardings
	 SELECT r.*
	   FROM onboardings t, unnest($2::text[]) WITH ORDINALITY AS c (id, n),
	        jsonb_populate_record(t, jsonb_build_object('organization_id', c.id, 'next_check_at', NULL,
	        'completed', CASE WHEN c.n % 5 = 0 THEN 1 + c.n / 5 % 7 ELSE 8 END,
	        'status', CASE WHEN c.n % 5 = 0 THEN 'IN_PROGRESS' ELSE 'COMPLETED' END)) r
	  WHERE t.organization_id = $1`,
	`INSERT INTO onboarding_steps (organization_id, number, started_at, completed_at, attempts)
	 SELECT c.id, s.number, now() - (c.n % 30 + 1) * interval '1 day',
	        CASE WHEN c.n % 5 <> 0 OR s.number <= 1 + c.n / 5 % 7 THEN now() - c.n % 30 * interval '1 day' END, 1
	   FROM unnest($2::text[]) WITH ORDINALITY AS c (id, n), generate_series(1, 8) AS s (number)
	  WHERE $1 <> '' AND (c.n % 5 <> 0 OR s.number <= 2 + c.n / 5 % 7)`,
	`INSERT INTO nexus_records
	 SELECT r.*
	   FROM nexus_records t, unnest($2::text[]) WITH ORDINALITY AS c (id, n),
	        jsonb_populate_record(t, jsonb_build_object('organization_id', c.id,
	        'id', 'nexs_0' || substr(md5(c.id || t.id), 1, 25),
	        'status', CASE WHEN (c.n + ascii(t.state_code)) % 40 = 0 THEN 'EXPOSED' ELSE 'NOT_EXPOSED' END,
	        'nexus_met', (c.n + ascii(t.state_code)) % 40 = 0,
        'tax_liability', CASE WHEN (c.n + ascii(t.state_code)) % 40 = 0 THEN 100 + c.n % 900 ELSE 0 END,
	        'nexus_met_date', CASE WHEN (c.n + ascii(t.state_code)) % 40 = 0 THEN current_date - c.n::int % 90 END)) r
	  WHERE t.organization_id = $1 AND t.country_code = 'US' AND c.n % 5 <> 0`,
	`INSERT INTO registrations (organization_id, id, country_code, state_code, state_name, status, filing_frequency,
	        registration_import_type, registration_date, sales_tax_id, auto_registered, do_not_file, registrations_regime, imported,
	        initial_sync, vda, sst_import, amount_fees, third_party_enabled, two_factor_enabled, marked_collecting,
	        changed, created_at, updated_at)
	 SELECT c.id, 'regs_0' || substr(md5(c.id || s.code), 1, 25), 'US', s.code, s.name,
	        CASE WHEN c.n % 50 = 1 THEN 'AWAITING_CLARIFICATION' ELSE 'REGISTERED' END,
	        'MONTHLY', 'REGULAR', '2025-01-01', CASE WHEN c.n % 50 <> 2 THEN 'ID-' || c.n END, false, false,
	        'STANDARD', true, false, false, false, 0, false, false, true,
	        false, now(), now()
	   FROM unnest($2::text[]) WITH ORDINALITY AS c (id, n),
	        (VALUES ('NY', 'New York'), ('WA', 'Washington')) AS s (code, name)
	  WHERE $1 <> '' AND c.n % 5 <> 0`,
	`INSERT INTO filings (organization_id, id, registration_id, country_code, state_code, state_name, start_date, end_date,
	        status, filing_category, currency, due_date, date_filed, issue_reason, total_tax_liability, claimed_at,
	        filed_at, created_at, updated_at)
	 SELECT g.organization_id, 'file_0' || substr(md5(g.id || g.month::text), 1, 25), g.id, 'US', g.state_code,
	        g.state_name, g.month::date,
	        (g.month + interval '1 month - 1 day')::date, g.status, 'REGULAR', 'USD',
	        (g.month + interval '1 month 19 days')::date,
	        CASE WHEN g.status = 'FILED' THEN (g.month + interval '1 month 10 days')::date END,
	        CASE WHEN g.status = 'ISSUE' THEN 'REJECTED' END, 8.88,
	        CASE WHEN g.status = 'FILED' THEN now() END, CASE WHEN g.status = 'FILED' THEN now() END, now(), now()
	   FROM (SELECT r.organization_id, r.id, r.country_code, r.state_code, r.state_name, m AS month,
	                CASE WHEN m >= date_trunc('month', now()) - interval '1 month' THEN 'UNFILED'
	                     WHEN hashtext(r.id || m::text) % 50 = 0 THEN 'UNFILED'
	                WHEN hashtext(r.id || m::text) % 100 = 1 THEN 'ISSUE' ELSE 'FILED' END AS status
	           FROM registrations r, generate_series(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '6 months',
	                date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month', interval '1 month') m
	          WHERE r.organization_id = ANY ($2) AND $1 <> '') g`,
}

// measurePages opens the pages of the console as a member of staff and as a person of the partner. It has so many
// clients and transactions, and prints how long each page takes until its first content.
func (b *bench) measurePages(ctx context.Context) error {
	b.say("Pages of the console with %d clients and %d transactions", b.Onboardings, b.Rows)
	if err := b.ensure(ctx, true); err != nil {
		return err
	}
	one, err := b.newOnboardings().onboard(ctx, 3)
	if err != nil {
		return err
	}
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	if err := b.fill(ctx, b.Rows); err != nil {
		return err
	}
	if err := b.fillClients(ctx, one); err != nil {
		return err
	}
	for _, who := range []struct {
		name      string
		arguments []string
		pages     []string
	}{
		{"staff", []string{"--staff", "operator"}, b.pagesOfStaff()},
		{"partner", []string{"--organization", b.organizationID, "--role", "admin"}, nil},
	} {
		visitor, err := b.signIn(ctx, who.name, who.arguments...)
		if err != nil {
			return err
		}
		if who.pages == nil {
			if who.pages, err = b.pagesOfPartner(ctx); err != nil {
				return err
			}
		}
		if who.name == "staff" {
			if err := b.measureLive(ctx, visitor); err != nil {
				return err
			}
		}
		for _, page := range who.pages {
			if err := b.measurePage(ctx, visitor, who.name, page); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeClients writes the clients, and returns them. It omits the rows that triggers derive from theirs.
func (b *bench) writeClients(ctx context.Context, one string) ([]string, error) {
	ids := make([]string, b.Onboardings)
	for i := range ids {
		ids[i] = models.NewID(models.PrefixOrganization)
	}
	return ids, pgx.BeginFunc(ctx, b.db, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL session_replication_role = replica"); err != nil {
			return err
		}
		for i, sql := range pageClients {
			if _, err := tx.Exec(ctx, sql, one, ids); err != nil {
				return fmt.Errorf("clients, statement %d: %w", i, err)
			}
		}
		return nil
	})
}

// fillClients writes the clients, and exceptions among the transactions. It waits until the figures of all are added up.
func (b *bench) fillClients(ctx context.Context, one string) error {
	if _, err := b.writeClients(ctx, one); err != nil {
		return err
	}
	_, err := b.db.Exec(ctx, `
		INSERT INTO transaction_refetches (organization_id, transaction_id, epoch, reason, at)
		SELECT organization_id, id, epoch, 'ADDRESS', date
		  FROM transactions
		 WHERE organization_id = $1 AND status = 'PENDING' LIMIT 5000`, b.organizationID)
	if err != nil {
		return err
	}
	return b.countFigures(ctx)
}

// countFigures waits until the figures of all organizations are added up.
func (b *bench) countFigures(ctx context.Context) error {
	for _, changes := range []string{"figure_changes", "exception_changes"} {
		if _, err := b.db.Exec(ctx, "INSERT INTO "+changes+" (organization_id) SELECT id FROM organizations"); err != nil {
			return err
		}
	}
	err := until(ctx, "figures added up", 100*time.Millisecond, 15*time.Minute, func(ctx context.Context) (done bool, err error) {
		err = b.db.QueryRow(ctx, `
			SELECT NOT EXISTS (SELECT FROM figure_changes) AND NOT EXISTS (SELECT FROM exception_changes)`).Scan(&done)
		return done, err
	})
	if err != nil {
		return err
	}
	_, err = b.db.Exec(ctx, "VACUUM ANALYZE")
	return err
}

// signIn invites a person and sets the password by the link.
func (b *bench) signIn(ctx context.Context, name string, arguments ...string) (*http.Client, error) {
	said, err := b.runOnce(append([]string{"user", "invite", name + "@example.com", "--name", name}, arguments...)...)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	visitor := &http.Client{Jar: jar}
	const password = "correct horse battery staple"
	form := url.Values{"password": {password}, "again": {password}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.baseURL+lines[len(lines)-1],
		strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	answer, err := visitor.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("sign in: %s", answer.Status)
	}
	return visitor, nil
}

func (b *bench) pagesOfStaff() []string {
	month := time.Now().UTC().AddDate(0, -1, 0).Format("2006-01")
	return []string{
		"/", "/exceptions", "/exceptions?page=50", "/exceptions?type__in=FILING_OVERDUE",
		"/exceptions?organization_id=" + b.organizationID,
		"/filings", "/filings?status__in=ISSUE", "/filings?state_code=NY&page=100", "/filings/calendar?month=" + month,
		"/search?q=FILL-000015838", "/search?q=Client+77", "/search?q=Customer", "/search?q=NY", "/people",
		"/operations", "/operations/content", "/operations/master-keys", "/account",
	}
}

// pagesOfPartner are those of the organization with the transactions, and one of each kind.
func (b *bench) pagesOfPartner(ctx context.Context) ([]string, error) {
	var client, filing, registration, nexus, product string
	err := b.db.QueryRow(ctx, `
		SELECT f.organization_id, f.id, f.registration_id,
		       (SELECT id FROM nexus_records WHERE organization_id = $1 AND country_code = 'US' AND state_code = 'CA'),
		       (SELECT id FROM products WHERE organization_id = $1 ORDER BY id LIMIT 1)
		  FROM filings f
		 WHERE f.status = 'FILED'
		 ORDER BY f.id LIMIT 1`, b.organizationID).Scan(&client, &filing, &registration, &nexus, &product)
	if err != nil {
		return nil, err
	}
	own, other := "/o/"+b.organizationID, "/o/"+client
	transaction := own + "/transactions/txn_" + fmt.Sprintf("%026d", b.Rows/2)
	pages := []string{
		"/", own, "/clients", "/clients?status__in=IN_PROGRESS&next_step__in=5&age_days__gte=7", "/clients?page=100",
		"/clients?query=Client+77", "/exceptions", "/filings",
		"/search?q=FILL-000015838", "/search?q=Customer", own + "/clients/" + client, transaction,
		own + "/transactions?page=10000", own + "/transactions?search_query=000015838", own +
			"/transactions?processing_status__in=PENDING",
		own + "/nexus/" + nexus, own + "/products/" + product, own + "/products/" + product + "/states",
		other + "/filings/" + filing, other + "/registrations/" + registration, other + "/nexus", other + "/reports", other + "/settings",
	}
	for _, name := range []string{
		"filings", "transactions", "nexus", "registrations", "imports", "products", "exemptions", "rates", "keys",
		"people", "webhooks", "estimate", "settings", "company",
		"nexus/simulate",
	} {
		pages = append(pages, own+"/"+name)
	}
	return pages, nil
}

// measurePage opens a page again and again: how long until its first content, and how large it is.
func (b *bench) measurePage(ctx context.Context, visitor *http.Client, who, page string) error {
	var all latencies
	size := 0
	for round := range pageRounds + 1 {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.baseURL+page, http.NoBody)
		if err != nil {
			return err
		}
		began := time.Now()
		answer, err := visitor.Do(request)
		if err != nil {
			return err
		}
		took := time.Since(began)
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			return err
		}
		if answer.StatusCode != http.StatusOK {
			_, main, _ := strings.Cut(string(body), "<main")
			return fmt.Errorf("%s: %s: %.2000s", page, answer.Status, main)
		}
		size = len(body)
		if round > 0 { // the first one warms caches
			all = append(all, took)
		}
	}
	named := strings.ReplaceAll(page, b.organizationID, "…")
	b.say("  %-8s %6.0f ms, at most %6.0f ms, %4d kB  %s", who, all.percentile(50), all.percentile(100), size/1000, named)
	b.report.atMost("page of "+who+" "+named+", first content, p50", "ms", all.percentile(50), pageTime)
	b.report.atMost("page of "+who+" "+named+", size", "kB", float64(size)/1000, pageSize)
	return nil
}
