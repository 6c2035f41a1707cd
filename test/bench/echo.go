package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"levy/api"
	"levy/contract"
	"levy/internal/secret"
	"levy/internal/telemetry"
	"levy/models"
	"levy/service"
	"levy/service/limit"
	"levy/store"
	"levy/store/pg"
)

// echo answers every estimate with an earlier answer of Levy: the reference of estimates. A request passes all other
// parts of Levy's API: request id, access log, authentication, limits, and validation of the body. The answer has the
// same size.
type echo struct {
	contract.Operations
	answer contract.Estimate
}

// EstimateTax echoes the day and the lines' names, so that each answer has to be written anew.
func (e echo) EstimateTax(_ context.Context, r contract.EstimateTaxRequest) (contract.Estimate, error) {
	answer := e.answer
	answer.Date = r.Body.Date
	answer.TransactionItems = append([]contract.EstimateItem(nil), answer.TransactionItems...)
	for i := range min(len(answer.TransactionItems), len(r.Body.TransactionItems)) {
		answer.TransactionItems[i].ExternalID = r.Body.TransactionItems[i].ExternalID
	}
	return answer, nil
}

// serveEcho serves the reference on the address; the file has the answer.
func serveEcho(ctx context.Context, address, file string) error {
	var answer contract.Estimate
	if content, err := os.ReadFile(file); err != nil {
		return err
	} else if err := json.Unmarshal(content, &answer); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	ring, err := secret.ParseRing(os.Getenv("LEVY_MASTER_KEYS"))
	if err != nil {
		return err
	}
	records, err := store.Open(ctx, store.Options{URL: os.Getenv("LEVY_DATABASE_URL"), Role: pg.RoleAPI})
	if err != nil {
		return err
	}
	defer records.Close()
	taxes, err := records.Content.OpenCache(ctx)
	if err != nil {
		return err
	}
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "echo_seconds"},
		[]string{"method", "route", "status"})
	server, err := api.New(service.Deps{
		Principals: records.Organizations, Onboardings: records.Organizations, Idempotency: records.Idempotency,
		Catalogue: taxes, Law: taxes, Database: records.Ping, Workflows: func(context.Context) error { return nil },
	}, api.Options{
		Options: service.Options{
			Keys: secret.NewKeyHasher(ring), Logger: telemetry.NewLogger(os.Stderr, slog.LevelInfo, "json"),
			Limits:     limit.Config{Rate: models.RateLimit{PerMinute: 100_000_000, Burst: 1_000_000}, Concurrent: 100_000},
			Operations: func(s contract.Operations) contract.Operations { return echo{s, answer} },
		},
		Observe: func(method, route string, status int, took time.Duration) {
			durations.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
		},
	})
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return server.Serve(ctx, listener)
}
