package postgres

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
)

// The logins of an installation beside the superuser, as docker-compose.yml has them. No name is one of the roles that
// migrations make for an owner "levy": levy_api, levy_worker, levy_runner. OwnerLogin migrates. WorkerLogin is
// that of workers where they have their own. ServiceLogin is that of all other processes and commands.
const OwnerLogin, ServiceLogin, WorkerLogin = "levy_owner", "levy_app", "levy_workflows"

// LoginURL is the address of a server for another of its logins, at a database (empty: the same). Its password follows
// from that of the address, which does not follow from it; who makes the login gives it that one.
func LoginURL(address, login, database string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("the address of PostgreSQL is not a URL") // it may hold a password
	}
	known, _ := u.User.Password()
	u.User = url.UserPassword(login, fmt.Sprintf("%x", sha256.Sum256([]byte(login+" "+known)))[:40])
	if database != "" {
		u.Path = "/" + database
	}
	return u.String(), nil
}
