package convert

import (
	"levy/contract"
	"levy/models"
)

// Made returns a thing after the end of its maker in the form of the contract.
func Made(m models.Made) contract.MadeThing {
	return contract.MadeThing{Type: contract.MadeThingType(m.Kind), ID: m.ID, OrganizationID: m.OrganizationID}
}
