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

// OrganizationNames returns the public names of organizations by id, without those that it does not know.
type OrganizationNames func(ctx context.Context, ids []string) (map[string]string, error)

const (
	// maxNamed bounds the organizations by whose name a run is found, because a search attribute has 2 KiB. Staff find
	// batches of more organizations by id.
	maxNamed = 8
	// nameTTL is the time for which a name stays in memory, and maxNames bounds the names there.
	nameTTL  = 10 * time.Minute
	maxNames = 10_000
)

// naming lets staff find runs by the names of their organizations. It adds the names to each start as a search
// attribute, and puts them into its summary instead of ids. A run keeps the names of its start.
type naming struct {
	interceptor.ClientInterceptorBase
	names OrganizationNames
	log   *slog.Logger
	now   func() time.Time

	mu    sync.Mutex
	known map[string]knownName // by id
}

// knownName is a name in memory.
type knownName struct {
	name  string
	until time.Time
}

// newNaming returns the interceptor of a client.
func newNaming(names OrganizationNames, log *slog.Logger) *naming {
	return &naming{names: names, log: log, now: time.Now, known: map[string]knownName{}}
}

// InterceptClient returns the interceptor of the calls of a client.
func (n *naming) InterceptClient(next interceptor.ClientOutboundInterceptor) interceptor.ClientOutboundInterceptor {
	return &namingCalls{interceptor.ClientOutboundInterceptorBase{Next: next}, n}
}

// namingCalls intercepts the calls that start workflows.
type namingCalls struct {
	interceptor.ClientOutboundInterceptorBase
	*naming
}

// ExecuteWorkflow starts a workflow with the names.
func (c *namingCalls) ExecuteWorkflow(
	ctx context.Context, in *interceptor.ClientExecuteWorkflowInput,
) (sdkclient.WorkflowRun, error) {
	c.name(ctx, in.Options)
	return c.Next.ExecuteWorkflow(ctx, in)
}

// SignalWithStartWorkflow starts a workflow with the names, or signals it.
func (c *namingCalls) SignalWithStartWorkflow(
	ctx context.Context, in *interceptor.ClientSignalWithStartWorkflowInput,
) (sdkclient.WorkflowRun, error) {
	c.name(ctx, in.Options)
	return c.Next.SignalWithStartWorkflow(ctx, in)
}

// name adds the names to the options of a start. If they cannot be read, the run starts without them.
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

// find returns the names of organizations. It reads those that are not in memory, or have been there for too long.
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
