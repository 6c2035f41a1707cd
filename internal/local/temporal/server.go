package temporal

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"text/template"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"levy/internal/local"
	"levy/internal/local/postgres"
)

// Programs are the programs of a Temporal server as it runs in production:
// the server, and the tool that makes its tables.
type Programs struct{ Server, SQLTool string }

// temporalDatabases are the databases of a server and the schema of each, by the
// names that the tool has for them.
var temporalDatabases = map[string]string{
	"temporal":            "postgresql/v12/temporal",
	"temporal_visibility": "postgresql/v12/visibility",
}

const temporalPlugin = "postgres12_pgx"

// startServer starts the production server, with its records in a PostgreSQL.
func startServer(ctx context.Context, c Config) (*local.Process, error) {
	if err := prepareTemporalSchema(ctx, c); err != nil {
		return nil, err
	}
	if err := forgetMembers(ctx, c); err != nil {
		return nil, fmt.Errorf("members of the Temporal server: %w", err)
	}
	file := filepath.Join(c.Dir, "server.yaml")
	config, err := serverConfig(c)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, config, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(c.Programs.Server, "--config-file", file, "start")
	cmd.Dir, cmd.Env = c.Dir, ownEnvironment()
	return local.StartLogged(cmd, c.Log, syscall.SIGKILL)
}

// prepareTemporalSchema makes databases and tables that are missing.
func prepareTemporalSchema(ctx context.Context, c Config) error {
	conn, err := pgx.Connect(ctx, c.Postgres)
	if err != nil {
		return fmt.Errorf("database of the Temporal server: %w", err)
	}
	defer conn.Close(ctx)
	for name, schema := range temporalDatabases {
		created, err := postgres.CreateDatabase(ctx, conn, name)
		if err != nil {
			return err
		}
		if !created {
			continue
		}
		for _, step := range [][]string{
			{"setup-schema", "--version", "0.0"}, {"update-schema", "--schema-name", schema},
		} {
			if err := c.sqlTool(ctx, name, step...); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetMembers removes the services of an earlier run from the table by which services find each other. A killed
// server leaves its services there for a minute. The new services, which have other ports, would send them half of the
// work: starts would be accepted, and their tasks never handed out. The folder is locked, so no other server uses this
// database.
func forgetMembers(ctx context.Context, c Config) error {
	at, err := url.Parse(c.Postgres)
	if err != nil {
		return errors.New("its address is not a URL") // it holds a password
	}
	at.Path = "/temporal"
	conn, err := pgx.Connect(ctx, at.String())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "DELETE FROM cluster_membership")
	return err
}

func (c Config) sqlTool(ctx context.Context, database string, args ...string) error {
	at, err := url.Parse(c.Postgres)
	if err != nil {
		return errors.New("the address of the Temporal server's database is not a URL") // it holds a password
	}
	password, _ := at.User.Password()
	cmd := exec.CommandContext(ctx, c.Programs.SQLTool, args...)
	cmd.Env = append(ownEnvironment(), "SQL_PLUGIN="+temporalPlugin, "SQL_HOST="+at.Hostname(), "SQL_PORT="+at.Port(),
		"SQL_USER="+at.User.Username(), "SQL_PASSWORD="+password, "SQL_DATABASE="+database)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("schema of the Temporal server: %s: %w\n%s", args[0], err, out)
	}
	return nil
}

var serverTemplate = template.Must(template.New("server").Funcs(template.FuncMap{"quote": strconv.Quote}).Parse(`
log: {stdout: true, level: warn, format: json}
persistence:
  defaultStore: temporal
  visibilityStore: temporal_visibility
  numHistoryShards: 4
  datastores:
{{- range .Databases}}
    {{.}}:
      sql:
        {pluginName: {{$.Plugin}}, databaseName: {{.}}, connectAddr: {{quote $.Host}}, connectProtocol: tcp,
         user: {{quote $.User}}, password: {{quote $.Password}}, maxConns: 20, maxIdleConns: 20}
{{- end}}
global:
  membership: {maxJoinDuration: 10s, broadcastAddress: 127.0.0.1}
  metrics: {prometheus: {framework: tally, timerType: histogram, listenAddress: "127.0.0.1:{{.MetricsPort}}"}}
services:
{{- range .Services}}
  {{.Name}}: {rpc: {grpcPort: {{.Port}}, membershipPort: {{.MembershipPort}}, bindOnLocalHost: true}}
{{- end}}
clusterMetadata:
  enableGlobalNamespace: false
  failoverVersionIncrement: 10
  masterClusterName: active
  currentClusterName: active
  clusterInformation:
    active: {enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: "127.0.0.1:{{.Port}}"}
`))

type serverService struct {
	Name                 string
	Port, MembershipPort int
}

// serverConfig writes the server's configuration: one process with all services.
// Only the frontend has a port that other programs know.
func serverConfig(c Config) ([]byte, error) {
	at, err := url.Parse(c.Postgres)
	if err != nil {
		return nil, errors.New("the address of the Temporal server's database is not a URL") // it holds a password
	}
	password, _ := at.User.Password()
	var services []serverService
	for _, name := range []string{"frontend", "history", "matching", "worker"} {
		s := serverService{Name: name, Port: c.Port}
		ports := []*int{&s.MembershipPort}
		if name != "frontend" {
			ports = append(ports, &s.Port)
		}
		for _, port := range ports {
			if *port, err = local.FreePort(); err != nil {
				return nil, err
			}
		}
		services = append(services, s)
	}
	var out bytes.Buffer
	err = serverTemplate.Execute(&out, map[string]any{
		"Databases": []string{"temporal", "temporal_visibility"}, "Plugin": temporalPlugin, "Services": services,
		"Host": net.JoinHostPort(at.Hostname(), at.Port()), "User": at.User.Username(), "Password": password,
		"Port": c.Port, "MetricsPort": c.MetricsPort,
	})
	return out.Bytes(), err
}

// makeNamespace makes the namespace, which the development server does by itself.
func makeNamespace(ctx context.Context, client sdkclient.Client, c Config) error {
	_, err := client.WorkflowService().RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace: c.Namespace, WorkflowExecutionRetentionPeriod: durationpb.New(cmp.Or(c.Retention, minimumRetention)),
	})
	if exists := (*serviceerror.NamespaceAlreadyExists)(nil); errors.As(err, &exists) {
		return nil
	}
	return err
}
