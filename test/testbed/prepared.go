package testbed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"levy/internal/local/postgres"
	"levy/internal/local/temporal"
	"levy/internal/secret"
	"levy/store/pg"
)

// prepared is a database that `levy migrate` has brought up to date and that has its first organization. Beds copy it
// instead of running both commands.
type prepared struct {
	Database   string `json:"database"` // of the shared PostgreSQL
	Cluster    string `json:"cluster"`  // the folder of a stopped PostgreSQL that has nothing else
	MasterKeys string `json:"master_keys"`
	first
}

// first is what `levy bootstrap` prints.
type first struct {
	OrganizationID string `json:"organization_id"`
	APIKey         string `json:"api_key"`
}

// installation is the database, and ownInstallation the cluster, that all test binaries of a run copy. The first binary
// that needs one makes it. Without test/servers they are nil, and each bed makes its own.
var (
	installation    = sync.OnceValues(func() (*prepared, error) { return shareInstallation("installation", prepareDatabase) })
	ownInstallation = sync.OnceValues(func() (*prepared, error) { return shareInstallation("cluster", prepareCluster) })
)

func shareInstallation(name string, prepare func(ctx context.Context, dir string) (*prepared, error)) (*prepared, error) {
	dir := os.Getenv(ProgramsVariable)
	if dir == "" || os.Getenv(TemplateVariable) == "" {
		return nil, nil
	}
	lock, err := os.OpenFile(filepath.Join(dir, name+".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil { //nolint:gosec // a descriptor is small
		return nil, err
	}
	record := filepath.Join(dir, name+".json")
	text, err := os.ReadFile(record)
	if err == nil {
		p := &prepared{}
		return p, json.Unmarshal(text, p)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), setUpTimeout)
	defer cancel()
	p, err := prepare(ctx, filepath.Join(dir, name))
	if err != nil {
		return nil, fmt.Errorf("prepare the installation that beds copy: %w", err)
	}
	if text, err = json.Marshal(p); err != nil {
		return nil, err
	}
	return p, os.WriteFile(record, text, 0o600)
}

func prepareDatabase(ctx context.Context, _ string) (*prepared, error) {
	server, err := sharedPostgres()
	if err != nil {
		return nil, err
	}
	template := os.Getenv(TemplateVariable)
	p := &prepared{Database: template + "_installation"}
	address, _, err := newDatabase(ctx, server, p.Database, template)
	if err != nil {
		return nil, err
	}
	return p, p.make(ctx, address)
}

func prepareCluster(ctx context.Context, dir string) (*prepared, error) {
	if err := os.RemoveAll(dir); err != nil { // of a test binary that ended or failed while it prepared
		return nil, err
	}
	pg, err := postgres.Start(ctx, postgres.Config{Dir: dir, Fast: true, Out: os.Stderr})
	if err != nil {
		return nil, err
	}
	p := &prepared{Cluster: dir}
	err = errors.Join(p.make(ctx, pg.URL("")), pg.Stop(ctx))
	if pg.Relocated {
		err = errors.Join(err, fmt.Errorf("PostgreSQL's user cannot enter %s", dir), os.RemoveAll(pg.ClusterDir))
	}
	if err != nil {
		return nil, err
	}
	return p, forgetPort(dir)
}

// forgetPort lets each copy of a cluster choose a port of its own.
func forgetPort(dir string) error {
	path := filepath.Join(dir, "cluster.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	record := map[string]any{}
	if err := json.Unmarshal(text, &record); err != nil {
		return err
	}
	delete(record, "port")
	if text, err = json.Marshal(record); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// make sets it up as New does for a bed that copies none.
func (p *prepared) make(ctx context.Context, address string) (err error) {
	p.MasterKeys = secret.NewMasterKey("test")
	logins := pg.Logins{Admin: address}
	if logins.Owner, err = postgres.LoginURL(address, postgres.OwnerLogin, ""); err != nil {
		return err
	}
	if logins.Service, err = postgres.LoginURL(address, postgres.ServiceLogin, ""); err != nil {
		return err
	}
	if _, err := pg.CreateLogins(ctx, logins); err != nil {
		return err
	}
	binary, err := temporalProgram()
	if err != nil {
		return err
	}
	server, err := temporal.Start(ctx, temporal.Config{
		Binary: binary, Fast: true, Headless: true, SearchAttributes: searchAttributes(),
	})
	if err != nil {
		return err
	}
	return errors.Join(p.run(server.Address, logins), server.Stop(ctx))
}

// run migrates, and makes the first organization.
func (p *prepared) run(temporalAddress string, logins pg.Logins) error {
	program, err := Options{}.program()
	if err != nil {
		return err
	}
	env := append(cleanEnvironment(), "LEVY_TEMPORAL_ADDRESS="+temporalAddress, "LEVY_MASTER_KEYS="+p.MasterKeys,
		"LEVY_LOG_LEVEL=warn")
	var out []byte
	for _, step := range []struct {
		command  []string
		database string
	}{{[]string{"migrate"}, logins.Owner}, {[]string{"bootstrap", "--test"}, logins.Service}} {
		cmd := exec.Command(program, step.command...)
		cmd.Env = append(slices.Clip(env), "LEVY_DATABASE_URL="+step.database)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if out, err = cmd.Output(); err != nil {
			return fmt.Errorf("levy %s: %w: %s", step.command[0], err, stderr.String())
		}
	}
	return json.Unmarshal(out, &p.first)
}

// cleanEnvironment is that of the test without settings of Levy.
func cleanEnvironment() []string {
	return slices.DeleteFunc(os.Environ(),
		func(e string) bool { return strings.HasPrefix(e, "LEVY_") || strings.HasPrefix(e, "OTEL_") })
}
