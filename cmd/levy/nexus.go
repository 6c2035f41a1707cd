package main

import (
	"encoding/json"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"levy/activities"
	"levy/models"
	"levy/store"
)

type nexusCmd struct {
	Recount nexusRecountCmd `cmd:"" help:"Count nexus anew from the transactions and compare; the difference must be zero."`
}

type nexusRecountCmd struct {
	Organization string `arg:"" optional:"" help:"Id of an organization; without it all are counted."`
	Repair       bool   `help:"Put right what differs, and keep what it was."`
}

// organizationsAtOnce is how many organizations a command reads at a time.
const organizationsAtOnce = 100

// Run prints every difference as one line of JSON, and fails when there is one that
// was not repaired.
func (c nexusRecountCmd) Run(p *program) error {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	counted, differences := 0, 0
	encoder := json.NewEncoder(p.stdout)
	count := func(id string) error {
		n, err := activities.Recount(p.ctx, s.Evaluation(), id, c.Repair, func(d models.NexusDifference) {
			differences++
			_ = encoder.Encode(d) // a closed pipe must not stop the repair
		})
		counted += n
		return err
	}
	if c.Organization != "" {
		if err = knownOrganization(p.ctx, s, c.Organization); err == nil {
			err = count(c.Organization)
		}
	} else {
		err = eachOrganization(p, s, count)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "%d transactions counted, %d differences\n", counted, differences)
	if differences > 0 && !c.Repair {
		return fmt.Errorf("%d differences: levy nexus recount --repair puts them right", differences)
	}
	return nil
}

func eachOrganization(p *program, s *store.Store, work func(id string) error) error {
	after := ""
	for {
		ids, err := s.Nexus.OrganizationsAfter(p.ctx, after, organizationsAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := work(id); err != nil {
				return fmt.Errorf("organization %s: %w", id, err)
			}
		}
		after = ids[len(ids)-1]
	}
}

// newNexusMetrics counts what recounts repair: anything but zero is an alarm.
func newNexusMetrics(registry prometheus.Registerer) func(kind string) {
	repaired := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "levy_nexus_repairs_total",
		Help: "Numbers of nexus that a recount found wrong and put right, by kind: contributions of transactions, " +
			"counters, or taxes of days. Must stay zero.",
	}, []string{"kind"})
	for _, kind := range []string{
		models.NexusDifferenceContribution, models.NexusDifferenceCounter, models.NexusDifferenceTax,
	} {
		repaired.WithLabelValues(kind)
	}
	registry.MustRegister(repaired)
	return func(kind string) { repaired.WithLabelValues(kind).Inc() }
}
