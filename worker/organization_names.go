package worker

import (
	"context"
	"log/slog"
	"sync"
	"time"

	sdkclient "go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"

	"levy/workflows"
)

// OrganizationNames knows the public names of organizations; of those it does not know it says nothing.
type OrganizationNames func(ctx context.Context, ids []string) (map[string]string, error)

const (
	// maxNamed is of how many organizations a run is found by name, so that all fit the 2 KiB of a search attribute:
	// batches of more are found by id.
	maxNamed = 8
	// nameTTL is how long a name is kept, and maxNames how many are.
	nameTTL  = 10 * time.Minute
	maxNames = 10_000
)

// naming lets staff find and read runs by the names of their organizations: each start gets them as a search
// attribute, and its summary says them instead of ids. A run keeps the names of its start.
type naming struct {
	interceptor.ClientInterceptorBase
	names OrganizationNames
	log   *slog.Logger
	now   func() time.Time

	mu    sync.Mutex
	known map[string]knownName // by id
}

type knownName struct {
	name  string
	until time.Time
}

// newNaming returns the interceptor of a client.
func newNaming(names OrganizationNames, log *slog.Logger) *naming {
	return &naming{names: names, log: log, now: time.Now, known: map[string]knownName{}}
}

// InterceptClient is called once for a client.
func (n *naming) InterceptClient(next interceptor.ClientOutboundInterceptor) interceptor.ClientOutboundInterceptor {
	return &namingCalls{interceptor.ClientOutboundInterceptorBase{Next: next}, n}
}

type namingCalls struct {
	interceptor.ClientOutboundInterceptorBase
	*naming
}

// ExecuteWorkflow starts a workflow.
func (c *namingCalls) ExecuteWorkflow(
	ctx context.Context, in *interceptor.ClientExecuteWorkflowInput,
) (sdkclient.WorkflowRun, error) {
	c.name(ctx, in.Options)
	return c.Next.ExecuteWorkflow(ctx, in)
}

// SignalWithStartWorkflow starts a workflow, or signals it.
func (c *namingCalls) SignalWithStartWorkflow(
	ctx context.Context, in *interceptor.ClientSignalWithStartWorkflowInput,
) (sdkclient.WorkflowRun, error) {
	c.name(ctx, in.Options)
	return c.Next.SignalWithStartWorkflow(ctx, in)
}

// name puts the names into what a run is started with. Without them it is started all the same.
func (n *naming) name(ctx context.Context, options *sdkclient.StartWorkflowOptions) {
	ids := workflows.OrganizationsOf(options)
	if len(ids) == 0 || len(ids) > maxNamed {
		return
	}
	found, err := n.find(ctx, ids)
	if err != nil {
		n.log.WarnContext(ctx, "a run is started without the names of its organizations", "error", err.Error())
	}
	workflows.Named(options, found)
}

// find returns the names of organizations, and asks for those that are not known or known for long.
func (n *naming) find(ctx context.Context, ids []string) (map[string]string, error) {
	found, now := make(map[string]string, len(ids)), n.now()
	var missing []string
	n.mu.Lock()
	for _, id := range ids {
		if known, ok := n.known[id]; ok && now.Before(known.until) {
			found[id] = known.name
		} else {
			missing = append(missing, id)
		}
	}
	n.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	read, err := n.names(ctx, missing)
	if err != nil {
		return found, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.known)+len(read) > maxNames {
		clear(n.known)
	}
	for id, name := range read {
		n.known[id] = knownName{name, now.Add(nameTTL)}
		found[id] = name
	}
	return found, nil
}
