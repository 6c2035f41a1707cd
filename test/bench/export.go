package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// measureExport exports few rows and many, each from an API that has just started, and
// compares what it held in memory.
func (b *bench) measureExport(ctx context.Context) error {
	b.say("Export of %d and of %d transactions", fewRows, b.Rows)
	var peaks []float64
	for _, rows := range []int{fewRows, b.Rows} {
		if err := b.ensure(ctx, false); err != nil {
			return err
		}
		if err := b.fill(ctx, max(rows, b.filled)); err != nil {
			return err
		}
		if err := b.levy.stop(ctx); err != nil {
			return err
		}
		if err := b.startAPI(ctx); err != nil {
			return err
		}
		began := time.Now()
		size, err := b.export(ctx, rows)
		if err != nil {
			return err
		}
		took := time.Since(began)
		_, peak, err := memory(b.api.PID())
		if err != nil {
			return err
		}
		rate := float64(size) / 1e6 / took.Seconds()
		b.say("  %d transactions: %.1f MB in %.2f s, %.1f MB/s, API at most %.0f MB", rows, float64(size)/1e6,
			took.Seconds(), rate, peak)
		b.report.note("Export of %d transactions: %.1f MB in %.2f s, %.1f MB/s; the API held at most %.0f MB.", rows,
			float64(size)/1e6, took.Seconds(), rate, peak)
		peaks = append(peaks, peak)
	}
	b.report.atMost(fmt.Sprintf("export, memory of the API with %d transactions over that with %d", b.Rows, fewRows),
		"x", peaks[1]/peaks[0], 1.2)
	return nil
}

// export reads the export of so many transactions and returns its size. When more are
// stored it takes those of the last days.
func (b *bench) export(ctx context.Context, rows int) (int64, error) {
	path := "/v1/transactions/export?format=csv"
	if rows < b.filled {
		path += "&startDate=" + time.Now().UTC().AddDate(0, 0, -365*rows/b.filled).Format(time.DateOnly)
	}
	request, err := b.newGet(ctx, path)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("GET %s: %s", path, answer.Status)
	}
	return io.Copy(io.Discard, answer.Body)
}
