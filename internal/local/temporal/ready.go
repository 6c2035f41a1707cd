package temporal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	sdklog "go.temporal.io/sdk/log"
	"google.golang.org/protobuf/types/known/durationpb"
)

// minimumRetention is the shortest time for which the server keeps histories.
const minimumRetention = 24 * time.Hour

// quiet is for attempts to connect, which are expected to fail.
var quiet = sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler))

func (t *Server) waitReady(ctx context.Context, c Config) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client, err := sdkclient.NewLazyClient(sdkclient.Options{
		HostPort: t.Address, Namespace: c.Namespace, Logger: quiet,
	})
	if err != nil {
		return err
	}
	defer client.Close()
	for {
		err := ready(ctx, client, t.UIURL, c)
		if err == nil {
			return nil
		}
		select {
		case <-t.Done():
			return fmt.Errorf("the Temporal server ended while starting (%s)", t.Outcome())
		case <-ctx.Done():
			return fmt.Errorf("the Temporal server does not answer: %w", errors.Join(ctx.Err(), err))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func ready(ctx context.Context, client sdkclient.Client, ui string, c Config) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if _, err := client.CheckHealth(ctx, nil); err != nil {
		return err
	}
	if c.Postgres != "" {
		if err := makeNamespace(ctx, client, c); err != nil {
			return err
		}
	}
	if err := retain(ctx, client, c); err != nil {
		return err
	}
	if err := registered(ctx, client, c); err != nil {
		return err
	}
	if ui == "" {
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, ui, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode == http.StatusOK {
		return err
	}
	return fmt.Errorf("the web UI answers %s", resp.Status)
}

// retain sets the namespace's retention, which has no flag of its own.
func retain(ctx context.Context, client sdkclient.Client, c Config) error {
	ns, err := client.WorkflowService().DescribeNamespace(
		ctx, &workflowservice.DescribeNamespaceRequest{Namespace: c.Namespace},
	)
	if err != nil || c.Retention == 0 || ns.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration() == c.Retention {
		return err
	}
	_, err = client.WorkflowService().UpdateNamespace(ctx, &workflowservice.UpdateNamespaceRequest{
		Namespace: c.Namespace,
		Config:    &namespace.NamespaceConfig{WorkflowExecutionRetentionTtl: durationpb.New(c.Retention)},
	})
	return err
}

// registered checks the search attributes, adding those that are newer than the
// database file: the server reads its flag only when it creates the namespace.
func registered(ctx context.Context, client sdkclient.Client, c Config) error {
	known, err := client.OperatorService().ListSearchAttributes(
		ctx, &operatorservice.ListSearchAttributesRequest{Namespace: c.Namespace},
	)
	if err != nil {
		return err
	}
	missing := map[string]enums.IndexedValueType{}
	for name, kind := range c.SearchAttributes {
		if _, ok := known.GetCustomAttributes()[name]; ok {
			continue
		}
		t, err := enums.IndexedValueTypeFromString(kind)
		if err != nil {
			return fmt.Errorf("search attribute %s: %w", name, err)
		}
		missing[name] = t
	}
	if len(missing) > 0 {
		_, err = client.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
			Namespace: c.Namespace, SearchAttributes: missing,
		})
		if err != nil {
			return err
		}
	}
	if len(c.SearchAttributes) == 0 {
		return nil
	}
	// A new attribute can be used only when the server's caches know it.
	conditions := make([]string, 0, len(c.SearchAttributes))
	for name := range c.SearchAttributes {
		conditions = append(conditions, name+" IS NULL")
	}
	_, err = client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: c.Namespace, PageSize: 1, Query: strings.Join(conditions, " AND "),
	})
	return err
}
