package service

import (
	"context"
	"time"

	"levy/models"
)

const (
	// exchangePause is how often processes tell each other their calls, exchangeTime how long that may take.
	exchangePause, exchangeTime = 2 * time.Second, time.Second
	// reportedOrganizations bounds the organizations in the report of a process.
	reportedOrganizations = 500
)

// CallReports are where the processes of the API read each other's calls.
type CallReports interface {
	// ExchangeCalls writes the calls of a process, and returns what the others wrote last.
	ExchangeCalls(ctx context.Context, process string, calls models.ProcessCalls) (map[string]models.ProcessCalls, error)
	// LeaveProcesses deletes what a process wrote.
	LeaveProcesses(ctx context.Context, process string) error
}

// ShareLimits lets the rate limits hold for all processes together, until ctx ends. While the reports cannot be
// exchanged, each process holds the limits alone.
func (s *Service) ShareLimits(ctx context.Context, reports CallReports) {
	process, failed := models.NewID(models.PrefixProcess), false
	defer func() {
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), exchangeTime)
		defer cancel()
		_ = reports.LeaveProcesses(leaving, process) // or the others wait some seconds
	}()
	for ctx.Err() == nil {
		limited, cancel := context.WithTimeout(ctx, exchangeTime)
		others, err := reports.ExchangeCalls(limited, process, s.calls.Report(reportedOrganizations))
		cancel()
		if err == nil {
			s.calls.Share(others)
		} else if !failed {
			s.log.WarnContext(ctx, "calls of other processes are not heard: each holds the rate limits alone",
				"error", err.Error())
		}
		failed = err != nil
		select {
		case <-ctx.Done():
		case <-time.After(exchangePause):
		}
	}
}

// Noisiest returns the organizations whose calls took the most time in the last minute, in all processes.
func (s *Service) Noisiest(most int) ([]string, models.ProcessCalls) { return s.calls.Noisiest(most) }
