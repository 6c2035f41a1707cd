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

	"levy/internal/local"
	"levy/internal/secret"
	"levy/store/pg"
)

// prepared is a database of the shared PostgreSQL that `levy migrate` has brought up to date and that has its first
// organization: what beds copy, instead of running both commands each.
type prepared struct {
	Database   string `json:"database"`
	MasterKeys string `json:"master_keys"`
	first
}

// first is what `levy bootstrap` prints.
type first struct {
	OrganizationID string `json:"organization_id"`
	APIKey         string `json:"api_key"`
}

// installation is the one that all test binaries of a run share, made by whoever needs it first; nil where
// there is none: without test/servers each bed makes its own.
var installation = sync.OnceValues(func() (*prepared, error) {
	dir, template := os.Getenv(ProgramsVariable), os.Getenv(TemplateVariable)
	if dir == "" || template == "" {
		return nil, nil
	}
	lock, err := os.OpenFile(filepath.Join(dir, "installation.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil { //nolint:gosec // a descriptor is small
		return nil, err
	}
	p := &prepared{}
	record := filepath.Join(dir, "installation.json")
	text, err := os.ReadFile(record)
	if err == nil {
		return p, json.Unmarshal(text, p)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := p.make(template); err != nil {
		return nil, fmt.Errorf("prepare the installation that beds copy: %w", err)
	}
	if text, err = json.Marshal(p); err != nil {
		return nil, err
	}
	return p, os.WriteFile(record, text, 0o600)
})

// make sets it up as New does for a bed that copies none.
func (p *prepared) make(template string) error {
	ctx, cancel := context.WithTimeout(context.Background(), setUpTimeout)
	defer cancel()
	server, err := sharedPostgres()
	if err != nil {
		return err
	}
	p.Database, p.MasterKeys = template+"_installation", secret.NewMasterKey("test")
	address, _, err := newDatabase(ctx, server, p.Database, template)
	if err != nil {
		return err
	}
	logins := pg.Logins{Admin: address}
	if logins.Owner, err = local.LoginURL(address, local.OwnerLogin, ""); err != nil {
		return err
	}
	if logins.Service, err = local.LoginURL(address, local.ServiceLogin, ""); err != nil {
		return err
	}
	if _, err := pg.MakeLogins(ctx, logins); err != nil {
		return err
	}
	binary, err := temporalProgram()
	if err != nil {
		return err
	}
	temporal, err := local.StartTemporal(ctx, local.TemporalConfig{
		Binary: binary, Fast: true, Headless: true, SearchAttributes: searchAttributes(),
	})
	if err != nil {
		return err
	}
	return errors.Join(p.run(temporal.Address, logins), temporal.Stop(ctx))
}

// run migrates, and makes the first organization.
func (p *prepared) run(temporalAddress string, logins pg.Logins) error {
	program, err := plainProgram()
	if err != nil {
		return err
	}
	env := append(cleanEnvironment(), "LEVY_TEMPORAL_ADDRESS="+temporalAddress, "LEVY_MASTER_KEYS="+p.MasterKeys,
		"LEVY_LOG_LEVEL=warn")
	var out []byte
	for _, step := range []struct{ command, database string }{{"migrate", logins.Owner}, {"bootstrap", logins.Service}} {
		cmd := exec.Command(program, step.command)
		cmd.Env = append(slices.Clip(env), "LEVY_DATABASE_URL="+step.database)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if out, err = cmd.Output(); err != nil {
			return fmt.Errorf("levy %s: %w: %s", step.command, err, stderr.String())
		}
	}
	return json.Unmarshal(out, &p.first)
}

// cleanEnvironment is that of the test without settings of Levy.
func cleanEnvironment() []string {
	return slices.DeleteFunc(os.Environ(),
		func(e string) bool { return strings.HasPrefix(e, "LEVY_") || strings.HasPrefix(e, "OTEL_") })
}
