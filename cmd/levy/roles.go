package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"levy/internal/local/postgres"
	"levy/store/pg"
)

type rolesCmd struct {
	AdminURL  Secret `name:"admin-database-url" var:"LEVY_ADMIN_DATABASE_URL" placeholder:"postgres://..." help:"PostgreSQL as a superuser, or as who else may make roles and databases, at a database that exists."`
	OwnerURL  Secret `name:"owner-database-url" var:"LEVY_OWNER_DATABASE_URL" placeholder:"postgres://..." help:"What LEVY_DATABASE_URL is for levy migrate: who owns the tables."`
	WorkerURL Secret `name:"worker-database-url" var:"LEVY_WORKER_DATABASE_URL" placeholder:"postgres://..." help:"What LEVY_DATABASE_URL is for levy worker, as a login of its own without a right to sessions, passkeys, second factors and sign-in links. Default: workers have the one of the API."`
}

// Run makes the roles once, and says what it changed.
func (c rolesCmd) Run(p *program) error {
	if err := errors.Join(
		databaseURL("LEVY_ADMIN_DATABASE_URL", c.AdminURL), databaseURL("LEVY_OWNER_DATABASE_URL", c.OwnerURL),
		databaseURL("LEVY_DATABASE_URL", p.config.DatabaseURL), c.validateWorker(),
	); err != nil {
		return err
	}
	said, err := pg.CreateLogins(p.ctx, pg.Logins{
		Admin: c.AdminURL.Reveal(), Owner: c.OwnerURL.Reveal(), Service: p.config.DatabaseURL.Reveal(),
		Worker: c.WorkerURL.Reveal(),
	})
	for _, change := range said {
		fmt.Fprintln(p.stdout, change+";")
	}
	if err == nil && len(said) == 0 {
		fmt.Fprintln(p.stdout, "All is as it should be.")
	}
	return err
}

func (c rolesCmd) validateWorker() error {
	if c.WorkerURL == "" {
		return nil
	}
	return databaseURL("LEVY_WORKER_DATABASE_URL", c.WorkerURL)
}

// devLogins creates the logins of levy dev's own PostgreSQL and logs its changes. It returns the addresses for the
// owner of the tables and for the service.
func devLogins(ctx context.Context, admin string, log io.Writer) (owner, service Secret, err error) {
	l := pg.Logins{Admin: admin}
	if l.Owner, err = postgres.LoginURL(admin, postgres.OwnerLogin, ""); err != nil {
		return "", "", err
	}
	if l.Service, err = postgres.LoginURL(admin, postgres.ServiceLogin, ""); err != nil {
		return "", "", err
	}
	said, err := pg.CreateLogins(ctx, l)
	for _, change := range said {
		fmt.Fprintln(log, "roles: "+change)
	}
	if err != nil {
		return "", "", fmt.Errorf("roles: %w", err)
	}
	return Secret(l.Owner), Secret(l.Service), nil
}
