package models

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// Reach says whose records the work of a context may touch, to the database, which asks beside
// every condition of a statement (see store/pg): those of the organizations that a request has
// been found to reach, or those of all for work of the service itself. A context without one
// reaches nobody.
type Reach struct {
	mu            sync.Mutex
	organizations []string
	all           bool
}

type reachKey struct{}

// WithReach is the context of a request that reaches an organization; Add lets it reach others.
func WithReach(ctx context.Context, organizationID string) context.Context {
	return context.WithValue(ctx, reachKey{}, &Reach{organizations: []string{organizationID}})
}

// SharedReach is the context of another part of a request that has a reach.
func SharedReach(ctx context.Context, r *Reach) context.Context {
	return context.WithValue(ctx, reachKey{}, r)
}

// AcrossOrganizations is the context for work of the service itself, one statement of which serves
// many organizations that no caller chooses.
func AcrossOrganizations(ctx context.Context) context.Context {
	return context.WithValue(ctx, reachKey{}, &Reach{all: true})
}

// ReachOf returns the reach of a context; nil for none.
func ReachOf(ctx context.Context) *Reach {
	r, _ := ctx.Value(reachKey{}).(*Reach)
	return r
}

// Add lets a request reach another organization, once it is known that it may. A context without
// a reach gets none by this.
func (r *Reach) Add(organizationID string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.organizations, organizationID) {
		r.organizations = append(r.organizations, organizationID)
	}
}

// Organizations are the ids that can be reached, separated by commas, which no id contains; all
// is true for those of everybody.
func (r *Reach) Organizations() (ids string, all bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.organizations, ","), r.all
}
