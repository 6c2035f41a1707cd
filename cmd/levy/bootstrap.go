package main

import (
	"context"
	"encoding/json"
	"errors"
)

type bootstrapCmd struct{}

// Run creates what is missing and prints the credentials, the only time that
// their secrets are shown.
func (bootstrapCmd) Run(p *program) error {
	if err := p.config.validate(needDatabase, needMasterKeys); err != nil {
		return err
	}
	created, err := bootstrap(p.ctx, p.config, credentials{})
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(p.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(created)
}

// credentials are those of the first partner organization and of the operator.
type credentials struct {
	OrganizationID string `json:"organization_id"`
	APIKey         string `json:"api_key"`
	OperatorKey    string `json:"operator_key"`
}

// bootstrap returns credentials that work. Those of known that are still valid
// are returned as they are; what is missing, unknown or revoked is created. An
// organization that exists is kept, only its key is made anew.
func bootstrap(ctx context.Context, cfg Config, known credentials) (credentials, error) {
	return credentials{}, errors.New("bootstrap is not wired")
}
