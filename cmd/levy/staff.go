package main

import (
	"os/user"

	"levy/models"
	"levy/store"
)

// staff is who runs this command, for the audit trail: the user of the machine.
func staff() models.Actor {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return models.Actor{Staff: u.Username}
	}
	return models.Actor{Staff: models.UnnamedStaff}
}

// note writes into the trail of the installation what a command is about to do: what cannot be noted is not
// done.
func note(p *program, s *store.Store, action, what, id string) error {
	return s.Organizations.AuditOperator(p.ctx, staff(), action, what, id)
}
