package main

import (
	"os/user"

	"levy/models"
)

// staff is who runs this command, for the audit trail: the user of the machine.
func staff() models.Actor {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return models.Actor{Staff: u.Username}
	}
	return models.Actor{Staff: models.UnnamedStaff}
}
