package models

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// Reach are the organizations whose records the work of a context may touch. The database checks it in addition to
// every condition of a statement (see store/pg). It has the organizations that a request was found to reach,
// or all of them for work of the service itself. A context without a reach touches none.
type Reach struct {
	mu            sync.Mutex
	organizations []string
	all           bool
}

type reachKey struct{}

// NewReach returns the reach of a request that reaches an organization. Add lets it reach others.
func NewReach(organizationID string) *Reach { return &Reach{organizations: []string{organizationID}} }

// WithReach returns the context of a request that reaches an organization.
func WithReach(ctx context.Context, organizationID string) context.Context {
	return context.WithValue(ctx, reachKey{}, NewReach(organizationID))
}

// AcrossOrganizations returns the context for work of the service itself, whose statements serve many organizations
// that no caller selects.
func AcrossOrganizations(ctx context.Context) context.Context {
	return context.WithValue(ctx, reachKey{}, &Reach{all: true})
}

// ReachOf returns the reach of a context; nil for none.
func ReachOf(ctx context.Context) *Reach {
	r, _ := ctx.Value(reachKey{}).(*Reach)
	return r
}

// Add lets a request reach another organization, once that is known to be allowed. A context without a reach stays
// without.
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

// Organizations returns the reached ids, separated by commas, which no id contains. all means all organizations.
func (r *Reach) Organizations() (ids string, all bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.organizations, ","), r.all
}
