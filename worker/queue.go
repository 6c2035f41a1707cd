package worker

import (
	"time"

	"go.opentelemetry.io/otel/trace"

	"levy/models"
	"levy/workflows"
)

// offer is a transaction that was just accepted, with the trace of its request.
type offer struct {
	ref  models.Ref
	at   time.Time
	span trace.SpanContext
}

// queue holds offers, one line per organization. It serves the lines in rotation.
type queue struct {
	lines map[string][]offer
	order []string // organizations with offers, next first
	size  int
}

func newQueue() *queue { return &queue{lines: make(map[string][]offer)} }

func (q *queue) push(o offer) {
	organization := o.ref.OrganizationID
	line := q.lines[organization]
	if len(line) == 0 {
		q.order = append(q.order, organization)
	}
	q.lines[organization] = append(line, o)
	q.size++
}

// take removes and returns the next batch. It takes the oldest offer of each organization in rotation, until the batch
// is full or no offer is left. It drops offers from before notBefore and returns how many.
func (q *queue) take(notBefore time.Time) (batch []offer, dropped int) {
	n := min(len(q.order), workflows.MaxBatchOrganizations)
	served := q.order[:n:n]
	waiting := q.order[n:]
	for len(served) > 0 && len(batch) < workflows.MaxBatch {
		var again []string
		for i, organization := range served {
			if len(batch) == workflows.MaxBatch {
				again = append(served[i:], again...) // those not reached come first next time
				break
			}
			line := q.lines[organization]
			for len(line) > 0 && line[0].at.Before(notBefore) {
				line = line[1:]
				dropped++
			}
			if len(line) > 0 {
				batch, line = append(batch, line[0]), line[1:]
			}
			if len(line) == 0 {
				delete(q.lines, organization)
				continue
			}
			q.lines[organization] = line
			again = append(again, organization)
		}
		served = again
	}
	q.order = append(append(make([]string, 0, len(waiting)+len(served)), waiting...), served...)
	q.size -= len(batch) + dropped
	return batch, dropped
}

// clear drops all offers and returns how many there were.
func (q *queue) clear() int {
	size := q.size
	*q = *newQueue()
	return size
}
