package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	liveChanges = 50
	liveTime    = 1000 // ms, the aim from a committed change until the page is notified
	liveLongest = 30 * time.Second
)

// measureLive changes a return again and again, and measures from each commit until the event is in the stream that its
// page follows. The browser then reads the page again.
func (b *bench) measureLive(ctx context.Context, visitor *http.Client) error {
	var organization, filing string
	err := b.db.QueryRow(ctx, `SELECT organization_id, id
		FROM filings
		WHERE status = 'UNFILED'
		ORDER BY id LIMIT 1`).Scan(&organization, &filing)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet,
		b.baseURL+"/v1/events/stream?type__in=filing.updated", http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("x-organization-id", organization)
	answer, err := visitor.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("stream of events: %s", answer.Status)
	}
	told := make(chan time.Time, liveChanges)
	go func() {
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "event:") {
				told <- time.Now()
			}
		}
	}()
	var all latencies
	for i := range liveChanges + 1 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(i*37%250) * time.Millisecond): // not in step with the poll for changes
		}
		_, err := b.db.Exec(ctx, `UPDATE filings
			SET return_confirmation_id = $3, updated_at = now()
			WHERE organization_id = $1 AND id = $2`,
			organization, filing, "LIVE-"+strconv.Itoa(i))
		if err != nil {
			return err
		}
		committed := time.Now()
		select {
		case at := <-told:
			if i > 0 { // the first one finds out where the feed is
				all = append(all, max(0, at.Sub(committed)))
			}
		case <-time.After(liveLongest):
			return fmt.Errorf("change %d of a return was not told in %s", i, liveLongest)
		}
	}
	b.say("  a change of a return reaches its page after %.0f ms, p99 %.0f ms, at most %.0f ms", all.percentile(50),
		all.percentile(99), all.percentile(100))
	b.report.atMost("change of a return, told to its page, p50", "ms", all.percentile(50), liveTime)
	b.report.atMost("change of a return, told to its page, p99", "ms", all.percentile(99), liveTime)
	return nil
}
