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

// worksheetsRead is how often the worksheet of an open return is read.
const worksheetsRead = 200

// measureWorksheet reads the worksheet of the open return of a filer. It returns the seconds of the slowest but a hundredth.
func (b *bench) measureWorksheet(ctx context.Context, f filer, rows int) (float64, error) {
	times := worksheetsRead
	if rows > fewRows {
		times = 3
	}
	var all latencies
	before := b.cpuNow()
	for range times {
		began := time.Now()
		if _, err := b.ask(ctx, f, http.MethodGet, "/worksheet"); err != nil {
			return 0, err
		}
		all = append(all, time.Since(began))
	}
	used := b.cpuNow().since(before)
	said := fmt.Sprintf("p50 %.1f ms, p99 %.1f ms, CPU of API and PostgreSQL %.1f ms each", all.percentile(50), all.percentile(99),
		(used["api"]+used["postgres"])*1000/float64(times))
	b.say("  worksheet of the open return: %s", said)
	b.report.note("Worksheet of an open return of %d transactions, %d times: %s.", rows, times, said)
	if rows == fewRows {
		b.report.atMost(fmt.Sprintf("worksheet of an open return of %d transactions, p99", rows), "ms", all.percentile(99), 300)
	}
	return all.percentile(99) / 1000, nil
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
