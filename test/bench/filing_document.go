package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"levy/internal/secret"
	"levy/models"
	"levy/returns"
	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// openStore opens the database of the service, with its keys.
func (b *bench) openStore(ctx context.Context) (*store.Store, error) {
	ring, err := secret.ParseRing(b.masterKeys)
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Options{URL: b.postgres.URL(""), MasterKeys: ring})
}

// Worksheets of an open return are read so often, or until the time is over, but not less than some times.
const (
	worksheetsRead  = 200
	worksheetsLeast = 3
	worksheetsTime  = time.Minute
)

// measureWorksheet reads the worksheet of the open return of a filer and, by turns, its report.
func (b *bench) measureWorksheet(ctx context.Context, f filer, rows int) error {
	var sheets, reports latencies
	var used cpu
	began := time.Now()
	for len(sheets) < worksheetsRead && (len(sheets) < worksheetsLeast || time.Since(began) < worksheetsTime) {
		took, cost, err := b.timed(ctx, f, "/worksheet")
		if err != nil {
			return err
		}
		sheets, used = append(sheets, took), used.plus(cost)
		if took, _, err = b.timed(ctx, f, "/report?format=json"); err != nil {
			return err
		}
		reports = append(reports, took)
	}
	times := float64(len(sheets))
	said := fmt.Sprintf("p50 %.1f ms, p99 %.1f ms, CPU of the API %.1f ms, of PostgreSQL %.1f ms each; its report by turns p50 %.1f ms",
		sheets.percentile(50), sheets.percentile(99), used["api"]*1000/times, used["postgres"]*1000/times, reports.percentile(50))
	b.say("  worksheet of the open return, %d times: %s", len(sheets), said)
	b.report.note("Worksheet of an open return of %d transactions, %d times: %s.", rows, len(sheets), said)
	if rows == fewRows {
		b.report.atMost(fmt.Sprintf("worksheet of an open return of %d transactions, p99 of %d", rows, len(sheets)), "ms",
			sheets.percentile(99), 300)
	}
	b.report.atMost(fmt.Sprintf("worksheet of an open return of %d transactions over its report as json, p50", rows), "x",
		sheets.percentile(50)/reports.percentile(50), 1)
	return nil
}

// timed reads something of a filing, and returns how long it took and the CPU that was used meanwhile.
func (b *bench) timed(ctx context.Context, f filer, path string) (time.Duration, cpu, error) {
	before, began := b.cpuNow(), time.Now()
	_, err := b.ask(ctx, f, http.MethodGet, path)
	return time.Since(began), b.cpuNow().since(before), err
}

// claimTook returns the seconds from the begin of a claim to that of the freeze of its figures, which follows its commit.
func (b *bench) claimTook(ctx context.Context, f filer) (seconds float64, err error) {
	err = b.db.QueryRow(ctx, `
		SELECT extract(epoch FROM z.frozen_at - f.claimed_at)::float8 FROM filings f
		  JOIN filing_freezes z ON z.organization_id = f.organization_id AND z.filing_id = f.id
		 WHERE f.organization_id = $1 AND f.id = $2`, f.scope.OrganizationID, f.filing).Scan(&seconds)
	return seconds, err
}

// keepDocument builds and stores the document of a return that was just claimed, as the activity of an attempt does. It
// returns the seconds that took. New York takes no file, so the figures become those of Washington first.
func (b *bench) keepDocument(ctx context.Context, s *store.Store, f filer, rows int) (float64, error) {
	law, err := tax.LoadContent()
	if err != nil {
		return 0, err
	}
	if _, err := b.db.Exec(ctx, "UPDATE filings SET attempt = 1 WHERE organization_id = $1 AND id = $2 AND attempt = 0",
		f.scope.OrganizationID, f.filing); err != nil { // as the workflow of the filing counts it
		return 0, err
	}
	began := time.Now()
	facts, err := s.Filings.ReturnFacts(ctx, f.scope, f.filing)
	if err != nil {
		return 0, err
	}
	if err := inWashington(&facts); err != nil {
		return 0, err
	}
	key := models.AuthorityKey{
		OrganizationID: f.scope.OrganizationID, Kind: models.AuthorityReturn, RecordID: f.filing, Attempt: facts.Filing.Attempt,
	}
	d, findings := returns.OfAttempt(law, facts, key, calendar.MustDate("2026-02-10"), 0)
	if d == nil {
		return 0, fmt.Errorf("the return of %d transactions has no document: %v", rows, findings)
	}
	_, err = s.Filings.KeepDocument(ctx, f.scope, models.Attempt{RecordID: f.filing, Number: facts.Filing.Attempt}, *d)
	took := time.Since(began).Seconds()
	b.say("  document of %d bytes built and stored in %.1f ms", len(d.Content), took*1000)
	b.report.note("Return of %d transactions: document built of its frozen figures and stored in %.1f ms.", rows, took*1000)
	return took, err
}

// inWashington turns the facts of a return of New York into those of one of Washington with the same sums.
func inWashington(facts *models.ReturnFacts) error {
	f := &facts.Filing
	often := string(calendar.FilingMonthly)
	f.StateCode, f.StateName, f.FilingFrequency = "WA", new("Washington"), &often
	f.AmountAdjusted, f.AmountDiscounts, f.AmountFees, f.AmountPenalties = money.Total{}, money.Total{}, money.Total{}, money.Total{}
	facts.Filer.Account, facts.Filer.Contact = "501777540", "Ada Lovelace"
	facts.Filer.Email, facts.Filer.Phone = "ada@example.com", "2065550100"
	figures := facts.Figures.Figures[:0]
	for _, x := range facts.Figures.Figures {
		x.Place = "King County, Seattle"
		switch {
		case x.Level == string(tax.TypeState):
			x.Name = "Washington"
		case strings.HasSuffix(x.Name, "City"):
			x.Name = "Seattle"
		default: // the file has one line for a place: the tax of the district joins the city
			for i := range figures {
				if y := &figures[i]; y.Name == "Seattle" && y.Sign == x.Sign && y.Channel == x.Channel {
					var err error
					if y.Tax, err = y.Tax.Plus(x.Tax); err != nil {
						return err
					}
					if y.Owed, err = y.Owed.Plus(x.Owed); err != nil {
						return err
					}
				}
			}
			continue
		}
		figures = append(figures, x)
	}
	facts.Figures.Figures = figures
	return nil
}
